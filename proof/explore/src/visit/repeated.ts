/** Orders that the gateway has under one id, since something has repeated a request on its way. */
import { merchantIdOf } from '../../../../packages/till/src/store/keys.js'
import type { Booked } from '../pay/gateway.js'

/** An order that is looked after. `word`: what its callback says; absent: none came. */
export interface LookedAfter {
  readonly clientOrderId: string
  readonly orderId: string
  readonly word?: string
}

/** The gateway's id of an order that a repeated request has made. */
export const repeatedId = '9'

/** The order of the books that the till has under a name. */
export const bookedAs = (
  books: readonly Booked[],
  { clientOrderId = '', orderId }: { readonly clientOrderId?: string; readonly orderId?: string | undefined },
): Booked | undefined =>
  books.find(
    each =>
      each.clientOrderId === merchantIdOf(clientOrderId) &&
      (each.orderId === repeatedId) === (clientOrderId.includes('~') && orderId === repeatedId),
  )
