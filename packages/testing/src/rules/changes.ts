/**
 * The six rules for transactions, interface specification section 3. Pure: an order and a wish go in, the stage that carries
 * it out comes back, or the request is refused.
 *
 * @module
 */
import type { StageName, WireProfile } from '@tillkit/protocol'
import { isApproved, type Order, type Stage, stageAmount, stageOutcome } from '../orders/order.js'
import { refuse } from '../replies/refusal.js'

export interface ChangeWish {
  readonly order: Order
  /** Minor units; undefined for the whole. */
  readonly amount: bigint | undefined
  readonly now: number
  readonly profile: Pick<WireProfile, 'captureEndsHold' | 'cancelEndsHold' | 'saleIsSettled'>
  /** Writes minor units for messages. */
  readonly text: (amount: bigint) => string
}

export interface AllowedChange {
  readonly stage: StageName
  /** Minor units. */
  readonly amount: bigint
}

/** Rule 1: a capture settles a hold, in part or whole. @throws {@link RefusedRequest} when there is no hold to settle. */
export function allowCapture(wish: ChangeWish): AllowedChange {
  const first = original(wish, 'capture')
  if (first.stage !== 'preauth') {
    forbid(`A capture settles a preauth, and this order is a ${first.stage} (section 3, rule 1).`)
  }
  const hold = holdFor(wish, 'capture')
  const amount = wish.amount ?? hold
  if (amount > hold) {
    forbid(`The capture of ${wish.text(amount)} is above the hold of ${wish.text(hold)} (section 3, rule 1).`)
  }
  return { stage: 'capture', amount }
}

/** Rule 2: void takes back what is authorized and not settled, whole. @throws {@link RefusedRequest} otherwise. */
export function allowVoid(wish: ChangeWish): AllowedChange {
  const first = original(wish, 'void operation')
  if (wish.amount !== undefined) {
    forbid('The void operation has no amount: it releases the whole (section 3, rule 2).')
  }
  if (first.stage === 'preauth') return { stage: 'void', amount: holdFor(wish, 'void operation') }
  if (first.stage !== 'sale') {
    forbid(`The void operation is for a preauth, and this order is a ${first.stage} (section 3, rule 2).`)
  }
  if (wish.profile.saleIsSettled.value) {
    forbid('A sale is settled, so it cannot be voided: use the return operation (section 3, rules 2 and 6).')
  }
  const untouched = wish.order.stages.every(stage => stage === first || stageOutcome(stage, wish.now) === 'declined')
  if (!untouched) forbid('The sale was voided or returned before (section 3, rule 2).')
  return { stage: 'void', amount: first.amount ?? 0n }
}

/** Rules 3 to 5: return releases the hold of a preauth (cancel), and gives money of a sale or a capture back (reversal). */
export function allowReturn(wish: ChangeWish): AllowedChange {
  const first = original(wish, 'return operation')
  if (first.stage !== 'sale' && first.stage !== 'preauth') {
    forbid(`A ${first.stage} cannot be returned: only a sale, a preauth or a capture (section 3, rule 3).`)
  }
  const captured = sum(wish, ['sale', 'capture'])
  if (first.stage === 'preauth' && captured === 0n) return cancel(wish)
  const returned = sumReturned(wish, first)
  const left = captured - returned
  const amount = wish.amount ?? captured
  if (amount > left) {
    const advice = wish.amount === undefined && left > 0n ? ' Without an amount it means the whole; name the rest.' : ''
    forbid(
      `The return of ${wish.text(amount)} is above what is left: ${wish.text(captured)} captured, ` +
        `${wish.text(returned)} returned (section 3, rule 4).${advice}`,
    )
  }
  return { stage: 'reversal', amount }
}

/**
 * What the gateway's own people may give back, and the cardholder's bank may take back: at most what is left of it. Of a hold that
 * nothing was captured of, a reversal is a cancel.
 */
export function allowUnasked(wish: ChangeWish, stage: 'reversal' | 'chargeback'): AllowedChange {
  const first = original(wish, stage)
  const captured = sum(wish, ['sale', 'capture'])
  if (stage === 'reversal' && first.stage === 'preauth' && captured === 0n) return cancel(wish)
  const left = captured - sumReturned(wish, first)
  const amount = wish.amount ?? left
  if (left > 0n && amount <= left) return { stage, amount }
  forbid(`The ${stage} of ${wish.text(amount)} is above what is left: ${wish.text(left)}.`)
}

/** A payout that was checked is executed once. @throws {@link RefusedRequest} otherwise. */
export function allowPayout({ order, now }: Pick<ChangeWish, 'order' | 'now'>): Pick<Stage, 'stage' | 'amount'> {
  const [check] = order.stages
  if (check.stage !== 'payout-check') forbid(`This order is a ${check.stage}, no payout check.`)
  if (!isApproved(check, now)) forbid('The payout check is not approved, so nothing is paid.')
  if (order.stages.length > 1) forbid('This payout was executed before. Nothing was paid again.')
  return { stage: 'payout', amount: check.amount }
}

function cancel(wish: ChangeWish): AllowedChange {
  const hold = holdFor(wish, 'return operation')
  const amount = wish.amount ?? hold
  if (amount > hold) {
    forbid(`The return of ${wish.text(amount)} is above the hold of ${wish.text(hold)} (section 3, rule 3).`)
  }
  if (amount < hold && wish.profile.cancelEndsHold.value) {
    forbid(
      `The return of a preauth cancels the whole hold of ${wish.text(hold)}, not ${wish.text(amount)} of it ` +
        '("cancelEndsHold" of the wire profile). Leave amount and currency out.',
    )
  }
  return { stage: 'cancel', amount }
}

function forbid(message: string): never {
  refuse('not-allowed', message)
}

/** Rule 5, taken for every change: the original must be in a final successful status. */
function original({ order, now }: ChangeWish, what: string): Stage {
  const [first] = order.stages
  const word = stageOutcome(first, now)
  if (word !== 'approved') {
    forbid(`The ${what} needs an approved original, and this ${first.stage} is ${word} (section 3, rule 5).`)
  }
  return first
}

/**
 * What is still held. A change under way counts as done, or two of them could take the same money. What a partial change
 * leaves is still held, unless the profile says that any capture, or any cancel, ends the hold.
 */
function remainingHold(wish: ChangeWish): bigint {
  const { captureEndsHold, cancelEndsHold } = wish.profile
  const has = (...names: readonly StageName[]): boolean => started(wish, names).length > 0
  if (has('void') || (captureEndsHold.value && has('capture')) || (cancelEndsHold.value && has('cancel'))) return 0n
  return sum(wish, ['preauth']) - sumStarted(wish, ['capture', 'cancel'])
}

/** What was given back. The void of a hold gives back nothing: nothing had been taken. */
const sumReturned = (wish: ChangeWish, first: Stage): bigint =>
  sumStarted(wish, ['reversal', 'chargeback', ...(first.stage === 'sale' ? (['void'] as const) : [])])

function holdFor(wish: ChangeWish, what: string): bigint {
  const hold = remainingHold(wish)
  if (hold !== 0n) return hold
  const by = [...new Set(started(wish, ['void', 'cancel', 'capture']).map(({ stage }) => stage))].join(' and ')
  forbid(`The ${what} finds no hold: it was ended by ${by} (section 3, rules 1 and 2).`)
}

const started = ({ order, now }: ChangeWish, names: readonly StageName[]): readonly Stage[] =>
  order.stages.filter(
    stage => names.includes(stage.stage) && !['declined', 'filtered', 'error'].includes(stageOutcome(stage, now)),
  )

const total = (stages: readonly Stage[]): bigint => stages.reduce((all, { amount }) => all + (amount ?? 0n), 0n)

const sumStarted = (wish: ChangeWish, names: readonly StageName[]): bigint => total(started(wish, names))

const sum = ({ order, now }: ChangeWish, names: readonly StageName[]): bigint =>
  total(order.stages.filter(stage => names.includes(stage.stage) && isApproved(stage, now)))

export const changeWish = (
  order: Order,
  amount: bigint | undefined,
  { profile, now }: { readonly profile: WireProfile; readonly now: number },
): ChangeWish => ({
  order,
  amount,
  now,
  profile,
  text: minor => stageAmount(order, { amount: minor }, profile) ?? String(minor),
})
