import type { StatusResponse } from '../src/records/status-response.js'

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
