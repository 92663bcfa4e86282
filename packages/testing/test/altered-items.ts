/**
 * Requests signed with a control value, of which one item is altered on the way.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { operations, resolveSigning, wireName } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { createFakeGateway } from '../src/index.js'
import { card, customer, type Name, type Prepared, prepare, send } from './signed-request.js'

const ids = { clientOrderId: 'o-1', orderId: '9007199254740001' }
export const payment = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', ...customer }
const form = { ...payment, redirectUrl: 'http://127.0.0.1/back' }

/** What a request of an operation needs where it is not listed here. */
const values: Record<string, string> = { ...form, ...card, ...ids, cardRefId: '710001' }
const needed = ({ required }: { readonly required: readonly string[] }) =>
  Object.fromEntries(required.map(field => [field, values[field] ?? 'example']))

const { profile: ofGateway } = createFakeGateway().clientOptions
/** Operations that are signed with a control value. */
export const signed = (Object.keys(operations) as Name[]).filter(
  name => resolveSigning(operations[name] as never, ofGateway).scheme === 'control',
)

/** A request of each of them. */
export const requests: { readonly [Operation in Name]?: Record<string, string> } = {
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

interface AlteredItem {
  readonly operation: Name
  readonly item: string
  readonly fields: Record<string, string>
}

/** Every item of every operation. */
export const everyItem: readonly AlteredItem[] = Object.entries(requests).flatMap(([name, fields]) => {
  const operation = name as Name
  const signing = resolveSigning(operations[operation] as never, createFakeGateway().clientOptions.profile)
  const items = signing.scheme === 'control' ? signing.items : []
  return items.map(item => ({ operation, item, fields }))
})

/** Changes an item of a request that is signed already. */
export function alter(prepared: Prepared, operation: Name, item: string, value: string): Prepared {
  if (item === 'endpointId') {
    return { ...prepared, url: new URL(prepared.url.href.replace(/\/39$/, `/${value}`)) }
  }
  const { profile } = createFakeGateway().clientOptions
  const wire = wireName(item, { operation: operations[operation], profile })
  const parameters = prepared.parameters.map(([name, old]): [string, string] => [name, name === wire ? value : old])
  return { ...prepared, parameters }
}

export const control = ({ parameters }: Prepared) => new Map(parameters).get('control') ?? ''

/** The refusal speaks of the item: a control item by name, or the endpoint of the path, which is checked before. */
const naming = (item: string) => (item === 'endpointId' ? /endpointId/ : new RegExp(`item "${item}"`))

/** Defines the tests of some items: altered in two ways, each is named in the refusal. */
export function nameAlteredItems(items: readonly AlteredItem[]): void {
  for (const [kind, values] of [
    ['another value', replaced],
    ['one character', edited],
  ] as const) {
    describe(`an item altered by ${kind}, the request announced`, () => {
      it.each(items)('$operation names $item', async ({ operation, item, fields }) => {
        const gateway = createFakeGateway()
        const prepared = await prepare(gateway, operation, fields)
        const fingerprint = createHash('sha256').update(control(prepared)).digest('hex')
        gateway.clientOptions.observer.signed({ operation, scheme: 'control', fingerprint, items: prepared.evidence })
        const answer = await send(gateway, alter(prepared, operation, item, values[item] ?? ''))
        expect([400, 401]).toContain(answer.status)
        expect(answer.reply['error-message']).toMatch(naming(item))
        expect(gateway.calls()[0]).toMatchObject({
          verdict: 'refused',
          explanation: expect.stringMatching(naming(item)),
        })
      })
    })
  }
}
