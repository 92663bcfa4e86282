/**
 * A callback that overtakes status. Section 6 of the specification: "After a callback the merchant can fetch the final outcome with the
 * status operation"; nothing says that status knows it by then. The gateway's books have the money from the first moment.
 *
 * @module
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, payAsCustomer } from '../src/index.js'
import { startCallbackMerchant } from './callback-merchant.js'
import { call, customer, pay } from './signed-request.js'

let gateway: FakeGateway
let shop: Awaited<ReturnType<typeof startCallbackMerchant>>
beforeEach(async () => {
  gateway = createFakeGateway()
  shop = await startCallbackMerchant({ names: ['type', 'status', 'amount'] })
})
afterEach(() => Promise.all([gateway.close(), shop.close()]))

/** What status says, and what the books say at the same moment. */
async function ask(fields: Record<string, string> = {}, clientOrderId = 'o-1') {
  const { reply } = await call(gateway, 'status', { clientOrderId, ...fields })
  return `${reply['transaction-type']} ${reply.status}`
}

const books = () =>
  gateway.orders.find('o-1')?.stages.map(({ stage, amount, status }) => `${stage} ${amount} ${status}`)

const sale = async (fields: Record<string, string> = {}) =>
  (await pay(gateway, 'sale', { clientOrderId: 'o-1', notifyUrl: shop.url, ...fields })).reply['paynet-order-id'] ?? ''

const after = async (questions: number) => {
  const said: string[] = []
  for (let asked = 0; asked <= questions; asked += 1) said.push(await ask())
  return said
}

it('is known from status only after the number of questions that was set', async () => {
  gateway.faults.arm({ fault: 'callback-before-status', questions: 3 })
  await sale()
  await gateway.callbacks.idle()
  expect(shop.told).toEqual(['sale approved 10.00'])
  expect(books()).toEqual(['sale 10.00 approved'])
  expect(await after(3)).toEqual(['sale processing', 'sale processing', 'sale processing', 'sale approved'])
})

it('about a hosted form counts no question that came before its customer paid', async () => {
  gateway.faults.arm('callback-before-status')
  const form = { amount: '10.00', currency: 'EUR', ...customer, redirectUrl: `${shop.url}/back` }
  const { reply } = await call(gateway, 'saleForm', { clientOrderId: 'o-1', notifyUrl: shop.url, ...form })
  expect(await after(2)).toEqual(['sale processing', 'sale processing', 'sale processing'])
  await payAsCustomer(reply['redirect-url'] ?? '', { gateway })
  await gateway.callbacks.idle()
  expect(books()).toEqual(['sale 10.00 approved'])
  expect(await after(1)).toEqual(['sale processing', 'sale approved'])
})

it.each([
  ['correct', { status: 'declined' }, ['sale 10.00 declined'], 'sale declined'],
  ['reverse', { amount: '4.00' }, ['sale 10.00 approved', 'reversal 4.00 approved'], 'reversal approved'],
  ['charge-back', {}, ['sale 10.00 approved', 'chargeback 10.00 approved'], 'chargeback approved'],
] as const)(
  'of what a gateway does by itself leaves the old word in status: %s',
  async (action, more, booked, word) => {
    const orderId = await sale()
    await gateway.callbacks.idle()
    gateway.faults.arm({ fault: 'callback-before-status', questions: 2 })
    gateway.act({ action, orderId, ...more })
    await gateway.callbacks.idle()
    expect(shop.told).toHaveLength(2)
    expect(books()).toEqual(booked)
    expect(await after(2)).toEqual(['sale approved', 'sale approved', word])
  },
)

it('counts questions about its own order, by either id and by a serial number', async () => {
  const orderId = await sale()
  gateway.faults.arm({ fault: 'callback-before-status', operation: 'return', questions: 2 })
  const { reply } = await call(gateway, 'return', { clientOrderId: 'o-1', orderId })
  await gateway.callbacks.idle()
  await pay(gateway, 'sale', { clientOrderId: 'o-2' })
  expect(await ask({}, 'o-2')).toBe('sale approved')
  expect(await ask({ orderId })).toBe('sale approved')
  expect(await ask({ orderId, byRequestSn: reply['serial-number'] ?? '' })).toBe('reversal processing')
  expect(await ask({ orderId })).toBe('reversal approved')
  expect(gateway.calls('status').map(({ fault }) => fault)).toEqual([
    undefined,
    'callback-before-status',
    'callback-before-status',
    undefined,
  ])
})

it('is forgotten by a reset, and needs a whole number of questions', async () => {
  gateway.faults.arm({ fault: 'callback-before-status', questions: 9 })
  await sale()
  await gateway.callbacks.idle()
  gateway.reset()
  await sale()
  expect(await ask()).toBe('sale approved')
  expect(() => gateway.faults.arm({ fault: 'callback-before-status', questions: 0 })).toThrow('"questions" is 0')
  expect(() => gateway.faults.arm({ fault: 'drop', questions: 1 })).toThrow('the fault "drop" takes none')
})
