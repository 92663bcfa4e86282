import { type AnyOperation, defaultProfile, operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { formOf, type Pair } from '../../test/form-of.js'
import type { Settings } from '../config/settings.js'
import { buildRequest, requestFingerprint } from './form.js'
import { operationPlan } from './validate-request.js'

const url = 'https://shop.example/callback'
const settings = {
  baseUrl: {
    origin: 'https://gate.example',
    prefix: '/paynet',
    address: 'https://gate.example/paynet',
    isPlainHttp: false,
  },
  profile: defaultProfile,
  login: 'merchant',
  serverCallbackUrl: url,
}

/** A request as if it had been checked: these tests leave out what operations require. */
function inputOf(
  row: AnyOperation,
  { values, extra }: { readonly values: Record<string, string>; readonly extra: Record<string, string> },
) {
  const plan = operationPlan(row, defaultProfile)
  const fields = Object.entries(values).map(([field, value]) => {
    const known = plan.field(field)
    if (known === undefined) throw new Error(`the operation has no field ${field}`)
    return { name: known.name, value, field, shownAs: known.shownAs }
  })
  return { plan, request: { values: fields, extra: Object.entries(extra) } }
}

function build(row: AnyOperation, values: Record<string, string>, extra: Record<string, string> = {}) {
  const { form } = buildRequest({
    ...inputOf(row, { values, extra }),
    endpoint: { id: '39', isGroup: false },
    settings,
  })
  return form.map(({ name, value }) => `${name}=${value}`)
}

describe('the default callback address', () => {
  it('is added to a request that has such a field', () => {
    expect(build(operations.sale, { clientOrderId: 'o-1' })).toEqual([
      'client_orderid=o-1',
      `server_callback_url=${url}`,
    ])
  })

  it.each(['status', 'capture', 'createRecurringPayment'] as const)('is not added to %s, which has none', name => {
    expect(build(operations[name], {}).join()).not.toContain('callback')
  })

  it('gives way to the request’s own, in whatever form', () => {
    const own = 'https://shop.example/own'
    expect(build(operations.sale, { serverCallbackUrl: own })).toEqual([`server_callback_url=${own}`])
    expect(build(operations.sale, { notifyUrl: own })).toEqual([`notify_url=${own}`])
    expect(build(operations.payout, {}, { notify_url: own })).toEqual([`notify_url=${own}`])
  })

  it('goes with a change of an order only where the request itself has it', () => {
    const own = 'https://shop.example/own'
    for (const row of [operations.capture, operations.return, operations.void, operations.payoutPay]) {
      expect(build(row, { serverCallbackUrl: own }).at(-1)).toBe(`server_callback_url=${own}`)
      expect(build(row, {}).join()).not.toContain('server_callback_url')
    }
  })
})

describe('the base address', () => {
  it('keeps a prefix that begins with two slashes within its host', () => {
    const odd = { ...settings, baseUrl: { ...settings.baseUrl, prefix: '//elsewhere.example' } }
    const input = inputOf(operations.void, { values: {}, extra: {} })
    const built = buildRequest({ ...input, endpoint: { id: '39', isGroup: false }, settings: odd })
    expect(built).toMatchObject({ origin: 'https://gate.example', path: '//elsewhere.example/api/v2/void/39' })
  })
})

describe('the address', () => {
  it('is of the endpoint, the operation and the client of the call, whatever the last one’s were', () => {
    const [mine, other] = [
      { id: '39', isGroup: false },
      { id: '40', isGroup: false },
    ]
    const elsewhere = { ...settings, baseUrl: { ...settings.baseUrl, prefix: '/elsewhere' } }
    const pathOf = (row: AnyOperation, endpoint: typeof mine, of: typeof settings) =>
      buildRequest({ ...inputOf(row, { values: {}, extra: {} }), endpoint, settings: of }).path
    expect([
      pathOf(operations.void, mine, settings),
      pathOf(operations.void, other, settings),
      pathOf(operations.capture, other, settings),
      pathOf(operations.capture, other, elsewhere),
      pathOf(operations.void, mine, settings),
    ]).toEqual([
      '/paynet/api/v2/void/39',
      '/paynet/api/v2/void/40',
      '/paynet/api/v2/capture/40',
      '/elsewhere/api/v2/capture/40',
      '/paynet/api/v2/void/39',
    ])
  })
})

describe('extra', () => {
  it('is known for card data where its name is that of card data, whatever its separators', () => {
    const extra = { 'Credit-Card-Number': '4444444444444448', fancy: 'x' }
    const input = inputOf(operations.void, { values: {}, extra })
    const { form } = buildRequest({ ...input, endpoint: { id: '39', isGroup: false }, settings })
    expect(form.slice(1).map(({ shownAs }) => shownAs)).toEqual(['creditCardNumber', undefined])
  })
})

const path = '/paynet/api/v2/sale/39'
const baseUrl = { prefix: '/paynet' }
const keys = { profile: defaultProfile, controlKey: 'key', privateKey: undefined, login: 'm', baseUrl } as Settings
const order = { name: 'client_orderid', value: 'o-1', field: 'clientOrderId' }
const amount = { name: 'amount', value: '10.00', field: 'amount' }
const card = { name: 'credit_card_number', value: '4444444444444448', field: 'creditCardNumber' }
const of = (form: readonly Pair[], using = keys) => requestFingerprint({ path, form: formOf(form) }, using)

describe('requestFingerprint', () => {
  it('is the digest of path and fields, each after its length', () => {
    const description = { name: 'order_desc', value: 'Größe 9', field: 'orderDesc' }
    // In Python: hmac.new(sha256(b'tillkit attempt fingerprint\nkey').hexdigest().encode(), text.encode(), 'sha256'), with the
    // text '/api/v2/sale/39\n6:amount5:10.00\n14:client_orderid3:o-1\n10:order_desc7:Größe 9'.
    expect(of([order, amount, card, description])).toBe(
      '165571e6b01815704048a85634621a63f6c8a4192ae4d4c387c3bbf864e61ddb',
    )
  })

  it('does not depend on the order of values that have one name', () => {
    const extra = (value: string) => ({ name: 'note', value })
    const first = of([extra('a'), order, extra('b')])
    expect(of([extra('b'), order, extra('a')])).toBe(first)
    expect(of([extra('b'), extra('a'), order])).toBe(first)
    expect(of([extra('b'), order, extra('b')])).not.toBe(first)
  })

  it('tells forms of the same names apart by their card fields', () => {
    const named = (field: string | undefined) => [order, { name: 'number', value: '4444', field }]
    const forms = [named('creditCardNumber'), named(undefined), named('creditCardNumber')]
    const [first, second, third] = forms.map(form => of(form))
    expect(first).toBe(of([order]))
    expect(second).not.toBe(first)
    expect(third).toBe(first)
  })

  it('lets no value pass for another field', () => {
    const one = { name: 'a', value: '1\n1:b1:2', field: undefined }
    const two = [
      { name: 'a', value: '1', field: undefined },
      { name: 'b', value: '2', field: undefined },
    ]
    expect(of([one])).not.toBe(of(two))
  })

  it('does not depend on the order of fields or on the card', () => {
    expect(of([amount, order, card])).toBe(of([order, amount]))
    expect(of([order, amount, { name: 'credit-card-number', value: '1', field: 'creditCardNumber' }])).toBe(
      of([order, amount]),
    )
  })

  it('does not depend on the address that the browser comes back to', () => {
    const back = (value: string) => ({ name: 'redirect_url', value, field: 'redirectUrl' })
    expect(of([order, back('https://shop.example/return/a')])).toBe(of([order, back('https://shop.example/return/b')]))
  })

  it('depends on content, address and key', () => {
    const all = [
      of([order]),
      of([order, amount]),
      of([order], { ...keys, controlKey: 'other' }),
      requestFingerprint({ path: '/api/v2/sale/40', form: formOf([order]) }, keys),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})
