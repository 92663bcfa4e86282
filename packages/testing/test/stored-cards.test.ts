/** What a card reference is good for, section 4, "create-card-ref" and "get-card-info". */
import { defineProfile } from '@tillkit/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, type FakeGatewayOptions, silentMethodCard } from '../src/index.js'
import { call, card, customer, pay } from './signed-request.js'

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway()
})

const money = { amount: '7.00', currency: 'EUR' }

async function storedCard(fields: Record<string, string> = {}): Promise<string> {
  const { reply } = await pay(gateway, 'sale', { clientOrderId: 'first', ...fields })
  const ids = { clientOrderId: 'first', orderId: reply['paynet-order-id'] ?? '' }
  return (await call(gateway, 'createCardRef', ids)).reply['card-ref-id'] ?? ''
}

/** A payment by reference, and what became of it. */
async function payBy(name: 'sale' | 'preauth', fields: Record<string, string>) {
  const answer = await call(gateway, name, { clientOrderId: 'o-1', ...money, ...customer, ...fields })
  return { ...answer, status: (await call(gateway, 'status', { clientOrderId: 'o-1' })).reply }
}

describe('a payment by card reference', () => {
  it.each(['sale', 'preauth'] as const)('is a %s with the card that was stored', async name => {
    const { status } = await payBy(name, { cardRefId: await storedCard() })
    expect(status).toMatchObject({
      status: 'approved',
      'transaction-type': name,
      amount: '7.00',
      bin: '444444',
      'last-four-digits': '4448',
      'cardholder-name': 'ADA LOVELACE',
    })
  })

  it.each([
    ['123', 'approved'],
    ['116', 'declined'],
  ])('with the CVV2 %s is %s, as one with a card', async (cvv2, word) => {
    const { status } = await payBy('sale', { cardRefId: await storedCard(), cvv2 })
    expect(status).toMatchObject({ status: word, 'transaction-type': 'sale' })
  })

  it('asks for 3DS where the card does: its holder is there', async () => {
    const cardRefId = await storedCard({ creditCardNumber: silentMethodCard, cvv2: '111' })
    const { status } = await payBy('sale', { cardRefId })
    expect(status).toMatchObject({ status: 'processing', tds_status: 'MethodUrlFrame' })
  })

  it.each([
    ['a reference that was never made', { cardRefId: '404' }, '"cardrefid" is "404", no known card reference.'],
    ['a card beside it', { cardRefId: '404', ...card }, '"cardrefid" came together with "credit_card_number". This op'],
    ['an expiry beside it', { cardRefId: '404', expireYear: '2099' }, '"expire_year" came together with "cardrefid".'],
    [
      'neither of them',
      {},
      '"credit_card_number" is missing. This operation needs either credit_card_number, card_printed_name, expire_month, expire_year and cvv2, or cardrefid.',
    ],
  ])('is refused with %s, and nothing is created', async (_what, fields, text) => {
    const answer = await call(gateway, 'sale', { clientOrderId: 'o-1', ...money, ...customer, ...fields })
    expect([answer.status, answer.reply['error-message']]).toEqual([400, expect.stringContaining(text)])
    expect(gateway.orders.list()).toEqual([])
  })
})

describe('card info', () => {
  const told = async (options: FakeGatewayOptions = {}) => {
    gateway = createFakeGateway(options)
    const { reply } = await call(gateway, 'getCardInfo', { cardRefId: await storedCard() })
    const { type: _type, 'serial-number': _serialNumber, ...fields } = reply
    return fields
  }
  const answering = (cardInfoFields: Parameters<typeof defineProfile>[0]['cardInfoFields'] = []) =>
    told({ profile: defineProfile({ cardInfoFields }) })

  it('has what the specification promises and what public pages list', async () => {
    expect(await told()).toEqual({
      'card-printed-name': 'ADA LOVELACE',
      bin: '444444',
      'last-four-digits': '4448',
      'masked-pan': '444444******4448',
      'card-type': 'VISA',
      'expire-month': '12',
      'expire-year': '2099',
    })
  })

  it('has the one or the other alone where the profile says so', async () => {
    expect(await answering(['bin', 'brand', 'maskedPan', 'expireMonth', 'expireYear'])).toEqual({
      bin: '444444',
      'card-type': 'VISA',
      'masked-pan': '444444******4448',
      'expire-month': '12',
      'expire-year': '2099',
    })
    expect(await answering(['cardPrintedName', 'bin', 'lastFourDigits', 'expireYear', 'expireMonth'])).toEqual({
      'card-printed-name': 'ADA LOVELACE',
      bin: '444444',
      'last-four-digits': '4448',
      'expire-month': '12',
      'expire-year': '2099',
    })
  })
})

describe('status', () => {
  it('finds an order by the id of the gateway alone', async () => {
    const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    const orderId = reply['paynet-order-id'] ?? ''
    const asked = await call(gateway, 'status', { orderId })
    expect(asked.reply).toMatchObject({ status: 'approved', 'merchant-order-id': 'o-1', 'paynet-order-id': orderId })
    expect((await call(gateway, 'status', {})).reply['error-message']).toContain(
      '"client_orderid" is missing. This operation needs either client_orderid, or orderid.',
    )
  })
})
