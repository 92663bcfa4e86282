import { createHash } from 'node:crypto'
import { operations, resolveSigning, wireName } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway } from '../src/index.js'
import { card, customer, type Name, type Prepared, pay, prepare, send } from './signed-request.js'

const ids = { clientOrderId: 'o-1', orderId: '9007199254740001' }
const payment = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', ...customer }
const form = { ...payment, redirectUrl: 'http://127.0.0.1/back' }

/** What a request of an operation needs where it is not listed here. */
const values: Record<string, string> = { ...form, ...card, ...ids, cardRefId: '710001' }
const needed = ({ required }: { readonly required: readonly string[] }) =>
  Object.fromEntries(required.map(field => [field, values[field] ?? 'example']))

const { profile: ofGateway } = createFakeGateway().clientOptions
const signed = (Object.keys(operations) as Name[]).filter(
  name => resolveSigning(operations[name] as never, ofGateway).scheme === 'control',
)

/** A request of every operation that is signed with a control value. */
const requests: { readonly [Operation in Name]?: Record<string, string> } = {
  ...Object.fromEntries(signed.map(name => [name, needed(operations[name])])),
  sale: { ...payment, ...card },
  preauth: { ...payment, ...card },
  saleForm: form,
  preauthForm: form,
  paymentForm: form,
  accountVerification: { clientOrderId: 'o-1', ...customer, ...card },
  accountVerificationForm: { clientOrderId: 'o-1', ...customer, redirectUrl: 'http://127.0.0.1/back' },
  capture: { ...ids, amount: '10.00', currency: 'EUR' },
  return: { ...ids, amount: '10.00', currency: 'EUR' },
  void: ids,
  makeRebill: { clientOrderId: 'o-1', cardRefId: '710001', amount: '10.00', currency: 'EUR' },
  createCardRef: ids,
  status: ids,
  getCardInfo: { cardRefId: '710001' },
  uploadCresResult: { ...ids, cres: 'e30' },
  uploadMethodUrlResult: { ...ids, threeDSCompInd: 'Y' },
  uploadParesResult: { ...ids, paRes: 'e30' },
}

/** Values unlike the signed ones, and values one character away from them. */
const replaced: Record<string, string> = {
  endpointId: '4711',
  login: 'somebody-else',
  clientOrderId: 'another-order',
  orderId: '123456789',
  amount: '8765.43',
  currency: 'KWD',
  email: 'mallory@evil.test',
  cardRefId: '999',
}
const edited: Record<string, string> = {
  endpointId: '38',
  login: 'mercxant',
  clientOrderId: 'o_1',
  orderId: '9007199254760001',
  amount: '10.90',
  currency: 'EUS',
  email: 'ada@sh0p.test',
  cardRefId: '710201',
}
/** A currency that is none is refused as such, so an edit of one character must end in another one. */
edited.currency = 'ERN'

const cases = Object.entries(requests).flatMap(([name, fields]) => {
  const operation = name as Name
  const signing = resolveSigning(operations[operation] as never, createFakeGateway().clientOptions.profile)
  const items = signing.scheme === 'control' ? signing.items : []
  return items.map(item => ({ operation, item, fields }))
})

function alter(prepared: Prepared, operation: Name, item: string, value: string): Prepared {
  if (item === 'endpointId') {
    return { ...prepared, url: new URL(prepared.url.href.replace(/\/39$/, `/${value}`)) }
  }
  const { profile } = createFakeGateway().clientOptions
  const wire = wireName(item, { operation: operations[operation], profile })
  const parameters = prepared.parameters.map(([name, old]): [string, string] => [name, name === wire ? value : old])
  return { ...prepared, parameters }
}

const control = ({ parameters }: Prepared) => new Map(parameters).get('control') ?? ''

/** The refusal speaks of the item: a control item by name, or the endpoint of the path, which is checked before. */
const naming = (item: string) => (item === 'endpointId' ? /endpointId/ : new RegExp(`item "${item}"`))

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway()
})
afterEach(() => gateway.close())

it('covers every operation that is signed with a control value', () => {
  expect(Object.keys(requests).sort()).toEqual(signed.sort())
})

for (const [kind, values] of [
  ['another value', replaced],
  ['one character', edited],
] as const) {
  describe(`an item altered by ${kind}, the request announced`, () => {
    it.each(cases)('$operation names $item', async ({ operation, item, fields }) => {
      const prepared = await prepare(gateway, operation, fields)
      const fingerprint = createHash('sha256').update(control(prepared)).digest('hex')
      const { evidence: items } = prepared
      gateway.clientOptions.observer.signed({ operation, scheme: 'control', fingerprint, items })
      const answer = await send(gateway, alter(prepared, operation, item, values[item] ?? ''))
      expect([400, 401]).toContain(answer.status)
      expect(answer.reply['error-message']).toMatch(naming(item))
      expect(gateway.calls()[0]).toMatchObject({ verdict: 'refused', explanation: expect.stringMatching(naming(item)) })
    })
  })
}

describe('an item altered by one character, nothing announced', () => {
  it.each(cases)('$operation names $item', async ({ operation, item, fields }) => {
    const prepared = await prepare(gateway, operation, fields)
    const answer = await send(gateway, alter(prepared, operation, item, edited[item] ?? ''))
    expect([400, 401]).toContain(answer.status)
    expect(answer.reply['error-message']).toMatch(naming(item))
  })
})

it('says what was signed and what the request says', async () => {
  const prepared = await prepare(gateway, 'sale', { ...payment, ...card })
  const fingerprint = createHash('sha256').update(control(prepared)).digest('hex')
  gateway.clientOptions.observer.signed({
    operation: 'sale',
    scheme: 'control',
    fingerprint,
    items: prepared.evidence,
  })
  const answer = await send(gateway, alter(prepared, 'sale', 'amount', '11.00'))
  expect(answer.status).toBe(401)
  expect(answer.reply).toMatchObject({
    type: 'error',
    'error-message': 'Control value does not match: item "amount" was signed as "1000", the request says "1100".',
  })
  expect(answer.reply).not.toHaveProperty('paynet-order-id')
})

it('finds the order id of another order without being told', async () => {
  const first = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
  const second = await pay(gateway, 'sale', { clientOrderId: 'o-22' })
  const orderId = second.reply['paynet-order-id'] ?? ''
  const prepared = await prepare(gateway, 'status', { clientOrderId: 'o-1', orderId })
  const answer = await send(gateway, alter(prepared, 'status', 'orderId', first.reply['paynet-order-id'] ?? ''))
  expect(answer.reply['error-message']).toContain(`item "orderId": the value was made over "${orderId}"`)
})

it('names the key when everything is as it was signed', async () => {
  const other = createFakeGateway({ controlKey: 'another key altogether' })
  const prepared = await prepare(other, 'sale', { ...payment, ...card })
  const fingerprint = createHash('sha256').update(control(prepared)).digest('hex')
  const { evidence: items } = prepared
  gateway.clientOptions.observer.signed({ operation: 'sale', scheme: 'control', fingerprint, items })
  const answer = await send(gateway, prepared)
  expect(answer.reply['error-message']).toBe(
    'Control value does not match: every item is as it was signed, so it was made with another control key.',
  )
})

it('names a masked item by elimination and by search', async () => {
  const prepared = await prepare(gateway, 'sale', { ...payment, ...card })
  const fingerprint = createHash('sha256').update(control(prepared)).digest('hex')
  const items = prepared.evidence.map(({ name, value }) =>
    name === 'email' ? { name, value: 'a***@shop.test' } : { name, value },
  )
  gateway.clientOptions.observer.signed({ operation: 'sale', scheme: 'control', fingerprint, items })
  const near = await send(gateway, alter(prepared, 'sale', 'email', 'ado@shop.test'))
  expect(near.reply['error-message']).toContain('item "email": the value was made over "ada@shop.test"')
  const far = await send(gateway, alter(prepared, 'sale', 'email', 'augusta.king@shop.test'))
  expect(far.reply['error-message']).toContain('another control key was used, or a masked item differs ("email")')
})

it('never shows the control key', async () => {
  const { controlKey } = gateway.clientOptions
  const prepared = await prepare(gateway, 'sale', { ...payment, ...card })
  const altered = await send(gateway, alter(prepared, 'sale', 'email', controlKey))
  expect(altered.status).toBe(401)
  expect(JSON.stringify(gateway.calls())).not.toContain(controlKey)
})
