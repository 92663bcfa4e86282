/**
 * What the specification writes and public documents write otherwise: the fake takes both, and warns.
 *
 * Section 1 of the table of resources: "an endpoint group identifier is accepted depending on the operation", in the only path that section 4
 * shows. Section 2 spells `client_orderid`, `credit_card_number`, `card_printed_name`, `expire_month`, `expire_year`.
 *
 * @module
 */
import { defineProfile } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, type FakeGatewayOptions } from '../src/index.js'
import { call, card, customer, type Name, prepare, send } from './signed-request.js'

const money = { amount: '10.00', currency: 'EUR' }

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway()
})
afterEach(() => gateway.close())

/** A client that spells every field as section 2 does. */
const bySection2 = (): FakeGateway => ({
  ...gateway,
  clientOptions: { ...gateway.clientOptions, profile: defineProfile({ fieldNames: {} }) },
})

const warnings = () => gateway.calls().at(-1)?.warnings?.join('; ') ?? ''

const requests: [Name, Record<string, string>, string][] = [
  ['payoutCheck', { ...money, accountNumber: '12345678' }, '"client_orderid"'],
  ['createRecurringPayment', { ...money, ...card, rpCardType: 'SRC' }, '"client_orderid", "credit_card_number"'],
]

describe('fields as section 2 spells them', () => {
  it.each(requests)('are taken by %s, with a warning', async (name, fields, named) => {
    const answer = await call(bySection2(), name, { clientOrderId: 'o-1', ...fields })
    expect([answer.status, answer.reply['merchant-order-id']]).toEqual([200, 'o-1'])
    expect(warnings()).toContain(`${named}`)
    expect(warnings()).toContain('("fieldNames" of the wire profile)')
  })

  it.each(requests)('are not missed by %s, nor warned of, where the other spelling comes', async (name, fields) => {
    expect((await call(gateway, name, { clientOrderId: 'o-1', ...fields })).status).toBe(200)
    expect(warnings()).not.toContain('fieldNames')
  })

  it('make one order with the receiver, which is paid', async () => {
    const { reply } = await call(bySection2(), 'payoutCheck', { clientOrderId: 'o-1', ...requests[0]?.[1] })
    const ids = { clientOrderId: 'o-1', orderId: reply['paynet-order-id'] ?? '' }
    expect((await call(gateway, 'payoutPay', ids)).status).toBe(200)
    expect(gateway.orders.list().map(({ stages }) => stages.map(({ stage, amount }) => `${stage} ${amount}`))).toEqual([
      ['payout-check 10.00', 'payout 10.00'],
    ])
  })

  it('are refused where a profile of your own says another name', async () => {
    await gateway.close()
    const fieldNames = { PAYOUT_V4_CHECK: { clientOrderId: 'client-order-id' } }
    gateway = createFakeGateway({ profile: defineProfile({ fieldNames }) })
    const answer = await call(bySection2(), 'payoutCheck', { clientOrderId: 'o-1', ...money })
    expect(answer.reply['error-message']).toBe('"client-order-id" is missing.')
  })
})

describe('the id of an endpoint group', () => {
  const sale = { clientOrderId: 'o-1', ...money, ...customer, ...card }

  async function pay(path: string, options: FakeGatewayOptions = {}) {
    await gateway.close()
    gateway = createFakeGateway({ endpointGroupId: 19, ...options })
    const { clientOptions } = gateway
    const prepared = await prepare({ ...gateway, clientOptions: { ...clientOptions, endpointId: '19' } }, 'sale', sale)
    return send(gateway, { ...prepared, url: new URL(`${clientOptions.baseUrl.href}/api/v2/sale/${path}`) })
  }

  it('is taken in the path of section 4, with a warning, and the order is made', async () => {
    expect((await pay('19')).status).toBe(200)
    expect(warnings()).toContain('the path names the endpoint group "19" without "group/"')
    expect(gateway.orders.list().map(({ clientOrderId, endpointId }) => [clientOrderId, endpointId])).toEqual([
      ['o-1', '39'],
    ])
  })

  it('is taken behind "group/" without one', async () => {
    expect((await pay('group/19')).status).toBe(200)
    expect(warnings()).not.toContain('group')
  })

  it('is refused without "group/" where a profile of your own says that it stands there', async () => {
    const profile = defineProfile({ groupPath: { segment: 'group', without: [] } })
    const { reply } = await pay('19', { profile })
    expect(reply['error-message']).toContain('an unknown endpoint')
    expect(gateway.orders.list()).toEqual([])
  })
})
