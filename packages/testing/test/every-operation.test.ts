import { deflateSync } from 'node:zlib'
import {
  defineProfile,
  operations,
  type ReplyRecordName,
  readReply,
  responseRecords,
  threeDSMethodData,
} from '@tillkit/protocol'
import { encodeForm } from '@tillkit/signing'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, type FakeGatewayOptions, testCard } from '../src/index.js'
import { type Answered, call, card, customer, type Name, pay } from './signed-request.js'

const money = { amount: '10.00', currency: 'EUR' }
const form = { ...money, ...customer, redirectUrl: 'http://127.0.0.1/back' }
const account = { accountNumber: 'GB33BUKB20201555555555', bankName: 'Harbour Bank' }

let count = 0
const newId = (): string => {
  count += 1
  return `e-${count}`
}

/** Sends an operation that creates an order, and asks what became of it. */
async function create(gateway: FakeGateway, name: Name, fields: Record<string, string>) {
  const clientOrderId = newId()
  const answer = await call(gateway, name, { clientOrderId, ...fields })
  expect(answer.reply['error-message']).toBeUndefined()
  expectRecord(name, answer)
  const orderId = answer.reply['paynet-order-id'] ?? ''
  return { clientOrderId, orderId, status: (await call(gateway, 'status', { clientOrderId, orderId })).reply }
}

/** The reply is the record that section 4 lists for the operation, with every field the record cannot do without. */
function expectRecord(name: Name, { status, reply }: Answered): void {
  const record = operations[name].response as Exclude<
    ReplyRecordName,
    'ValidationErrorResponse' | 'ServerErrorResponse'
  >
  expect(status).toBe(200)
  const read = readReply(reply, { record, profile: createFakeGateway().clientOptions.profile })
  expect(Object.keys(read)).toEqual(expect.arrayContaining([...responseRecords[record], 'serialNumber', 'type']))
}

async function storedCard(gateway: FakeGateway): Promise<string> {
  const clientOrderId = newId()
  const sale = await pay(gateway, 'sale', { clientOrderId })
  const fields = { clientOrderId, orderId: sale.reply['paynet-order-id'] ?? '' }
  const stored = await call(gateway, 'createCardRef', fields)
  expectRecord('createCardRef', stored)
  return stored.reply['card-ref-id'] ?? ''
}

describe('payments', () => {
  it.each(['sale', 'preauth'] as const)('%s charges or holds', async name => {
    const { status } = await create(createFakeGateway(), name, { ...money, ...customer, ...card })
    expect(status).toMatchObject({ status: 'approved', amount: '10.00', 'transaction-type': name })
  })

  it('accountVerification verifies over nothing', async () => {
    const { status } = await create(createFakeGateway(), 'accountVerification', { ...customer, ...card })
    expect(status).toMatchObject({ status: 'approved', amount: '0.00', 'transaction-type': 'account-verification' })
  })

  it.each([
    ['123', 'approved', undefined],
    ['1234', 'approved', undefined],
    ['111', 'approved', undefined],
    ['217', 'unknown', undefined],
    ['101', 'declined', 'Decline, expired card'],
    ['116', 'declined', 'Decline, insufficient funds'],
    ['119', 'declined', 'Decline, not permitted to cardholder'],
    ['209', 'declined', 'Decline, stolen card'],
    ['555', 'declined', 'Decline'],
  ])('the CVV2 %s gives %s', async (cvv2, word, message) => {
    const { status } = await create(createFakeGateway(), 'sale', { ...money, ...customer, ...card, cvv2 })
    expect(status.status).toBe(word)
    expect(status['error-message']).toBe(message)
    expect('error-code' in status).toBe(word === 'declined')
    expect('approval-code' in status).toBe(word === 'approved')
  })

  it('never makes an unknown outcome final', async () => {
    const gateway = createFakeGateway()
    const { clientOrderId } = await create(gateway, 'sale', { ...money, ...customer, ...card, cvv2: '217' })
    await gateway.clock.advance(30 * 24 * 3_600_000)
    expect((await call(gateway, 'status', { clientOrderId })).reply.status).toBe('unknown')
  })

  it.each(['saleForm', 'preauthForm', 'accountVerificationForm', 'paymentForm', 'payoutForm'] as const)(
    '%s answers with an address under the prefix',
    async name => {
      const gateway = createFakeGateway()
      const fields = name === 'accountVerificationForm' ? { ...customer, redirectUrl: form.redirectUrl } : form
      const answer = await call(gateway, name, { clientOrderId: newId(), ...fields })
      expectRecord(name, answer)
      expect(answer.reply['redirect-url']).toMatch(/^https:\/\/gateway\.test\/paynet\/form\/[0-9a-f]{32}$/)
    },
  )
})

describe('stored cards', () => {
  it('getCardInfo tells BIN, brand, last four digits and expiration', async () => {
    const gateway = createFakeGateway()
    const answer = await call(gateway, 'getCardInfo', { cardRefId: await storedCard(gateway) })
    expectRecord('getCardInfo', answer)
    expect(answer.reply).toMatchObject({
      bin: '444444',
      'last-four-digits': '4448',
      'card-type': 'VISA',
      'expire-month': '12',
      'expire-year': '2099',
      'card-printed-name': 'ADA LOVELACE',
    })
  })

  it('makeRebill charges a card reference', async () => {
    const gateway = createFakeGateway()
    const { status } = await create(gateway, 'makeRebill', { ...money, cardRefId: await storedCard(gateway) })
    expect(status).toMatchObject({ status: 'approved', amount: '10.00', 'transaction-type': 'sale', bin: '444444' })
  })

  it('createCardRefV4 also gives a subscription, which can send a transfer', async () => {
    const gateway = createFakeGateway()
    const { clientOrderId, orderId } = await create(gateway, 'sale', { ...money, ...customer, ...card })
    const stored = await call(gateway, 'createCardRefV4', { clientOrderId, orderId })
    expectRecord('createCardRefV4', stored)
    const { status } = await create(gateway, 'transfer', {
      ...money,
      cardRecurringPaymentId: stored.reply['recurring-payment-id'] ?? '',
      destinationCardNo: testCard,
    })
    expect(status).toMatchObject({ status: 'approved', 'transaction-type': 'transfer' })
  })

  it('stores equal numbers under one unique reference', async () => {
    const gateway = createFakeGateway()
    const reference = async (fields: Record<string, string>) => {
      const { clientOrderId, orderId } = await create(gateway, 'sale', { ...money, ...customer, ...card, ...fields })
      return (await call(gateway, 'createCardRef', { clientOrderId, orderId })).reply['unq-card-ref-id']
    }
    const first = await reference({})
    expect(await reference({ cardPrintedName: 'SOMEBODY ELSE' })).toBe(first)
    expect(await reference({ creditCardNumber: '5555555555554444' })).not.toBe(first)
  })

  it('refuses a card reference nobody knows, and the card of an order that has not ended', async () => {
    const gateway = createFakeGateway({ processingTime: 1_000 })
    const unknown = await call(gateway, 'getCardInfo', { cardRefId: '999' })
    expect(unknown.reply['error-message']).toBe('"cardrefid" is "999", no known card reference.')
    const { clientOrderId, orderId } = await create(gateway, 'sale', { ...money, ...customer, ...card })
    const early = await call(gateway, 'createCardRef', { clientOrderId, orderId })
    expect(early.reply['error-message']).toContain('needs an order that has ended')
  })

  it('createRecurringPayment gives an id and takes one kind of amount only', async () => {
    const gateway = createFakeGateway()
    const { cvv2: _, ...source } = card
    const fields = { currency: 'EUR', rpCardType: 'SRC', period: 'month', interval: '1', ...source }
    const answer = await call(gateway, 'createRecurringPayment', { clientOrderId: newId(), amount: '9.00', ...fields })
    expectRecord('createRecurringPayment', answer)
    const none = await call(gateway, 'createRecurringPayment', { clientOrderId: newId(), ...fields })
    expect(none.reply['error-message']).toContain('either amount, or amount-from and amount-to, or amount-sequence')
    const range = { clientOrderId: newId(), amountFrom: '1.00', amountTo: '9.00', ...fields }
    expectRecord('createRecurringPayment', await call(gateway, 'createRecurringPayment', range))
    const half = { clientOrderId: newId(), amountFrom: '1.00', ...fields }
    expect((await call(gateway, 'createRecurringPayment', half)).status).toBe(400)
  })
})

describe('payouts and transfers', () => {
  it.each([
    ['a bank account', account],
    ['a card', { creditCardNumber: testCard }],
    ['a phone number', { phone: '+447700900123' }],
    ['an ewallet, by a field of its acquirer', { wallet_id: 'W-77' }],
  ])('payout goes to %s', async (_, destination) => {
    for (const name of ['payout', 'payoutV4'] as const) {
      const { status } = await create(createFakeGateway(), name, { ...money, ...destination })
      expect(status).toMatchObject({ status: 'approved', 'transaction-type': 'payout', amount: '10.00' })
    }
  })

  it('declines the account of zeros', async () => {
    const { status } = await create(createFakeGateway(), 'payout', { ...money, accountNumber: '0000000000' })
    expect(status.status).toBe('declined')
  })

  it.each(['payout', 'payoutV4', 'payoutCheck'] as const)(
    '%s warns where it names no destination that public documents know, and refuses it with strictFields',
    async name => {
      const missing = '"account_number" or "credit_card_number" or "phone" is missing'
      const gateway = createFakeGateway()
      await create(gateway, name, money)
      expect(gateway.calls(name)[0]?.warnings).toEqual([`${missing}; public documents require it`])
      const strict = await call(createFakeGateway({ strictFields: true }), name, { clientOrderId: newId(), ...money })
      expect(strict.reply['error-message']).toContain(missing)
    },
  )

  it('payoutPay pays what payoutCheck approved, once', async () => {
    const gateway = createFakeGateway()
    const { clientOrderId, orderId, status } = await create(gateway, 'payoutCheck', { ...money, ...account })
    expect(status).toMatchObject({ status: 'approved', 'transaction-type': 'payout-check' })
    const paid = await call(gateway, 'payoutPay', { clientOrderId, orderId })
    expectRecord('payoutPay', paid)
    const after = await call(gateway, 'status', { clientOrderId })
    expect(after.reply).toMatchObject({ status: 'approved', 'transaction-type': 'payout', amount: '10.00' })
    const again = await call(gateway, 'payoutPay', { clientOrderId, orderId })
    expect(again.reply['error-message']).toBe('This payout was executed before. Nothing was paid again.')
  })

  it('payoutPay refuses a declined check and an order that is none', async () => {
    const gateway = createFakeGateway()
    const declined = await create(gateway, 'payoutCheck', { ...money, accountNumber: '0000000000' })
    const { status: _status, ...ids } = declined
    expect((await call(gateway, 'payoutPay', ids)).reply['error-message']).toContain('is not approved')
    const sale = await create(gateway, 'sale', { ...money, ...customer, ...card })
    const { status: _sale, ...other } = sale
    expect((await call(gateway, 'payoutPay', other)).reply['error-message']).toContain('no payout check')
  })

  it.each([
    ['from a card', { ...card, destinationCardNo: '5555555555554444' }],
    ['from the deposit', { deposit2card: 'true', destinationCardNo: '5555555555554444' }],
  ])('transfer goes %s', async (_, fields) => {
    const { status } = await create(createFakeGateway(), 'transfer', { ...money, ...fields })
    expect(status).toMatchObject({ status: 'approved', 'transaction-type': 'transfer' })
  })

  it('transfer takes the example of the specification, section 2, as it is: both ways to name each card', async () => {
    // Names from the specification's list of the transfer request, values from its other examples.
    const example = {
      amount: '10.00',
      card_printed_name: 'ADA LOVELACE',
      card_recurring_payment_id: '1001',
      client_orderid: 't-1',
      credit_card_number: '4444444444444448',
      currency: 'EUR',
      cvv2: '123',
      deposit2card: 'false',
      'destination-card-no': '5555555555554444',
      destination_card_recurring_payment_id: '1002',
      expire_month: '12',
      expire_year: '2099',
      ipaddress: '127.0.0.1',
      order_desc: 'A transfer',
      redirect_url: 'https://shop.example/back',
    }
    for (const deposit2card of ['false', 'true']) {
      const gateway = createFakeGateway({ strictFields: true })
      expectRecord('transfer', await call(gateway, 'transfer', { ...example, deposit2card }))
      expect(gateway.orders.list()).toMatchObject([
        { clientOrderId: 't-1', currency: 'EUR', stages: [{ stage: 'transfer', status: 'approved', amount: '10.00' }] },
      ])
    }
  })

  it('transfer refuses to go nowhere, and to a subscription that was never made', async () => {
    const gateway = createFakeGateway()
    const from = { clientOrderId: newId(), ...money, deposit2card: 'true' }
    expect((await call(gateway, 'transfer', from)).reply['error-message']).toBe(
      '"destination-card-no" or "destination_card_recurring_payment_id" is needed.',
    )
    const lost = await call(gateway, 'transfer', { ...from, destinationCardRecurringPaymentId: '1002' })
    expect(lost.reply['error-message']).toContain(
      '"destination_card_recurring_payment_id" is "1002", which was never given out.',
    )
  })

  it('transferByRef goes to a card by number or by reference', async () => {
    const gateway = createFakeGateway()
    const destinationCardRefId = await storedCard(gateway)
    await create(gateway, 'transferByRef', { ...money, destinationCardRefId })
    await create(gateway, 'transferByRef', { ...money, destinationCardNo: testCard })
  })

  it('panEligibilitySend takes a card reference or a card', async () => {
    const gateway = createFakeGateway()
    const { status } = await create(gateway, 'panEligibilitySend', { sendingCardRefId: await storedCard(gateway) })
    expect(status).toMatchObject({ status: 'approved', 'transaction-type': 'pan-eligibility' })
    expect(status).not.toHaveProperty('amount')
    await create(gateway, 'panEligibilitySend', { sendingCardNumber: testCard })
  })
})

describe('3DS', () => {
  const cres = (message: object) => Buffer.from(JSON.stringify(message)).toString('base64url')
  const pares = (word: string) => deflateSync(`<PARes><TX><status>${word}</status></TX></PARes>`).toString('base64')

  async function started(fields: Record<string, string>, options: FakeGatewayOptions = {}) {
    const gateway = createFakeGateway(options)
    const { status, ...ids } = await create(gateway, 'sale', { ...money, ...customer, ...card, ...fields })
    const upload = (name: Name, more: Record<string, string>) => call(gateway, name, { ...ids, ...more })
    const loadMethod = () => {
      const data = {
        threeDSServerTransId: status['tds-method-url-frame-3ds-server-trans-id'] ?? '',
        notificationUrl: 'http://shop.test/3ds/method',
      }
      return request(status['tds-method-url-frame-3ds-method-url'] ?? '', {
        dispatcher: gateway.dispatcher,
        method: 'POST',
        body: encodeForm([['threeDSMethodData', threeDSMethodData(data)]]),
      })
    }
    const ask = async () => (await call(gateway, 'status', ids)).reply
    return { gateway, shown: status, upload, loadMethod, status: ask }
  }

  it('walks from the method step over the challenge to approved', async () => {
    const { shown, upload, loadMethod, status } = await started({ cvv2: '321' })
    expect(shown).toMatchObject({ status: 'processing', tds_status: 'MethodUrlFrame' })
    await loadMethod()
    const threeDSServerTransID = shown['tds-method-url-frame-3ds-server-trans-id']
    expect(threeDSServerTransID).toMatch(/^[0-9a-f-]{36}$/)
    expectRecord('uploadMethodUrlResult', await upload('uploadMethodUrlResult', { threeDSCompInd: 'Y' }))
    expect(await status()).toMatchObject({ status: 'processing', tds_status: 'CReqForm' })
    expectRecord(
      'uploadCresResult',
      await upload('uploadCresResult', { cres: cres({ threeDSServerTransID, transStatus: 'Y' }) }),
    )
    const ended = await status()
    expect(ended).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' })
    expect(ended).not.toHaveProperty('tds_status')
  })

  it('declines when the challenge fails', async () => {
    const { upload, status } = await started({ cvv2: '321' })
    await upload('uploadMethodUrlResult', { threeDSCompInd: 'U' })
    await upload('uploadCresResult', { cres: cres({ transStatus: 'N' }) })
    expect(await status()).toMatchObject({ status: 'declined', 'verified-3d-status': 'NOT_AUTHENTICATED' })
  })

  it('takes Y for ten seconds after status showed the step where the profile counts from there', async () => {
    const profile = defineProfile({ methodTimeStart: 'status-reply' })
    const { gateway, upload, loadMethod, status } = await started({ cvv2: '321' }, { profile })
    await loadMethod()
    await gateway.clock.advance(10_000)
    const late = await upload('uploadMethodUrlResult', { threeDSCompInd: 'Y' })
    expect(late.status).toBe(400)
    expect(late.reply['error-message']).toContain('after 10000 ms it is "N" (section 8)')
    expect((await upload('uploadMethodUrlResult', { threeDSCompInd: 'N' })).status).toBe(200)
    expect((await status()).tds_status).toBe('CReqForm')
    const fresh = await started({ cvv2: '321' }, { profile })
    await fresh.loadMethod()
    await fresh.gateway.clock.advance(9_000)
    expect((await fresh.upload('uploadMethodUrlResult', { threeDSCompInd: 'Y' })).status).toBe(200)
  })

  it('takes a PaRes for a 3DS 1.0.2 card', async () => {
    const { shown, upload, status } = await started({ creditCardNumber: '4012001037141112', cvv2: '321' })
    expect(shown).toMatchObject({ status: 'processing', tds_status: 'PaReqForm' })
    expectRecord('uploadParesResult', await upload('uploadParesResult', { paRes: pares('Y') }))
    expect((await status()).status).toBe('approved')
    const other = await started({ creditCardNumber: '4012001037141112' })
    await other.upload('uploadParesResult', { paRes: pares('N') })
    expect((await other.status()).status).toBe('declined')
  })

  it('refuses what cannot be read, what is of another step and of another transaction, and changes nothing', async () => {
    const { upload, status } = await started({ cvv2: '321' })
    expect((await upload('uploadCresResult', { cres: 'e30' })).reply['error-message']).toContain('3DS step "method"')
    await upload('uploadMethodUrlResult', { threeDSCompInd: 'N' })
    expect((await upload('uploadCresResult', { cres: 'bm90IGpzb24' })).status).toBe(400)
    const foreign = cres({ threeDSServerTransID: 'another', transStatus: 'Y' })
    expect((await upload('uploadCresResult', { cres: foreign })).reply['error-message']).toContain(
      'another 3DS transaction',
    )
    expect((await upload('uploadParesResult', { paRes: 'AAAA' })).status).toBe(400)
    expect((await status()).tds_status).toBe('CReqForm')
  })

  it('refuses an upload for an order that does not wait for 3DS', async () => {
    const { upload } = await started({})
    expect((await upload('uploadMethodUrlResult', { threeDSCompInd: 'Y' })).reply['error-message']).toContain(
      'does not wait for 3DS',
    )
  })
})
