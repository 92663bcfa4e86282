import { createClient } from '@tillkit/client'
import { memoryStore, outcomeOf, type ReceivedOutcome, type Store } from '@tillkit/protocol'
import { decodeForm } from '@tillkit/signing'
import { createFakeGateway, type FakeGateway, signedCallback, testCard } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callbackReceiver } from '../src/callbacks/receiver.js'
import { type OnOutcome, type OutcomeContext, type TellOutcomesOptions, tellOutcomes } from '../src/core.js'

const sale = {
  clientOrderId: 'o-1',
  amount: '10.00',
  currency: 'EUR',
  email: 'joan@customer.example',
  creditCardNumber: testCard,
  cardPrintedName: 'JOAN BAKER',
  expireMonth: '12',
  expireYear: '2031',
}

let gateway: FakeGateway
let store: Store
let told: (ReceivedOutcome & OutcomeContext)[]
const onOutcome: OnOutcome = (outcome, context) => void told.push({ ...outcome, ...context })
beforeEach(() => {
  gateway = createFakeGateway()
  store = memoryStore({ clock: gateway.clock.now })
  told = []
})
afterEach(() => gateway.close())

/** Sells, and waits for what comes of it. */
async function sell(cvv2: string) {
  const { clientOptions, clock } = gateway
  const client = createClient({ ...clientOptions, store, wait: milliseconds => clock.advance(milliseconds) })
  const request = { ...sale, cvv2 }
  const reply = await client.sale(request)
  const { kind: ending } = await client.awaitOutcome(outcomeOf('sale', { request, reply }), {
    deadline: clock.now() + 60_000,
  })
  return { client, orderId: reply.orderId, ending }
}

describe('tellOutcomes', () => {
  it.each([
    ['123', 'paid', 'approved'],
    ['116', 'declined', 'declined'],
  ])(
    'tells of a sale with CVV2 %s as %s, once, also when the callback comes afterwards',
    async (cvv2, kind, status) => {
      const { client, orderId } = await sell(cvv2)
      const options = { client, store, onOutcome }
      expect([await tellOutcomes('o-1', options), await tellOutcomes('o-1', options)]).toEqual(['told', 'nothing'])
      const { controlKey } = gateway.clientOptions
      const receiver = callbackReceiver({ merchant: { controlKeys: controlKey, client }, store, onOutcome })
      const callback = signedCallback({ controlKey, status, orderId, clientOrderId: 'o-1' })
      const query = callback.url('http://127.0.0.1/').search.slice(1)
      expect(await receiver.receive(decodeForm(query))).toMatchObject({ status: 200, kind: 'known' })
      expect(told).toMatchObject([
        {
          kind,
          isExpected: true,
          evidence: 'status-reply',
          reference: 'o-1',
          order: { clientOrderId: 'o-1', orderId },
        },
      ])
    },
  )

  it('tells of what a person must look at as disputed', async () => {
    gateway.handle({
      status: () => ({
        clientOrderId: 'o-1',
        status: 'approved',
        amount: '1.00',
        currency: 'EUR',
        transactionType: 'sale',
        orderId: gateway.orders.find('o-1')?.orderId ?? '',
      }),
    })
    const { client } = await sell('123')
    expect(await tellOutcomes('o-1', { client, store, onOutcome })).toBe('told')
    expect(told).toMatchObject([{ kind: 'disputed', reason: 'amount-differs', stage: { amount: '1.00' } }])
  })

  it.each([
    ['217', 'still-unknown'],
    ['321', 'needs-customer'],
  ])('tells of nothing where CVV2 %s makes a wait end as %s', async (cvv2, expected) => {
    const { client, ending } = await sell(cvv2)
    expect([ending, await tellOutcomes('o-1', { client, store, onOutcome }), told]).toEqual([expected, 'nothing', []])
  })

  it('tells of nothing where the store does not have the order', async () => {
    const { client } = await sell('123')
    expect([await tellOutcomes('o-2', { client, store, onOutcome }), told]).toEqual(['nothing', []])
  })

  it('throws what the handler throws, and tells again', async () => {
    const { client } = await sell('123')
    const away = async () => {
      throw new Error('the database is away')
    }
    await expect(tellOutcomes('o-1', { client, store, onOutcome: away })).rejects.toThrow('the database is away')
    expect(await tellOutcomes('o-1', { client, store, onOutcome })).toBe('told')
    expect(told).toHaveLength(1)
  })

  it('tells once where two jobs learn of it at once', async () => {
    const { client } = await sell('123')
    const both = [1, 2].map(() => tellOutcomes('o-1', { client, store, onOutcome }))
    expect((await Promise.all(both)).sort()).toEqual(['nothing', 'told'])
    expect(told).toHaveLength(1)
  })

  it.each([
    ['"store"', { store: undefined }],
    ['"store"', { store: { read: () => undefined } }],
    ['keeps its payments in another store', { store: memoryStore() }],
    ['createClient({ …, store })', { client: { status: async () => undefined } }],
    ['"onOutcome"', { onOutcome: undefined }],
    ['"lease"', { lease: 0 }],
    ['"lease"', { lease: '30000' }],
    ['"colour"', { colour: 'blue' }],
  ])('says that %s is wrong', async (name, wrong) => {
    const { client } = await sell('123')
    const telling = tellOutcomes('o-1', { client, store, onOutcome, ...wrong } as TellOutcomesOptions)
    await expect(telling).rejects.toThrow(TypeError)
    await expect(telling).rejects.toThrow(name)
    expect(told).toEqual([])
  })
})
