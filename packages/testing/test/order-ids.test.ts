import { describe, expect, it } from 'vitest'
import { createFakeGateway } from '../src/index.js'
import { call, pay } from './signed-request.js'

describe('order ids', () => {
  it('have seven digits, as observed, so that JSON.parse keeps them', async () => {
    for (const seed of ['tillkit', '1', '2', '3']) {
      const { text } = await pay(createFakeGateway({ seed }), 'sale', { clientOrderId: 'o-1' })
      const parsed = JSON.parse(text) as Record<string, unknown>
      expect(String(parsed['paynet-order-id'])).toBe(/"paynet-order-id":(\d+)/.exec(text)?.[1])
      expect(String(parsed['paynet-order-id'])).toMatch(/^\d{7}$/)
    }
  })

  it('are above 2^53 on request, and a question about the number that JSON.parse made of one is answered with the cause', async () => {
    const gateway = createFakeGateway({ largeOrderIds: true })
    const { text, reply } = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    const orderId = reply['paynet-order-id'] ?? ''
    const parsed = String((JSON.parse(text) as Record<string, unknown>)['paynet-order-id'])
    expect(BigInt(orderId)).toBeGreaterThan(2n ** 53n)
    expect(parsed).not.toBe(orderId)

    const lost = await call(gateway, 'status', { clientOrderId: 'o-1', orderId: parsed })
    expect(lost.reply['error-message']).toBe(
      `There is no order with orderid "${parsed}" and merchant order id "o-1". There is order ${orderId}, which JSON.parse ` +
        `turns into ${parsed}: a JavaScript number cannot hold it. Read order ids as text, with all their digits.`,
    )
    expect((await call(gateway, 'status', { clientOrderId: 'o-1', orderId })).status).toBe(200)
  })

  it('of other merchants are never told, nor those that are merely near', async () => {
    const gateway = createFakeGateway({
      largeOrderIds: true,
      merchants: [
        { login: 'north', endpoints: [11] },
        { login: 'south', endpoints: [21] },
      ],
    })
    const north = { ...gateway, clientOptions: gateway.clientOptionsFor({ login: 'north', endpointId: '11' }) }
    const south = { ...gateway, clientOptions: gateway.clientOptionsFor({ login: 'south', endpointId: '21' }) }
    if (!('endpointId' in north.clientOptions) || !('endpointId' in south.clientOptions)) throw new Error('no endpoint')
    const { reply } = await pay(north as typeof gateway, 'sale', { clientOrderId: 'o-1' })
    const orderId = reply['paynet-order-id'] ?? ''
    const rounded = String(Number(orderId))
    const other = await call(south as typeof gateway, 'status', { clientOrderId: 'o-1', orderId: rounded })
    expect(other.reply['error-message']).toBe(
      `There is no order with orderid "${rounded}" and merchant order id "o-1".`,
    )
    const near = String(BigInt(orderId) + 16n)
    const unrelated = await call(north as typeof gateway, 'status', { clientOrderId: 'o-1', orderId: near })
    expect(unrelated.reply['error-message']).toBe(
      `There is no order with orderid "${near}" and merchant order id "o-1".`,
    )
  })
})
