import { moneyMoved, readMinorUnits } from '@tillkit/protocol'
import { fromMinorUnits } from '@tillkit/signing'
import type { CallbackDelivery, OrderView, StageView } from '@tillkit/testing'
import { type GatewayState, type JournalEntry, type Order, stageOutcome } from '@tillkit/testing/gateway'
import { type CallLine, pollKey } from './find.js'
import { type Callback, callbacksOfOrder, callsOfOrder } from './orders.js'

/** One thing that happened to an order. */
export type StoryEvent = { readonly at: number } & (
  | ({ readonly kind: 'request' } & Pick<CallLine, 'call' | 'count'>)
  | { readonly kind: 'ended'; readonly stage: StageView }
  | { readonly kind: 'callback'; readonly delivery: CallbackDelivery; readonly callback: Callback }
  | { readonly kind: 'clock'; readonly milliseconds: number }
  | JournalEntry
)

/** What comes first where the clock stood still. */
const kinds: readonly StoryEvent['kind'][] = ['request', 'page', 'action', 'ended', 'fault', 'callback', 'clock']

/** Everything that happened to an order, oldest first: what the log, the journal and the clock still have of it. */
export function storyOfOrder(view: OrderView, order: Order, gateway: GatewayState): readonly StoryEvent[] {
  const { clock, journal } = gateway
  const now = clock.now()
  const callbacks = callbacksOfOrder(order.orderId, gateway)
  const events: StoryEvent[] = [
    ...callsOfOrder(order, gateway).map(call => ({ kind: 'request', at: call.at, call, count: 1 }) as const),
    ...view.stages.flatMap(stage =>
      stage.finalAt === undefined || stage.finalAt > now ? [] : [{ kind: 'ended', at: stage.finalAt, stage } as const],
    ),
    ...callbacks.flatMap(callback =>
      callback.map(delivery => ({ kind: 'callback', at: delivery.at, delivery, callback }) as const),
    ),
    ...journal.ofOrder(order.orderId),
  ]
  const [start, end] = [Math.min(...events.map(({ at }) => at)), Math.max(...events.map(({ at }) => at))]
  const jumps = clock
    .jumps()
    .filter(({ at }) => at >= start && at < end)
    .map(jump => ({ kind: 'clock', ...jump }) as const)
  const sorted = [...events, ...jumps].sort((a, b) => a.at - b.at || kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  return withoutRepetition(sorted)
}

/** Makes one event of equal status polls, and of moves of the clock, between which nothing else happened. */
function withoutRepetition(events: readonly StoryEvent[]): readonly StoryEvent[] {
  const told: StoryEvent[] = []
  for (const event of events) {
    const before = told.at(-1)
    const repeats =
      event.kind === 'request' &&
      before?.kind === 'request' &&
      event.call.operation === 'status' &&
      pollKey(event.call) === pollKey(before.call)
    if (repeats) told[told.length - 1] = { ...event, at: before.at, count: before.count + 1 }
    else if (event.kind === 'clock' && before?.kind === 'clock')
      told[told.length - 1] = { ...before, milliseconds: before.milliseconds + event.milliseconds }
    else told.push(event)
  }
  return told
}

/** What will happen by itself. */
export type Expected = { readonly at: number } & (
  | { readonly kind: 'end'; readonly stage: StageView; readonly outcome: string }
  | { readonly kind: 'repetition'; readonly delivery: CallbackDelivery }
  | { readonly kind: 'form-end' }
  | { readonly kind: 'amount'; readonly stage: StageView }
)

/** What will happen to an order by itself, the next first. */
export function expectedOfOrder(view: OrderView, order: Order, gateway: GatewayState): readonly Expected[] {
  const now = gateway.clock.now()
  const ends = view.stages.flatMap((stage, place) => {
    const { finalAt = now } = stage
    const own = order.stages[place]
    if (own === undefined || finalAt <= now) return []
    return [{ kind: 'end', at: finalAt, stage, outcome: stageOutcome(own, finalAt) } as const]
  })
  const repetitions = callbacksOfOrder(order.orderId, gateway).flatMap(callback => {
    const delivery = callback.at(-1)
    const at = delivery?.repeatsAt
    return delivery === undefined || at === undefined || at <= now
      ? []
      : [{ kind: 'repetition', at, delivery } as const]
  })
  const { formEndsAt = now } = view
  const formEnd = formEndsAt > now ? [{ kind: 'form-end', at: formEndsAt } as const] : []
  const amounts = view.stages.flatMap(stage => {
    const { amountShownAt: at = now } = stage
    return at > now ? [{ kind: 'amount', at, stage } as const] : []
  })
  return [...ends, ...repetitions, ...formEnd, ...amounts].sort((a, b) => a.at - b.at)
}

/** A sum of money of an order. */
interface MoneyTotal {
  /** `held` (still), `taken`, `paid out`, `released`, `given back`, `charged back` or `left`. */
  readonly what: string
  /** Major units. */
  readonly amount: string
}

const words = {
  held: 'held',
  captured: 'taken',
  sent: 'paid out',
  released: 'released',
  returned: 'given back',
} as const

const chargedBack = 'charged back'

/** Sums up the approved stages of an order. What is `left` is said where something was taken and not all of it stayed. */
export function totalsOfOrder(
  { currency, stages }: OrderView,
  { settings: { profile } }: Pick<GatewayState, 'settings'>,
): readonly MoneyTotal[] {
  if (currency === undefined) return []
  const sums = new Map<string, bigint>()
  for (const { stage, status, final, amount } of stages) {
    const money = moneyMoved(stage)
    if (!final || status !== 'approved' || amount === undefined || money === 'none' || money === 'unknown') continue
    const minor = readMinorUnits(amount, currency, profile) ?? 0n
    // A sale that was voided had been taken.
    const given = money === 'released' && sums.has(words.captured) ? words.returned : words[money]
    const what = stage === 'chargeback' ? chargedBack : given
    sums.set(what, (sums.get(what) ?? 0n) + minor)
  }
  const held = sums.get(words.held)
  const settled = (sums.get(words.captured) ?? 0n) + (sums.get(words.released) ?? 0n)
  if (held !== undefined && settled > 0n) {
    const ended = profile.captureEndsHold.value || settled >= held
    if (ended) sums.delete(words.held)
    else sums.set(words.held, held - settled)
  }
  const [taken = 0n, given = 0n, charged = 0n] = [words.captured, words.returned, chargedBack].map(what =>
    sums.get(what),
  )
  const back = given + charged
  if (taken > 0n && back > 0n) sums.set('left', taken - back)
  return [...sums].map(([what, minor]) => ({
    what,
    amount: fromMinorUnits(minor, currency, 'iso-4217', profile.currencyDigits.value),
  }))
}
