/**
 * Amounts of one currency through all of it: control value, request, status and totals count alike, whatever the profile says
 * of its digits.
 */
import { createHash } from 'node:crypto'
import { createClient, type RequestDispatcher } from '@tillkit/client'
import { defineProfile, type ProfileOverrides } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { saleRequest } from '../../client/test/sample-requests.js'
import { orderTotals } from '../src/rules/orders/totals.js'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

/** A client of a fake gateway, both with this profile, and the form bodies that went from one to the other. */
function shopWith(overrides: ProfileOverrides) {
  const gateway = createFakeGateway({ profile: defineProfile(overrides) })
  const bodies: URLSearchParams[] = []
  const dispatcher: RequestDispatcher = {
    dispatch(options, handler) {
      bodies.push(new URLSearchParams(String(options.body)))
      return gateway.dispatcher.dispatch(options, handler)
    },
  }
  const client = createClient({ ...gateway.clientOptions, dispatcher })
  opened.push(client, gateway)
  return { gateway, client, bodies }
}

const card = { ...saleRequest, cvv2: '123' }

// The digits are what a gateway would have stated; the control items are those of section 5.1.
describe.each([
  { currency: 'JPY', amount: '1000', minor: '1000', part: '400', rest: '600', overrides: {} },
  { currency: 'IDR', amount: '10000.00', minor: '1000000', part: '4000.00', rest: '6000.00', overrides: {} },
  {
    currency: 'IDR',
    amount: '10000000',
    minor: '10000000',
    part: '4000000',
    rest: '6000000',
    overrides: { currencyDigits: { IDR: 0 } },
  },
  {
    currency: 'IDR',
    amount: '10000000',
    minor: '1000000000',
    part: '4000000',
    rest: '6000000',
    overrides: { currencyDigits: { IDR: 0 }, minorUnits: 'hundredths' },
  },
  {
    currency: 'USDT',
    amount: '10.500000',
    minor: '10500000',
    part: '4.250000',
    rest: '6.250000',
    overrides: { currencyDigits: { USDT: 6 } },
  },
  {
    currency: 'BGN',
    amount: '19.56',
    minor: '1956',
    part: '9.50',
    rest: '10.06',
    overrides: { currencyDigits: { BGN: 2 } },
  },
] as const)('$amount $currency under $overrides', ({ currency, amount, minor, part, rest, overrides }) => {
  it('is signed in minor units, sent, shown by status, given back in part and added up', async () => {
    const { gateway, client, bodies } = shopWith(overrides)
    const sold = await client.sale({ ...card, amount, currency })
    const { endpointId, controlKey } = gateway.clientOptions
    const items = `${endpointId}${card.clientOrderId}${minor}${card.email}${controlKey}`
    expect(bodies[0]?.get('amount')).toBe(amount)
    expect(bodies[0]?.get('control')).toBe(createHash('sha1').update(items).digest('hex'))

    const order = { clientOrderId: card.clientOrderId, orderId: sold.orderId }
    expect(await client.status(order)).toMatchObject({ status: 'approved', amount, currency })
    const returned = await client.return({ ...order, amount: part, currency })
    const money = { stages: ['sale'], amount, currency, serialNumber: sold.serialNumber }
    const first = await client.awaitOutcome({ ...order, ...money })
    const back = { stages: ['reversal'], amount: part, currency, serialNumber: returned.serialNumber }
    const second = await client.awaitOutcome({ ...order, ...back })
    const profile = defineProfile(overrides)
    const totals = { currency, captured: amount, returned: part, returnable: rest }
    const stages = [first, second].flatMap(ended => ended.order.stages)
    expect(orderTotals({ ...second.order, stages }, profile)).toMatchObject(totals)
  })

  it('is what a planned outcome of the fake is found by', async () => {
    const { gateway, client } = shopWith(overrides)
    gateway.outcomes.plan({ outcome: 'declined', amount })
    const { orderId } = await client.sale({ ...card, amount, currency })
    expect(await client.status({ clientOrderId: card.clientOrderId, orderId })).toMatchObject({ status: 'declined' })
  })
})

describe('a currency whose digits are not declared', () => {
  it.each(['USDT', 'RUR', 'BGN'])('is refused before anything is sent, with the cure: %s', async currency => {
    const { gateway, client } = shopWith({})
    const sale = client.sale({ ...card, amount: '10.00', currency })
    await expect(sale).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field: 'currency' })
    await expect(sale).rejects.toThrow('declare its digits: defineProfile({ currencyDigits })')
    expect(gateway.calls()).toEqual([])
  })
})

describe('an amount that is longer than the ten characters of public pages', () => {
  // Section 8 of the specification: amount bounds are not shown.
  it('is taken where the profile sets no length, as by default', async () => {
    const { client } = shopWith({})
    const { orderId } = await client.sale({ ...card, amount: '10000000.00', currency: 'IDR' })
    const status = await client.status({ clientOrderId: card.clientOrderId, orderId })
    expect(status).toMatchObject({ status: 'approved', amount: '10000000.00' })
  })

  it('is refused before anything is sent where the profile sets one, with its length and both cures', async () => {
    const { gateway, client } = shopWith({ maxLengths: { amount: 10 } })
    const sale = client.sale({ ...card, amount: '10000000.00', currency: 'IDR' })
    await expect(sale).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field: 'amount' })
    await expect(sale).rejects.toThrow(
      '"amount" has 11 characters; the gateway takes 10. Where yours takes more, say so with defineProfile({ maxLengths }) ' +
        'or operationMaxLengths. Where it counts IDR without decimals, say that with ' +
        'defineProfile({ currencyDigits: { IDR: 0 } }) and write "10000000".',
    )
    expect(gateway.calls()).toEqual([])
  })

  it('says nothing of decimals that are no zeros', async () => {
    const { client } = shopWith({ maxLengths: { amount: 10 } })
    const sale = client.sale({ ...card, amount: '10000000.50', currency: 'IDR' })
    await expect(sale).rejects.toThrow(/"amount" has 11 characters.*operationMaxLengths\.$/)
  })

  it('is taken in ten characters of a currency without decimals', async () => {
    const { client } = shopWith({ maxLengths: { amount: 10 } })
    expect(await client.sale({ ...card, amount: '1000000000', currency: 'JPY' })).toHaveProperty('orderId')
    await expect(client.sale({ ...card, amount: '10000000000', currency: 'JPY' })).rejects.toThrow('has 11 characters')
  })
})
