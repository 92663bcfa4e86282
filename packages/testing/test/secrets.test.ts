import { percentEncode } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'
import { assertNoSecrets, createFakeClock, createFakeGateway, describeCalls, testCard } from '../src/index.js'
import { call, card, customer, prepare, send } from './signed-request.js'

const secrets = {
  'card number': '5555555555554444',
  'other card number': testCard,
  CVV: '7391',
  expiry: '2087',
  'control key': 'control-key-C4nary',
  'token of hosted fields': 'hft-C4nary-0001',
}

/** It stands still: four digits of a CVV turn up in the time of day now and then. */
const clock = createFakeClock({ base: () => Date.UTC(2026, 10, 21) })

describe('what the fake records and answers', () => {
  it('holds no card number, CVV, expiry, control value, signature or key', async () => {
    const gateway = createFakeGateway({ controlKey: secrets['control key'], clock })
    const typed = { ...card, creditCardNumber: secrets['card number'], expireYear: '2087', cvv2: '7391' }
    const fields = { amount: '10.00', currency: 'EUR', ...customer, ...typed }
    const hostedFieldsToken = secrets['token of hosted fields']
    const sale = await prepare(gateway, 'sale', { clientOrderId: 'o-1', ...fields, hostedFieldsToken })
    const spilled = ['order_desc', `paid with ${secrets['card number']} and ${secrets['control key']}`] as const
    const texts = [
      await send(gateway, sale),
      await send(gateway, { ...sale, parameters: [...sale.parameters, [...spilled]] }),
      await send(gateway, { ...sale, parameters: [...sale.parameters, ['creditcardnumber', secrets['card number']]] }),
      await send(gateway, { ...sale, parameters: [...sale.parameters, [secrets['card number'], 'x']] }),
      await send(gateway, {
        ...sale,
        parameters: sale.parameters.map(([name, value]) => [name, name === 'email' ? 'x' : value]),
      }),
      await call(gateway, 'payout', { clientOrderId: 'o-2', ...fields }),
      await call(gateway, 'transfer', { clientOrderId: 'o-3', ...fields, destinationCardNo: testCard }),
      await call(gateway, 'panEligibilitySend', { clientOrderId: 'o-4', sendingCardNumber: testCard }),
      await call(gateway, 'createRecurringPayment', { clientOrderId: 'o-5', rpCardType: 'SRC', ...fields }),
    ]
    const stored = await call(gateway, 'createCardRef', {
      clientOrderId: 'o-1',
      orderId: texts[0]?.reply['paynet-order-id'] ?? '',
    })
    await call(gateway, 'getCardInfo', { cardRefId: stored.reply['card-ref-id'] ?? '' })
    const calls = gateway.calls()
    expect(calls).toHaveLength(11)
    expect(calls.map(({ httpStatus }) => httpStatus)).toContain(401)

    assertNoSecrets(calls, secrets)
    assertNoSecrets(describeCalls(calls), secrets)
    assertNoSecrets(
      texts.map(({ text }) => text),
      { ...secrets, 'control value': new Map(sale.parameters).get('control') ?? '?' },
    )
    const signatures = calls.flatMap(({ fields: logged }) => logged.filter(([name]) => name === 'control'))
    expect(new Set(signatures.map(([, value]) => value))).toEqual(new Set(['<control value>']))
    const sent = calls[0]?.fields ?? []
    expect(sent).toContainEqual(['credit_card_number', '555555******4444'])
    expect(sent).toContainEqual(['cvv2', '<hidden>'])
    expect(sent).toContainEqual(['hosted_fields_token', '<hidden>'])
    expect(sent).toContainEqual(['amount', '10.00'])
  })
})

describe('assertNoSecrets', () => {
  it.each([
    ['as it is', 'a 5555555555554444 b'],
    ['with spaces', 'a 5555 5555 5555 4444 b'],
    ['with invisible characters', 'a 5555\u200b5555\u00ad5555\ufeff4444 b'],
    ['percent-encoded', 'a%205555%E2%80%8B5555%2D5555%34444'],
    ['in Base64', Buffer.from('5555555555554444').toString('base64')],
    ['in Base64 after one byte', Buffer.from('x5555555555554444y').toString('base64')],
    ['in Base64 after two bytes', Buffer.from('{"5555555555554444"}').toString('base64url')],
    ['in hexadecimal', Buffer.from('5555555555554444').toString('hex')],
  ])('finds a secret %s and does not show it', (_, text) => {
    const check = () => assertNoSecrets(text, { 'card number': secrets['card number'] })
    expect(check).toThrow(/^"card number" was found/)
    expect(check).not.toThrow('5555555555554444')
  })

  it('finds a secret deep in a value, behind a property nobody lists, and in the cause of an error', () => {
    const hidden = Object.defineProperty({}, 'raw', { value: 'k3y & more', enumerable: false })
    const caused = new Error('it failed', { cause: new Error('key was k3y & more') })
    for (const value of [
      { a: [{ b: new Map([['c', 'k3y & more']]) }] },
      hidden,
      caused,
      encodeURIComponent('k3y & more'),
    ]) {
      expect(() => assertNoSecrets(value, ['k3y & more'])).toThrow('"secret 1" was found')
    }
  })

  it.each(["k'y ~1", 'k/y+1>?'])('finds %s however it was encoded', secret => {
    const texts = [
      encodeURIComponent(secret),
      percentEncode(secret),
      new URLSearchParams({ secret }).toString(),
      Buffer.from(secret).toString('hex').toUpperCase(),
      Buffer.from(`Basic:${secret}`).toString('base64url'),
    ]
    for (const text of texts) expect(() => assertNoSecrets(`… ${text} …`, [secret])).toThrow('"secret 1" was found')
    expect(() => assertNoSecrets({ body: Buffer.from(`a=${secret}`.padStart(200)) }, [secret])).toThrow('was found')
  })

  it('finds a CVV that stands alone, and not the same digits in an id or a time', () => {
    expect(() => assertNoSecrets({ cvv2: '739' }, { CVV: '739' })).toThrow('"CVV" was found')
    expect(() => assertNoSecrets('cvv2=739&x=1', { CVV: '739' })).toThrow('"CVV" was found')
    assertNoSecrets('order 9007199254739021 at 1763739000', { CVV: '739' })
  })

  it('is content with what holds none, and refuses an empty secret', () => {
    assertNoSecrets({ a: 1n, text: '555555******4444' }, secrets)
    expect(() => assertNoSecrets('', { empty: '' })).toThrow('"empty" is empty')
  })
})
