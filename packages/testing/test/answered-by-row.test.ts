/** Operations whose row alone says how the fake answers. Here that is every one but status. */
import type { OperationName } from '@tillkit/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFakeGateway } from '../src/index.js'
import { operationHandlers } from '../src/operations/execute.js'
import type { OperationHandler } from '../src/operations/handler.js'
import { call, card, customer } from './signed-request.js'

const handlers: Partial<Record<OperationName, OperationHandler>> = operationHandlers
const all = { ...handlers }

beforeAll(() => {
  for (const name of Object.keys(all) as OperationName[]) if (name !== 'status') delete handlers[name]
})

afterAll(() => {
  Object.assign(handlers, all)
})

const money = { amount: '10.00', currency: 'EUR' }

describe('an operation without a handler of its own', () => {
  it('makes an order with the stage of its row, and starts one on it', async () => {
    const gateway = createFakeGateway()
    const held = await call(gateway, 'preauth', { clientOrderId: 'o-1', ...money, ...customer, ...card })
    const ids = { clientOrderId: 'o-1', orderId: held.reply['paynet-order-id'] ?? '' }
    expect((await call(gateway, 'status', ids)).reply).toMatchObject({
      status: 'approved',
      'transaction-type': 'preauth',
      amount: '10.00',
    })
    const captured = await call(gateway, 'capture', { ...ids, amount: '3.00', currency: 'EUR' })
    const byRequestSn = captured.reply['serial-number'] ?? ''
    expect((await call(gateway, 'status', { ...ids, byRequestSn })).reply).toMatchObject({
      status: 'approved',
      'transaction-type': 'capture',
      amount: '3.00',
    })
    const uploaded = await call(gateway, 'uploadCresResult', { ...ids, cres: 'e30' })
    expect(uploaded).toMatchObject({ status: 200, reply: { 'paynet-order-id': ids.orderId } })
  })

  it('ends as it was planned', async () => {
    const gateway = createFakeGateway()
    gateway.outcomes.plan({ outcome: 'declined', operation: 'panEligibilitySend' })
    const sent = { clientOrderId: 'o-2', sendingCardRefId: '1' }
    expect((await call(gateway, 'panEligibilitySend', sent)).reply['paynet-order-id']).toMatch(/^\d+$/)
    expect((await call(gateway, 'status', { clientOrderId: 'o-2' })).reply.status).toBe('declined')
  })

  it('is refused where the row does not say what is replied', async () => {
    const { status, reply } = await call(createFakeGateway(), 'getCardInfo', { cardRefId: '1' })
    expect(status).toBe(500)
    expect(reply['error-message']).toContain('does not know the "bin"')
  })
})
