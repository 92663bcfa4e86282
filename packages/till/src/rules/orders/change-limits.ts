import { defaultProfile, readMinorUnits, type WireProfile } from '@tillkit/protocol'
import { InvalidInputError } from '@tillkit/signing'
import { type ChangeExtent, mayHaveArrived, movesMoneyOfOrder } from '../../state/attempt-rules.js'
import { isDisputed, type KnownAttempt, type KnownOrder } from '../../state/known.js'
import { hasShownEnd, shownAttempts } from './expected.js'
import { orderTotals } from './totals.js'

/** Whether the gateway took a change, and status showed by its serial number that it ended without success. */
export function changeFailed({ stages }: KnownOrder, { effect, end }: KnownAttempt): boolean {
  const { kind, serialNumber } = end ?? {}
  if (effect !== 'changes' || kind !== 'accepted' || serialNumber === undefined) return false
  const own = stages.filter(each => each.serialNumber === serialNumber)
  return (
    own.length > 0 && own.every(each => each.outcome !== undefined && each.outcome !== 'approved' && !isDisputed(each))
  )
}

/** Requests that were to give all of an order back that was left. */
export const wholeReturns = ({ attempts }: KnownOrder): readonly KnownAttempt[] =>
  attempts.filter(
    ({ operation, amount, attemptId }) =>
      (operation === 'return' || operation === 'void') &&
      (amount === undefined || /^(?:return|void)-rest:/.test(attemptId)),
  )

/**
 * An earlier change beside which another one of its kind could move more money than there is: a whole return after a part, for without
 * an amount it means all that there was at first; and a part of more than the earlier ones have left.
 * Nothing is said where totals are not known.
 *
 * @returns undefined where the change may be sent as far as amounts go.
 */
export function changeInTheWay(
  order: KnownOrder,
  change: ChangeExtent & Pick<KnownAttempt, 'currency'>,
): KnownAttempt | undefined {
  if (!movesMoneyOfOrder(change)) return undefined
  const others = order.attempts.filter(
    each =>
      movesMoneyOfOrder(each) &&
      each.stages.some(stage => change.stages.includes(stage)) &&
      mayHaveArrived(each) &&
      !changeFailed(order, each),
  )
  const last = others.at(-1)
  if (last === undefined) return undefined
  const { amount } = change
  if (amount === undefined) {
    const isReturn = change.stages.includes('reversal')
    return isReturn && others.some(each => each.amount !== undefined) ? last : undefined
  }
  const ended = new Set(shownAttempts(order).flatMap(each => (hasShownEnd(each) ? [each.attempt] : [])))
  const open = others.filter(each => !ended.has(each))
  if (open.some(each => each.amount === undefined)) return last
  return isTooMuch([amount, ...open.flatMap(each => each.amount ?? [])], { order, change }) ? last : undefined
}

/** A hold ends by no more than what was taken of it: less is never left than with any other profile. */
const profile: WireProfile = {
  ...defaultProfile,
  captureEndsHold: { ...defaultProfile.captureEndsHold, value: false },
  cancelEndsHold: { ...defaultProfile.cancelEndsHold, value: false },
}

function isTooMuch(
  amounts: readonly string[],
  { order, change }: { readonly order: KnownOrder; readonly change: ChangeExtent },
): boolean {
  const { clientOrderId = 'unnamed', stages } = order
  const totals = orderTotals({ clientOrderId, stages }, profile)
  if (totals === undefined) return false
  const minor = (amount: string) => readMinorUnits(amount, totals.currency, profile)
  const ofHold = change.stages.includes('capture') || minor(totals.captured) === 0n
  try {
    return amounts.reduce((sum, each) => sum + minor(each), 0n) > minor(ofHold ? totals.held : totals.returnable)
  } catch (error) {
    // The client says what is wrong with an amount.
    if (error instanceof InvalidInputError) return false
    throw error
  }
}
