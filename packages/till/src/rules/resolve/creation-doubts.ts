import type { Attempt, StageName, StatusSnapshot } from '@tillkit/protocol'
import { compareAmounts, sameAmount } from '@tillkit/signing'

/** Why the order need not be this attempt's; `because` completes "status knows an order, and …". */
export interface CreationDoubt {
  readonly reason: 'not-shown' | 'another-request'
  readonly because: string
}

/**
 * Which stages may come after the one that made an order. Status shows the latest stage only, so these say that there was
 * an order of that kind; a stage that is not listed was made by another request.
 */
const mayFollow: { readonly [Original in StageName]?: readonly StageName[] } = {
  sale: ['reversal', 'cancel', 'void', 'chargeback'],
  preauth: ['capture', 'cancel', 'void', 'reversal', 'chargeback'],
  payout: ['reversal', 'cancel', 'void'],
  'payout-check': ['payout', 'reversal', 'cancel', 'void'],
  transfer: ['reversal', 'cancel', 'void'],
  verification: ['cancel', 'void'],
}

/**
 * Judges whether the order that was found may be none of this attempt's.
 *
 * Its first stage is over the very amount; what came later is over no more than that, and in the same currency.
 *
 * @returns undefined when it is the attempt's.
 */
export function doubtsAboutCreation(
  attempt: Pick<Attempt, 'stages' | 'amount' | 'currency'>,
  { stage, amount, currency }: StatusSnapshot,
): CreationDoubt | undefined {
  const { stages } = attempt
  // If the profile says that status finds subscriptions, any stage that it shows will do.
  const isKnownKind = stages.length > 0
  if (isKnownKind && stage === 'unrecognized') {
    return {
      reason: 'not-shown',
      because: 'shows a stage that the wire profile does not know: see "stages" of defineProfile',
    }
  }
  const isFirst = stage !== undefined && stages.includes(stage)
  const mayBeLater = stage === undefined || stages.some(each => mayFollow[each]?.includes(stage))
  if (isKnownKind && !isFirst && !mayBeLater) return anothers(`it is a ${stage}`)
  if (attempt.currency !== undefined && currency !== undefined && attempt.currency !== currency) {
    return anothers('it is in another currency')
  }
  if (attempt.amount === undefined || amount === undefined) return undefined
  return fits(attempt.amount, { amount, isFirst }) ? undefined : anothers('it is over another amount')
}

function fits(ours: string, { amount, isFirst }: { readonly amount: string; readonly isFirst: boolean }): boolean {
  // A text that cannot be read as an amount is not even the same as itself.
  const isReadable = sameAmount(ours, ours) && sameAmount(amount, amount)
  return isReadable && (isFirst ? sameAmount(amount, ours) : compareAmounts(amount, ours) <= 0)
}

const anothers = (what: string): CreationDoubt => ({
  reason: 'another-request',
  because: `${what}: another request made it, and this one may have been refused for it or have made another order`,
})
