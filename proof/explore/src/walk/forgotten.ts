/** The rule that nothing which matters goes from the store. */
import { mayHaveArrived } from '../../../../packages/till/src/state/attempt-rules.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { type Broken, breaks } from './rules.js'

/** Names what a write takes from a payment, and must not; undefined: nothing. Of one that was purged or moved nothing stays. */
export function forgotten(before: PaymentDocument | undefined, after: PaymentDocument): Broken | undefined {
  if (before === undefined || after.over !== undefined || after.movedTo !== undefined) return undefined
  for (const [at, { clientOrderId, stages, attempts }] of before.orders.entries()) {
    const now = after.orders[at]
    if (now === undefined || now.clientOrderId !== clientOrderId) return gone(`order ${clientOrderId}`)
    const stage = stages.find((each, place) => now.stages[place]?.stage !== each.stage)
    if (stage !== undefined) return gone(`${stage.stage} of order ${clientOrderId}`)
    const kept = new Set(now.attempts.map(({ reservation }) => reservation))
    const request = attempts.find(each => mayHaveArrived(each) && movesMoney(each) && !kept.has(each.reservation))
    if (request !== undefined) return gone(`request ${request.reservation}, which may have arrived,`)
  }
  return undefined
}

const movesMoney = ({ effect, stages }: PaymentDocument['orders'][number]['attempts'][number]): boolean =>
  effect === 'creates' || stages.length > 0

const gone = (what: string): Broken => breaks('nothing is forgotten', `${what} is kept no longer`)
