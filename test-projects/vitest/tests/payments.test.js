import { createClient } from '@tillkit/client'
import { testCard, useFakeGateway } from '@tillkit/testing'
import { gatewayMatchers } from '@tillkit/testing/vitest'
import { memoryStore } from '@tillkit/till'
import { storeConformance } from '@tillkit/till/conformance'
import { afterAll, afterEach, describe, expect, it } from 'vitest'

expect.extend(gatewayMatchers)

const gateway = useFakeGateway({ afterEach, afterAll })
const client = createClient(gateway.clientOptions)
const card = { creditCardNumber: testCard, cardPrintedName: 'ADA', expireMonth: '12', expireYear: '2099', cvv2: '123' }
const order = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', email: 'ada@shop.example' }
const ids = []

describe('a shop', () => {
  // The second finds nothing of the first, and is told the same ids.
  it.each([1, 2])('charges once, time %i', async () => {
    expect(gateway).toHaveMovedMoney([])
    ids.push((await client.sale({ ...order, ...card })).orderId)
    expect(gateway).toHaveReceived('sale', { times: 1, fields: { clientOrderId: 'o-1' } })
    expect(gateway).toHaveMovedMoney([{ clientOrderId: 'o-1', money: 'captured', amount: '10.00' }])
    expect(gateway).toHaveOrder('o-1', { status: 'approved' })
    expect(gateway).not.toHaveOrder('o-2')
    expect(gateway).toHaveRefusedNothing()
    expect(gateway.calls()).toHoldNoSecrets({ 'card number': testCard })
    expect(new Set(ids).size).toBe(1)
  })

  it('does not take a lost answer for a refusal', async () => {
    gateway.faults.arm('commit-then-drop')
    await expect(client.sale({ ...order, ...card })).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    await expect(Promise.resolve(gateway)).resolves.toHaveMovedMoney([{ clientOrderId: 'o-1' }])
  })

  it('reaches this machine', async () => {
    expect(await fetch('http://127.0.0.1:65535/').catch(({ cause }) => cause.code)).toBe('ECONNREFUSED')
  })

  it('finds nothing wrong with a store that conforms', async () => {
    expect(await storeConformance(() => ({ store: memoryStore() }))).toEqual([])
  }, 60_000)

  it('finds that another process has a memory of its own', async () => {
    const elsewhere = { module: new URL('./open-store.mjs', import.meta.url), data: { clock: 'system' } }
    const only = [
      'reads nothing under a key that was never written',
      'loses no write of many who count on one document',
    ]
    const problems = await storeConformance(() => ({ store: memoryStore(), elsewhere }), { only })
    expect(problems.map(problem => problem.split(':')[0])).toEqual([only[1]])
  }, 60_000)
})

// Fixtures make vitest read what its hooks are written like.
const withFixture = it.extend({
  shop: async ({ task }, use) => use(`shop of ${task.name}`),
})
withFixture('works beside fixtures', ({ shop }) => {
  expect(shop).toBe('shop of works beside fixtures')
})
