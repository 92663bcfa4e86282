/** This package. */
import { createClient } from '@tillkit/client'
import { controlKey, endpointId, login, nextOrderId, prefix, saleOf } from '../sale.js'

/** @param options More options of `createClient`, such as `observer`. */
export function tillkit(port, options = {}) {
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}${prefix}`,
    endpointId,
    login,
    controlKey,
    ...options,
  })
  return {
    send: async () => {
      const reply = await client.sale(saleOf(nextOrderId()))
      return reply.orderId
    },
    stop: () => client.close(),
  }
}

/** What this package sends for one sale: path, headers and body. */
export async function sentBytes(port) {
  let sent
  const dispatcher = {
    dispatch(options) {
      sent = options
      throw new Error('only looked at')
    },
  }
  await tillkit(port, { dispatcher })
    .send()
    .catch(() => {})
  const { path, headers, body } = sent
  return { path, headers, body: String(body) }
}
