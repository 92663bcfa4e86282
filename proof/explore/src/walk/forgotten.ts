/** The rule that the store loses nothing of a payment. */
import { isUnresolved, mayHaveArrived } from '../../../../packages/till/src/state/attempt-rules.js'
import { isSameDecision } from '../../../../packages/till/src/state/decision.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import type { KnownAttempt, KnownOrder } from '../../../../packages/till/src/state/known.js'
import { type Broken, breaks } from './rules.js'

/** Names what the store loses by a write; undefined: nothing. A purge leaves the ids of the orders, and that the payment is over. */
export function forgotten(before: PaymentDocument | undefined, after: PaymentDocument | undefined): Broken | undefined {
  if (before === undefined) return undefined
  const isPurged = after?.over !== undefined
  if (before.over !== undefined && !isPurged) return gone(`the end of ${before.reference}`)
  for (const [place, order] of before.orders.entries()) {
    const { clientOrderId = order.orderId } = order
    const now = after?.orders[place]
    if (now === undefined || !isSameOrder(order, now)) return gone(`order ${clientOrderId}`)
    const lost = isPurged ? undefined : lostOf(order, now)
    if (lost !== undefined) return gone(`${lost} of order ${clientOrderId}`)
  }
  const decision = before.decisions?.find(
    each => each.proposal === undefined && after?.decisions?.some(other => isSameDecision(each, other)) !== true,
  )
  return decision === undefined || isPurged ? undefined : gone(`the decision "${decision.matter.kind}"`)
}

const isSameOrder = (order: KnownOrder, now: KnownOrder): boolean =>
  order.login === now.login &&
  order.clientOrderId === now.clientOrderId &&
  (order.orderId === undefined || order.orderId === now.orderId)

function lostOf(order: KnownOrder, now: KnownOrder): string | undefined {
  const stage = order.stages.find((each, place) => {
    const { [place]: kept } = now.stages
    return kept?.stage !== each.stage || (each.outcome !== undefined && kept.outcome === undefined)
  })
  if (stage !== undefined) return stage.stage
  const request = order.attempts.find(
    each => mustStay(each) && !now.attempts.some(({ reservation }) => reservation === each.reservation),
  )
  if (request !== undefined) return `request ${request.reservation}`
  return (now.unshown?.length ?? 0) < (order.unshown?.length ?? 0) ? 'a callback that status did not show' : undefined
}

/** A request that moves no money says nothing any more once it was answered. */
const mustStay = (attempt: KnownAttempt): boolean =>
  isUnresolved(attempt) || (mayHaveArrived(attempt) && (attempt.effect === 'creates' || attempt.stages.length > 0))

const gone = (what: string): Broken => breaks('nothing is forgotten', `${what} is kept no longer`)
