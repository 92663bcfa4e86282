import type { StatusResponse } from '../src/operations/records/replies.js'
import type { StatusObservation } from '../src/order/types.js'

/** A status reply about order `o-1` / `77`, for tests. */
export function statusReply(fields: Partial<StatusResponse> & { readonly status: string }): StatusResponse {
  return {
    clientOrderId: 'o-1',
    orderId: '77',
    transactionType: 'sale',
    amount: '10.00',
    currency: 'EUR',
    raw: {},
    ...fields,
  }
}

/** The reply to a question about one request, as of a gateway that echoes its serial number. */
export function aboutRequest(bySerialNumber: string, { reply, askedAt }: StatusObservation): StatusObservation {
  return { reply: { byRequestSn: bySerialNumber, ...reply }, askedAt, bySerialNumber }
}
