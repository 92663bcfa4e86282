import { type AnyOperation, defaultProfile, operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { buildRequest } from './build-request.js'
import { operationPlan } from './operation-plan.js'

const url = 'https://shop.example/callback'
const settings = {
  baseUrl: {
    origin: 'https://gate.example',
    prefix: '/paynet',
    address: 'https://gate.example/paynet',
    isLoopback: false,
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
  const ids = { clientOrderId: undefined, orderId: undefined }
  return { row, plan, request: { values: fields, ...ids, extra: Object.entries(extra), minorUnits: '' } }
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
    expect(built.address).toEqual({ origin: 'https://gate.example', path: '//elsewhere.example/api/v2/void/39' })
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
      buildRequest({ ...inputOf(row, { values: {}, extra: {} }), endpoint, settings: of }).address.path
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
