/** A payment's life: everything that it is made of, and everything that happens in it. */
import type { Marks } from '../../../packages/till/src/intents/next.js'
import type { ReceivedOutcome } from '../../../packages/till/src/rules/delivery/outcome.js'
import { type Broken, inWords } from '../../explore/src/walk/rules.js'
import { calmOf, processCount } from './draw.js'
import { type Books, createBooks } from './gateway/books.js'
import type { Mistake } from './mistakes.js'
import type { Fault, Item, Place, Plan } from './plan.js'
import { type Dice, diceOf } from './seeded.js'
import { createProcess, type Process } from './till/process.js'
import type { QuietLook } from './till/quiet.js'
import { createPaymentStore, type PaymentStore } from './till/store.js'
import { createWaker, type Waker } from './till/waker.js'
import type { Timeline } from './timeline.js'

/** The merchant's name of every payment: each has a world of its own. */
export const reference = 'basket-7'

/** An outcome that the merchant's handler was called for. */
export interface Call {
  readonly key: string
  /** When its handler was called, by the true time, in milliseconds. */
  readonly at: number
  readonly outcome: ReceivedOutcome
}

/** The merchant's own books. */
export interface Merchant {
  /** The outcomes that were booked, by their keys: each was committed, or its handler returned. */
  booked: Call[]
  /** The outcomes that a handler was called for. */
  readonly called: string[]
  /** Calls that run now, by the tokens of their leases. */
  readonly running: Map<string, { readonly until: number }>
}

/** Callbacks for orders that no request in the store is behind, as a person sees them. */
export interface Unmatched {
  readonly clientOrderId: string
  readonly orderId: string
}

/** The share of payments that are lived without any short cut. */
const thorough = 0.1

export interface Life {
  readonly plan: Plan
  /** Whether its store keeps texts, and its background looks where nothing can be new. */
  readonly isThorough: boolean
  readonly dice: Dice
  /** When it began, by the true time, in milliseconds. */
  readonly birth: number
  /** When the last trouble is over, in milliseconds since its birth. */
  readonly calm: number
  readonly processes: readonly Process[]
  readonly store: PaymentStore
  /** Wakes the work in the background. */
  readonly waker: Waker
  readonly books: Books
  readonly merchant: Merchant
  /** Requests of which a byte has left, and that may still arrive. */
  readonly wire: Set<string>
  /** The addresses that customers were given. */
  readonly given: Set<string>
  unmatched: Unmatched[]
  /** Orders of which a person has settled something: how often that counts as told is the person's word. */
  readonly settled: Set<string>
  /** Orders that a person has looked up for a callback that status did not show. */
  readonly lookedUp: Set<string>
  /** Times in which status shows what was so before, since a callback has overtaken it. */
  readonly lags: { readonly since: number; readonly until: number }[]
  /** Whether a person has stopped new money; and until when it counts that the store was restored. */
  isPaused: boolean
  restoredUntil: number | undefined
  /** By how much reads are old, in milliseconds: more than 0 where the store breaks its contract. */
  staleBy: number
  /** Whether a person has taken an order up. */
  hasAdopted: boolean
  /** Whether status has ever shown what was so before. */
  hasLagged: boolean
  /** How many words the gateway still calls back about. */
  calling: number
  /** Whether it was judged. */
  isOver: boolean
  /** How many runs have begun. */
  runs: number
  /** The rule that was broken first. */
  broken: Broken | undefined
  /** The last look in the background, where that wrote nothing. */
  quiet: QuietLook | undefined
  now(): number
  /** When something happens next. */
  next(): number
  /** Lets something happen after so many milliseconds. */
  later(delay: number, act: () => void): void
  storeTime(): number
  marks(): Marks
  /** The fault that strikes at the next effect of a kind. */
  fault(on: Place): Fault | undefined
  /** Whether one strikes among so many next effects of a kind; and lets them pass. */
  strikes(on: Place, effects: number): boolean
  passes(on: Place, effects: number): void
  /** How long something takes, in milliseconds: the same for the same label. */
  takes(label: string, least: number, most: number): number
  /** Whether something that was not planned still may go wrong. */
  isCalm(): boolean
  accuse(broken: Broken): void
  count(what: string): void
  /** The mistake that is planted. Absent: the shipped code runs. */
  readonly mistake: Mistake | undefined
  /** Absent: nobody listens. */
  readonly say: ((text: string) => void) | undefined
}

export interface LifeOptions {
  readonly timeline: Timeline
  readonly birth: number
  readonly count: (what: string) => void
  readonly say?: ((text: string, at: number) => void) | undefined
  /** Default: none. */
  readonly mistake?: Mistake | undefined
  /** Default: every tenth payment is. */
  readonly isThorough?: boolean | undefined
}

/** Makes a life that has not begun. */
export function createLife(plan: Plan, { timeline, birth, count, say, mistake, ...options }: LifeOptions): Life {
  const { seed, payment, items, manners } = plan
  const dice = diceOf(seed, payment)
  const faults = new Map<string, Fault>()
  for (const item of items) if (item.kind === 'fault') faults.set(`${item.on}/${item.nth}`, item)
  const counts = new Map<Place, number>()
  const now = timeline.now
  const waker = createWaker(now, timeline.at)
  const { isThorough = dice('thorough') < thorough } = options
  const life: Life = {
    plan,
    isThorough,
    dice,
    birth,
    calm: calmOf(items),
    processes: Array.from({ length: processCount }, (_, nth) => createProcess(nth, now)),
    waker,
    store: createPaymentStore(now, {
      dated: due => waker.written(due),
      accuse: broken => life.accuse(broken),
      isThorough,
    }),
    books: createBooks(manners, now),
    merchant: { booked: [], called: [], running: new Map() },
    wire: new Set(),
    given: new Set(),
    unmatched: [],
    settled: new Set(),
    lookedUp: new Set(),
    lags: [],
    isPaused: false,
    restoredUntil: undefined,
    staleBy: 0,
    hasAdopted: false,
    hasLagged: false,
    calling: 0,
    isOver: false,
    runs: 0,
    broken: undefined,
    quiet: undefined,
    now,
    next: timeline.next,
    later(delay, act) {
      timeline.at(now() + delay, () => {
        if (!life.isOver) act()
      })
    },
    storeTime: now,
    marks: () => ({
      ...(life.isPaused ? { pause: { kind: 'paused', who: 'ann', why: 'a key was stolen', at: birth } as const } : {}),
      ...(life.restoredUntil === undefined ? {} : { restoredUntil: life.restoredUntil }),
    }),
    strikes(on, effects) {
      const before = counts.get(on) ?? 0
      return items.some(
        each => each.kind === 'fault' && each.on === on && each.nth > before && each.nth <= before + effects,
      )
    },
    passes: (on, effects) => void counts.set(on, (counts.get(on) ?? 0) + effects),
    fault(on) {
      life.passes(on, 1)
      const nth = counts.get(on)
      const fault = faults.get(`${on}/${nth}`)
      if (fault === undefined || life.isCalm()) return undefined
      count(`fault: ${on} ${fault.what}`)
      life.say?.(`(${on} ${nth}: ${fault.what})`)
      return fault
    },
    takes: (label, least, most) => least + Math.floor(dice(label) * (most - least)),
    isCalm: () => now() > birth + life.calm,
    accuse(broken) {
      life.say?.(`!!! ${inWords(broken)}`)
      life.broken ??= broken
    },
    count,
    mistake,
    say: say && (text => say(text, now() - birth)),
  }
  return life
}

/** The items of a kind. */
export const itemsOf = <Kind extends Item['kind']>(
  { items }: Plan,
  kind: Kind,
): readonly Extract<Item, { readonly kind: Kind }>[] =>
  items.filter((each): each is Extract<Item, { readonly kind: Kind }> => each.kind === kind)

/** A process that is up: the wanted one, or the next. */
export function processUp(life: Life, wanted: number): Process | undefined {
  const { processes } = life
  for (let step = 0; step < processes.length; step += 1) {
    const process = processes[(wanted + step) % processes.length]
    if (process !== undefined && life.now() >= process.downUntil) return process
  }
  return undefined
}
