/** Draws the plan of a payment's life by its seed and number. */
import { type Item, type Manners, type Place, type Plan, troubles } from './plan.js'
import { between, type Dice, diceOf, oneOf } from './seeded.js'

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/** How many processes the till has. */
export const processCount = 3

/** When the last trouble of a plan is over, in milliseconds since the birth of the payment: nothing new goes wrong after that. */
export const calmOf = (items: readonly Item[]): number =>
  items.reduce((latest, item) => {
    const end = 'at' in item ? item.at + ('lasts' in item ? item.lasts : 0) + (item.kind === 'restore' ? hour : 0) : 0
    return Math.max(latest, end + hour)
  }, hour)

/** Draws a plan. */
export function drawPlan(seed: number, payment: number): Plan {
  const dice = diceOf(seed, payment)
  const manners = mannersBy(dice)
  const items = [...customersOf(dice), ...wishesOf(dice, manners), ...gatewayOf(dice), ...troubleOf(dice)]
  return { seed, payment, manners, items }
}

const mannersBy = (dice: Dice): Manners => ({
  purpose: dice('purpose') < 0.75 ? 'sale' : 'preauth',
  amount: 10 * between(dice, 'amount', 10, 5_000),
  hasTransactions: dice('transactions') < 0.6,
  surplus: dice('surplus') < 0.5 ? 'return' : 'person',
  replaceOpenForm: dice('replace') < 0.25,
  absence: dice('absence') < 0.6 ? 'by its word' : 'as it refuses',
  usedIds: dice('used') < 0.5 ? 'refused' : 'second-order',
  isNumbered: dice('numbered') < 0.85,
})

const times = <Value>(count: number, make: (nth: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, nth) => make(nth))

const processBy = (dice: Dice, label: string): number => between(dice, label, 0, processCount - 1)

function customersOf(dice: Dice): readonly Item[] {
  const more = oneOf(dice, 'presses', [
    [50, 0],
    [25, 1],
    [15, 2],
    [7, 3],
    [3, 5],
  ])
  const spread = oneOf(dice, 'spread', [
    [40, 2 * second],
    [30, minute],
    [20, hour],
    [10, day],
  ])
  const presses = times(
    more + 1,
    (nth): Item => ({
      kind: 'press',
      at: nth === 0 ? 0 : between(dice, `press ${nth}`, 0, spread),
      process: processBy(dice, `press in ${nth}`),
    }),
  )
  const cards = times(4, nth => ({ nth, does: dice(`card ${nth}`) })).flatMap(({ nth, does }): readonly Item[] =>
    does < 0.75 ? [] : [{ kind: 'card', nth, does: does < 0.9 ? 'declined' : does < 0.96 ? 'slow' : 'left' }],
  )
  const away = times(2, nth => nth).flatMap((nth): readonly Item[] =>
    dice(`away ${nth}`) < 0.2 ? [{ kind: 'stays-away', nth }] : [],
  )
  return [...presses, ...cards, ...away]
}

function wishesOf(dice: Dice, { purpose }: Manners): readonly Item[] {
  const items: Item[] = []
  const isHold = purpose === 'preauth'
  if (isHold && dice('captures') < 0.45)
    items.push({ kind: 'wants', when: 'held', name: 'capture', ...tenthsBy(dice, 'captures') })
  else if (isHold && dice('voids') < 0.3) items.push({ kind: 'wants', when: 'held', name: 'void' })
  if (dice('wants back') < 0.06)
    items.push({ kind: 'wants', when: 'paid', name: 'return', ...tenthsBy(dice, 'wants back') })
  const count = oneOf(dice, 'changes', [
    [75, 0],
    [14, 1],
    [8, 2],
    [3, 3],
  ])
  for (let nth = 0; nth < count; nth += 1) {
    const label = `change ${nth}`
    const name = oneOf(dice, label, [
      [isHold ? 40 : 95, 'return'],
      [isHold ? 40 : 0, 'capture'],
      [isHold ? 20 : 5, 'void'],
    ] as const)
    const part = name === 'void' ? {} : tenthsBy(dice, label)
    const at = oneOf(dice, `${label} when`, [
      [50, minute],
      [30, 20 * minute],
      [20, day],
    ])
    items.push({
      kind: 'change',
      at: between(dice, `${label} at`, 5 * second, at),
      name,
      ...part,
      key: `part-${between(dice, `${label} key`, 1, 2)}`,
    })
  }
  return items
}

const tenthsBy = (dice: Dice, label: string): { readonly tenths?: number } =>
  dice(`${label} part`) < 0.5 ? {} : { tenths: between(dice, `${label} tenths`, 1, 6) }

function gatewayOf(dice: Dice): readonly Item[] {
  const count = oneOf(dice, 'gateway', [
    [86, 0],
    [10, 1],
    [4, 2],
  ])
  return times(count, (nth): Item => {
    const label = `gateway ${nth}`
    return {
      kind: 'gateway',
      at: between(
        dice,
        `${label} at`,
        minute,
        oneOf(dice, `${label} when`, [
          [40, hour],
          [60, 2 * day],
        ]),
      ),
      does: doneAtGateway(dice, label),
      ...tenthsBy(dice, label),
      toldApartBy: oneOf(dice, `${label} by`, [
        [50, 'serial-number'],
        [30, 'codes'],
        [20, 'nothing'],
      ] as const),
    }
  })
}

function doneAtGateway(dice: Dice, label: string) {
  const does = oneOf(dice, label, [
    [40, 'correct'],
    [30, 'charge-back'],
    [30, 'reverse'],
  ] as const)
  return does === 'reverse' && dice(`${label} declined`) < 0.3 ? 'reverse-declined' : does
}

const places: readonly (readonly [number, Place])[] = [
  [15, 'read'],
  [30, 'write'],
  [15, 'request'],
  [12, 'ask'],
  [15, 'handle'],
  [13, 'callback'],
]

/** How often each effect comes in a usual life: one of the first so many goes wrong. */
const usual: { readonly [At in Place]: number } = { read: 8, write: 8, request: 3, ask: 6, handle: 3, callback: 3 }

function troubleOf(dice: Dice): readonly Item[] {
  const faults = oneOf(dice, 'faults', [
    [30, 0],
    [25, 1],
    [20, 2],
    [15, 3],
    [10, 5],
  ])
  const weather = oneOf(dice, 'weather', [
    [60, 0],
    [25, 1],
    [10, 2],
    [5, 4],
  ])
  return [
    ...times(faults, (nth): Item => {
      const label = `fault ${nth}`
      const on = oneOf(dice, label, places)
      const all = troubles[on]
      const what = all[between(dice, `${label} what`, 0, all.length - 1)] ?? all[0]
      return { kind: 'fault', on, nth: between(dice, `${label} nth`, 1, usual[on]), what, by: dice(`${label} by`) }
    }),
    ...times(weather, nth => weatherBy(dice, `weather ${nth}`)).flat(),
    ...(dice('decides') < 0.15 ? [{ kind: 'decides', at: between(dice, 'decides at', second, hour) } as const] : []),
    ...(dice('restore') < 0.04 ? [restoreBy(dice)] : []),
  ]
}

function weatherBy(dice: Dice, label: string): readonly Item[] {
  const at = between(
    dice,
    `${label} at`,
    0,
    oneOf(dice, `${label} when`, [
      [50, 3 * second],
      [30, minute],
      [20, 2 * hour],
    ]),
  )
  const lasts = between(
    dice,
    `${label} lasts`,
    100,
    oneOf(dice, `${label} long`, [
      [40, 5 * second],
      [40, 2 * minute],
      [20, 2 * hour],
    ]),
  )
  const process = processBy(dice, `${label} in`)
  const kind = oneOf(dice, label, [
    [25, 'death'],
    [20, 'stall'],
    [10, 'jump'],
    [20, 'lag'],
    [15, 'outage'],
    [10, 'pause'],
  ] as const)
  switch (kind) {
    case 'stall':
      return [{ kind, process, at, lasts, suspended: dice(`${label} suspended`) < 0.3 }]
    case 'jump':
      return [{ kind, process, at, by: between(dice, `${label} by`, -hour, hour) }]
    case 'death':
      return [{ kind, process, at, lasts }]
    case 'pause': {
      // Somebody presses meanwhile.
      const from = dice(`${label} early`) < 0.5 ? 0 : at
      return [
        { kind, at: from, lasts },
        { kind: 'press', at: from + Math.floor(lasts / 2), process },
      ]
    }
    default:
      return [{ kind, at, lasts }]
  }
}

function restoreBy(dice: Dice): Item {
  const backup = between(
    dice,
    'backup',
    0,
    oneOf(dice, 'backup when', [
      [60, 10 * second],
      [40, 10 * minute],
    ]),
  )
  return { kind: 'restore', backup, at: backup + between(dice, 'restored', second, 10 * minute) }
}
