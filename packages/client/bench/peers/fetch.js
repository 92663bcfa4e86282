/** What one writes by hand: the form, the control value, `fetch`, and the answer as JSON. */
import { createHash } from 'node:crypto'
import { wireNames } from '@tillkit/protocol'
import { controlKey, endpointId, nextOrderId, prefix, saleOf } from '../sale.js'

export function handWrittenFetch(port) {
  const url = `http://127.0.0.1:${port}${prefix}/api/v2/sale/${endpointId}`
  return {
    send: async () => {
      const sale = saleOf(nextOrderId())
      const form = new URLSearchParams()
      for (const [field, value] of Object.entries(sale)) form.append(wireNames[field], value)
      const cents = sale.amount.replace('.', '')
      const text = `${endpointId}${sale.clientOrderId}${cents}${sale.email}${controlKey}`
      form.append('control', createHash('sha1').update(text).digest('hex'))
      const response = await fetch(url, {
        method: 'POST',
        headers: { accept: 'application/vnd.pay+json' },
        body: form,
      })
      const reply = await response.json()
      return reply['paynet-order-id']
    },
    stop: async () => {},
  }
}
