import { describe, expect, it } from 'vitest'
import { createFakeGateway } from '../src/index.js'
import { call, pay } from './signed-request.js'

for (const adapter of ['dispatcher', 'http'] as const) {
  describe(`the gateway over ${adapter}`, () => {
    it('takes a sale and tells its status', async () => {
      const gateway = createFakeGateway({ endpointId: 39, login: 'merchant', largeOrderIds: true })
      try {
        if (adapter === 'http') await gateway.listen()
        const sale = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
        expect(sale.status).toBe(200)
        expect(sale.headers['content-type']).toBe('application/vnd.pay+json')
        expect(sale.reply).toMatchObject({ type: 'async-response', 'merchant-order-id': 'o-1' })
        const orderId = sale.reply['paynet-order-id'] ?? ''
        expect(sale.text).toContain(`"paynet-order-id":${orderId}`)
        expect(BigInt(orderId) % 2n).toBe(1n)
        expect(BigInt(orderId)).toBeGreaterThan(2n ** 53n)

        const status = await call(gateway, 'status', { clientOrderId: 'o-1', orderId })
        expect(status.text).toContain(`"paynet-order-id":"${orderId}"`)
        expect(status.reply).toMatchObject({
          type: 'status-response',
          status: 'approved',
          amount: '10.00',
          currency: 'EUR',
          'transaction-type': 'sale',
          'last-four-digits': '4448',
          bin: '444444',
        })
      } finally {
        await gateway.close()
      }
    })
  })
}
