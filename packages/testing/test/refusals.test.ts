import { defineProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway } from '../src/index.js'
import { call, card, customer, type Prepared, pay, prepare, send } from './signed-request.js'

const sale = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', ...customer, ...card }

/** Sends a good sale after spoiling it. */
async function spoiled(spoil: (prepared: Prepared) => Partial<Prepared>, options = {}) {
  const gateway = createFakeGateway(options)
  const prepared = await prepare(gateway, 'sale', sale)
  const answer = await send(gateway, { ...prepared, ...spoil(prepared) })
  return { gateway, answer, message: answer.reply['error-message'] }
}

const header = (name: string, value: string | undefined) => (prepared: Prepared) => {
  const { [name]: _, ...rest } = prepared.headers
  return { headers: value === undefined ? rest : { ...rest, [name]: value } }
}

const path = (from: string, to: string) => (prepared: Prepared) => ({
  url: new URL(prepared.url.href.replace(from, to)),
})

describe('a refusal', () => {
  it.each([
    ['another Accept', header('accept', 'application/json'), 406, 'it must equal "application/vnd.pay+json"'],
    ['an Accept with more in it', header('accept', 'application/vnd.pay+json, */*'), 406, 'The header "Accept" is'],
    ['no Accept', header('accept', undefined), 406, 'The header "Accept" is missing'],
    ['JSON', header('content-type', 'application/json'), 415, 'The header "Content-Type" is "application/json"'],
    ['no path prefix', path('/paynet', ''), 404, 'The path prefix "/paynet" is missing'],
    ['an unknown path', path('/sale/', '/sell/'), 404, 'No operation is at this path'],
    ['the path of another version', path('/v2/', '/v4/'), 404, 'Did you mean /api/v2/sale?'],
    ['no endpoint', path('/sale/39', '/sale'), 404, 'lacks its endpoint'],
    ['an endpoint that is no number', path('/39', '/abc'), 400, 'no 64-bit integer'],
    ['an endpoint of more than 64 bits', path('/39', '/9223372036854775808'), 400, 'no 64-bit integer'],
    ['an unknown endpoint', path('/39', '/40'), 400, 'an unknown endpoint: the one here is "39"'],
    ['an endpoint group where there is none', path('/39', '/group/39'), 400, 'option "endpointGroupId"'],
  ])('of %s', async (_, spoil, status, text) => {
    const { gateway, answer, message } = await spoiled(spoil)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('application/vnd.pay+json')
    expect(message).toContain(text)
    expect(answer.reply).toMatchObject({ type: status === 400 ? 'validation-error' : 'error' })
    expect(answer.reply['serial-number']).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.reply).not.toHaveProperty('paynet-order-id')
    expect(gateway.calls()).toMatchObject([{ verdict: 'refused', explanation: message, httpStatus: status }])
    expect((await call(gateway, 'status', { clientOrderId: 'o-1' })).status).toBe(400)
  })

  it.each([
    ['twice the same parameter', ['amount', '10.00'], 400, '"amount" is in the body more than once'],
    ['a signature in the body', ['oauth_signature', 'x'], 400, '"oauth_signature" is outside the Authorization header'],
    ['any oauth parameter in the body', ['oauth_anything', 'x'], 400, '"oauth_anything" is outside'],
    ['another login in the body', ['login', 'somebody'], 401, '"login" is "somebody"'],
  ] as const)('of %s', async (_, parameter, status, text) => {
    const { answer, message } = await spoiled(({ parameters }) => ({ parameters: [...parameters, [...parameter]] }))
    expect(answer.status).toBe(status)
    expect(message).toContain(text)
  })

  it('of an oauth parameter in the query', async () => {
    const { answer, message } = await spoiled(({ url }) => ({ url: new URL('?oauth_nonce=1', url) }))
    expect(answer.status).toBe(400)
    expect(message).toContain('"oauth_nonce" is outside')
  })

  it('of a control operation without its control value, with a hint when OAuth was sent instead', async () => {
    const without = ({ parameters }: Prepared) => parameters.filter(([name]) => name !== 'control')
    const { answer, message } = await spoiled(prepared => ({ parameters: without(prepared) }))
    expect(answer.status).toBe(401)
    expect(message).toBe('There is no "control": this operation is signed with a control value (section 5.1).')
    const other = await spoiled(prepared => ({
      parameters: without(prepared),
      headers: { ...prepared.headers, authorization: 'OAuth a="b"' },
    }))
    expect(other.message).toContain('An Authorization header does not count here.')
  })

  it('of a control value in upper case', async () => {
    const { message } = await spoiled(({ parameters }) => ({
      parameters: parameters.map(([name, value]) => [name, name === 'control' ? value.toUpperCase() : value]),
    }))
    expect(message).toContain('in another letter case')
  })

  it('names every missing field by its wire name', async () => {
    const gateway = createFakeGateway()
    const { email: _, clientOrderId: _id, ...rest } = sale
    const answer = await call(gateway, 'sale', rest)
    expect(answer.reply['error-message']).toBe('"client_orderid", "email" is missing.')
  })

  it('of a missing login where the body carries it', async () => {
    const gateway = createFakeGateway()
    const prepared = await prepare(gateway, 'void', { clientOrderId: 'o-1', orderId: '1' })
    const parameters = prepared.parameters.filter(([name]) => name !== 'login')
    const answer = await send(gateway, { ...prepared, parameters })
    expect(answer.reply['error-message']).toContain('"login" is missing')
  })

  it.each([
    ['zero', '0.00'],
    ['a comma', '10,00'],
    ['a sign', '-1.00'],
    ['too many digits', '1.001'],
    ['words', 'ten'],
  ])('of an amount with %s', async (_, amount) => {
    const gateway = createFakeGateway()
    const prepared = await prepare(gateway, 'sale', sale)
    const parameters = prepared.parameters.map(([name, value]): [string, string] => [
      name,
      name === 'amount' ? amount : value,
    ])
    const answer = await send(gateway, { ...prepared, parameters })
    expect(answer.status).toBe(400)
    expect(answer.reply['error-message']).toContain('for EUR it must look like "10.00"')
  })

  it('of an amount of more characters than the profile says', async () => {
    const sell = (gateway: FakeGateway) => pay(gateway, 'sale', { clientOrderId: 'o-1', amount: '12345678.00' })
    const profile = defineProfile({ maxLengths: { amount: 10 } })
    const refused = await sell(createFakeGateway({ profile }))
    expect(refused.reply['error-message']).toBe('"amount" has 11 characters; at most 10 are taken.')
    // Section 8 of the specification: amount bounds are not shown.
    expect((await sell(createFakeGateway())).status).toBe(200)
  })

  it('of a currency whose digits are not declared', async () => {
    const gateway = createFakeGateway()
    const prepared = await prepare(gateway, 'sale', sale)
    const parameters = prepared.parameters.map(([name, value]): [string, string] => [
      name,
      name === 'currency' ? 'USDT' : value,
    ])
    const answer = await send(gateway, { ...prepared, parameters })
    expect(answer.reply['error-message']).toContain('profile that has its digits: defineProfile({ currencyDigits })')
  })

  it("of an unknown currency, and of any but the endpoint's own", async () => {
    const gateway = createFakeGateway({ currency: 'EUR' })
    const prepared = await prepare(gateway, 'sale', sale)
    const inCurrency = (currency: string) =>
      send(gateway, {
        ...prepared,
        parameters: prepared.parameters.map(([name, value]) => [name, name === 'currency' ? currency : value]),
      })
    expect((await inCurrency('EURO')).reply['error-message']).toContain('no ISO 4217 code')
    expect((await inCurrency('USD')).reply['error-message']).toContain('the currency of this endpoint is "EUR"')
  })

  it.each([
    [
      'a card number with a typing mistake',
      { creditCardNumber: '4444444444444449' },
      '"credit_card_number" is no card number',
    ],
    ['a month that is none', { expireMonth: '13' }, '"expire_month" is no month'],
    ['a CVV2 of letters', { cvv2: 'abc' }, '"cvv2" must be three or four digits'],
  ])('of %s, which it does not repeat', async (_, fields, text) => {
    const gateway = createFakeGateway()
    const answer = await pay(gateway, 'sale', { clientOrderId: 'o-1', ...fields })
    expect(answer.status).toBe(400)
    expect(answer.reply['error-message']).toContain(text)
    expect(answer.reply['error-message']).not.toContain(Object.values(fields)[0])
  })

  it('of values longer than the profile allows', async () => {
    const gateway = createFakeGateway()
    const answer = await pay(gateway, 'sale', { clientOrderId: 'o'.repeat(129) })
    expect(answer.reply['error-message']).toBe('"client_orderid" has 129 characters; at most 128 are taken.')
  })

  it('of what only public documents require, when it is strict; a warning otherwise', async () => {
    const strict = await pay(createFakeGateway({ strictFields: true }), 'sale', { clientOrderId: 'o-1' })
    expect(strict.status).toBe(400)
    expect(strict.reply['error-message']).toContain(
      '"address1", "city", "zip_code", "country", "order_desc", "phone" is missing',
    )
    const gateway = createFakeGateway()
    expect((await pay(gateway, 'sale', { clientOrderId: 'o-1' })).status).toBe(200)
    expect(gateway.calls()[0]?.warnings).toContain('"phone" is missing; public documents require it')
  })
})

describe('amounts and identifiers that are fine', () => {
  it.each([
    ['10.5', 'EUR', '10.50'],
    ['1000', 'JPY', '1000'],
    ['1.250', 'KWD', '1.250'],
  ])('takes %s %s', async (amount, currency, shown) => {
    const gateway = createFakeGateway()
    const exact = await prepare(gateway, 'sale', { ...sale, amount: shown, currency })
    const parameters = exact.parameters.map(([name, value]): [string, string] => [
      name,
      name === 'amount' ? amount : value,
    ])
    expect((await send(gateway, { ...exact, parameters })).status).toBe(200)
    expect((await call(gateway, 'status', { clientOrderId: 'o-1' })).reply).toMatchObject({ amount: shown, currency })
  })

  it('takes an endpoint of 63 bits and an endpoint group', async () => {
    const gateway = createFakeGateway({ endpointId: 9223372036854775807n, endpointGroupId: 7 })
    const prepared = await prepare(gateway, 'status', { clientOrderId: 'o-1' })
    expect((await pay(gateway, 'sale', { clientOrderId: 'o-1' })).status).toBe(200)
    const url = new URL(prepared.url.href.replace('9223372036854775807', 'group/7'))
    expect((await send(gateway, { ...prepared, url })).reply.status).toBe('approved')
  })

  it('ignores white space around values, as the service does', async () => {
    const gateway = createFakeGateway()
    const prepared = await prepare(gateway, 'sale', sale)
    const parameters = prepared.parameters.map(([name, value]): [string, string] => [name, ` ${value} `])
    expect((await send(gateway, { ...prepared, parameters })).status).toBe(200)
    expect((await call(gateway, 'status', { clientOrderId: 'o-1' })).status).toBe(200)
  })
})
