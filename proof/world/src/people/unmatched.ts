/** Verified callbacks for orders that no request in the store is behind: the till keeps them on a list of their own. */
import type { Life, Unmatched } from '../life.js'

export function unmatchedCame(life: Life, { clientOrderId, orderId }: Unmatched): void {
  if (life.unmatched.some(each => each.orderId === orderId && each.clientOrderId === clientOrderId)) return
  life.say?.(`order ${orderId} (${clientOrderId}) stands on the list of unmatched callbacks`)
  life.unmatched = [...life.unmatched, { clientOrderId, orderId }]
}
