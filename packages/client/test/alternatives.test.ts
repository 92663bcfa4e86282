/** A card or a reference to one, an order by one id or the other: through the client, against the gateway in a box. */

import { defineProfile, emptyOrder, settle } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createClient, outcomeOf } from '../src/index.js'
import { saleRequest } from './sample-requests.js'

const { creditCardNumber: _, cardPrintedName: _name, expireMonth: _month, expireYear: _year, ...payer } = saleRequest
const { cvv2: _code, ...paying } = payer

async function withStoredCard(options: Parameters<typeof createFakeGateway>[0] = {}) {
  const gateway = createFakeGateway(options)
  const client = createClient({ ...gateway.clientOptions, wait: gateway.clock.wait })
  const first = { ...saleRequest, clientOrderId: 'first', cvv2: '123' }
  const { orderId } = await client.sale(first)
  const { cardRefId } = await client.createCardRef({ clientOrderId: 'first', orderId })
  return { gateway, client, cardRefId }
}

describe('a payment by card reference', () => {
  it.each([
    ['sale', 'captured'],
    ['preauth', 'held'],
  ] as const)('is a %s, and the money is %s', async (name, moneyMoved) => {
    const { client, cardRefId, gateway } = await withStoredCard()
    const request = { ...paying, cardRefId }
    const reply = await client[name](request)
    const ended = await client.awaitOutcome(outcomeOf(name, { request, reply }))
    expect(ended).toMatchObject({ kind: 'approved', moneyMoved, evidence: 'status-reply' })
    expect(gateway.orders.find('o-1')?.card).toMatchObject({ bin: '444444', lastFourDigits: '4448' })
  })

  it('is never sent with a card beside the reference, nor with neither', async () => {
    const { client, gateway, cardRefId } = await withStoredCard()
    const before = gateway.calls().length
    // @ts-expect-error both
    await expect(client.sale({ ...saleRequest, cardRefId })).rejects.toMatchObject({
      code: 'ERR_INVALID_REQUEST',
      field: 'cardRefId',
      message:
        'The sale request was not sent: "cardRefId" came together with "creditCardNumber". The operation needs either ' +
        'creditCardNumber, cardPrintedName, expireMonth, expireYear and cvv2, or cardRefId, never two of them.',
    })
    // @ts-expect-error neither
    await expect(client.sale(paying)).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field: 'creditCardNumber' })
    // What the record does not take is not smuggled in either.
    const extra = { cardrefid: cardRefId }
    await expect(client.sale({ ...saleRequest, extra })).rejects.toThrow('Set the field "cardRefId" instead')
    expect(gateway.calls()).toHaveLength(before)
  })
})

describe('card info', () => {
  it('is read from what the specification promises alone', async () => {
    const cardInfoFields = ['bin', 'brand', 'maskedPan', 'expireMonth', 'expireYear'] as const
    const { client, cardRefId } = await withStoredCard({ profile: defineProfile({ cardInfoFields }) })
    expect(await client.getCardInfo({ cardRefId })).toMatchObject({
      bin: '444444',
      brand: 'VISA',
      maskedPan: '444444******4448',
      expireMonth: '11',
      expireYear: '2083',
    })
  })
})

describe('status by the order id of the gateway alone', () => {
  it('finds the order', async () => {
    const gateway = createFakeGateway()
    const client = createClient(gateway.clientOptions)
    const { orderId } = await client.sale({ ...saleRequest, cvv2: '123' })
    expect(await client.status({ orderId })).toMatchObject({ status: 'approved', clientOrderId: 'o-1', orderId })
  })

  it('settles nothing where the reply does not echo both ids', async () => {
    const order = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
    const expected = { stages: ['sale'], amount: '10.42', currency: 'EUR' } as const
    const approved = { status: 'approved', transactionType: 'sale', amount: '10.42', currency: 'EUR' }
    const asked = async (echoed: Record<string, string>) => {
      const gateway = createFakeGateway()
      gateway.handle({ status: () => ({ ...approved, ...echoed }) })
      const reply = await createClient(gateway.clientOptions).status({ orderId: '77' })
      return settle({ order, expected, observation: { reply, askedAt: 1 } })
    }
    expect(await asked({ orderId: '77' })).toMatchObject({ kind: 'other-order' })
    expect(await asked({ clientOrderId: 'o-1' })).toMatchObject({ kind: 'other-order' })
    expect(await asked({ clientOrderId: 'o-1', orderId: '77' })).toMatchObject({ kind: 'approved' })
  })
})
