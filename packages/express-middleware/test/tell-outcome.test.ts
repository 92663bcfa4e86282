import { createClient } from '@tillkit/client'
import { askAndSettle, emptyOrder, outcomeOf } from '@tillkit/protocol'
import { decodeForm } from '@tillkit/signing'
import { createFakeGateway, type FakeGateway, signedCallback, testCard } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callbackReceiver } from '../src/callbacks/receiver.js'
import { memoryInbox, type OutcomeContext, type ReceivedOutcome, tellOutcome, type VisitOutcomes } from '../src/core.js'

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
let told: (ReceivedOutcome & OutcomeContext)[]
let outcomes: VisitOutcomes
beforeEach(() => {
  gateway = createFakeGateway()
  told = []
  const onOutcome = (outcome: ReceivedOutcome, context: OutcomeContext) => void told.push({ ...outcome, ...context })
  outcomes = { login: gateway.clientOptions.login, inbox: memoryInbox(), onOutcome }
})
afterEach(() => gateway.close())

/** Sells, and waits for what comes of it. */
async function sell(cvv2: string) {
  const client = createClient({ ...gateway.clientOptions, wait: milliseconds => gateway.clock.advance(milliseconds) })
  const request = { ...sale, cvv2 }
  const reply = await client.sale(request)
  const question = outcomeOf('sale', { request, reply })
  return { client, question, orderId: reply.orderId, ended: await client.awaitOutcome(question) }
}

describe('tellOutcome', () => {
  it.each([
    ['123', 'paid'],
    ['116', 'declined'],
  ])('tells of a sale with CVV2 %s as %s, once, also when the callback comes afterwards', async (cvv2, kind) => {
    const { client, question, orderId, ended } = await sell(cvv2)
    expect([await tellOutcome(ended, outcomes), await tellOutcome(ended, outcomes)]).toEqual(['told', 'told'])
    const { login, controlKey } = gateway.clientOptions
    const receiver = callbackReceiver({
      merchant: { login, controlKeys: controlKey, client },
      order: () => ({ order: { ...question.order, stages: [] }, expected: question.expected }),
      inbox: outcomes.inbox,
      onOutcome: outcomes.onOutcome,
    })
    const callback = signedCallback({ controlKey, status: 'approved', orderId, clientOrderId: 'o-1' })
    const query = callback.url('http://127.0.0.1/').search.slice(1)
    expect(await receiver.receive(decodeForm(query))).toMatchObject({ status: 200, kind: 'told' })
    expect(told).toMatchObject([{ kind, isExpected: true, evidence: 'status-reply', order: { clientOrderId: 'o-1' } }])
    expect(told[0]?.observation.reply).toMatchObject({ orderId })
  })

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
    expect(await tellOutcome((await sell('123')).ended, outcomes)).toBe('told')
    expect(told).toMatchObject([{ kind: 'disputed', reason: 'amount-differs', stage: { amount: '1.00' } }])
  })

  it.each([
    ['217', 'still-unknown'],
    ['321', 'needs-customer'],
  ])('tells of nothing where CVV2 %s makes a wait end as %s', async (cvv2, ending) => {
    const { ended } = await sell(cvv2)
    expect([ended.kind, await tellOutcome(ended, outcomes), told]).toEqual([ending, 'nothing', []])
  })

  it.each([
    ['123', 'told', ['paid']],
    ['217', 'nothing', []],
  ])('tells of what one question settled after CVV2 %s: %s', async (cvv2, said, kind) => {
    const { client, question } = await sell(cvv2)
    const settlement = await askAndSettle({
      client,
      order: emptyOrder(question.order),
      expected: question.expected,
      clock: gateway.clock.now,
    })
    expect(await tellOutcome(settlement, outcomes)).toBe(said)
    expect(told.map(outcome => outcome.kind)).toEqual(kind)
  })

  it('tells of what one question found in dispute', async () => {
    const { client, question } = await sell('123')
    const expected = { stages: ['sale'], amount: '11.00', currency: 'EUR' } as const
    const settlement = await askAndSettle({
      client,
      order: emptyOrder(question.order),
      expected,
      clock: gateway.clock.now,
    })
    expect(await tellOutcome(settlement, outcomes)).toBe('told')
    expect(told).toMatchObject([{ kind: 'disputed', reason: 'amount-differs' }])
  })

  it('throws what the handler throws, and tells again', async () => {
    const { ended } = await sell('123')
    const failing = { ...outcomes, onOutcome: () => Promise.reject(new Error('the database is away')) }
    await expect(tellOutcome(ended, failing)).rejects.toThrow('the database is away')
    expect(await tellOutcome(ended, outcomes)).toBe('told')
    expect(told).toMatchObject([{ kind: 'paid', fencingToken: 2 }])
  })

  it.each([
    [undefined, 30_000],
    [500, 500],
  ])('claims an outcome for a lease of %s, which is %i ms', async (lease, expected) => {
    const { ended } = await sell('123')
    const leases: number[] = []
    const { inbox } = outcomes
    const noting: VisitOutcomes['inbox'] = {
      ...inbox,
      claim(key, options) {
        leases.push(options.lease)
        return inbox.claim(key, options)
      },
    }
    await tellOutcome(ended, { ...outcomes, inbox: noting, ...(lease === undefined ? {} : { lease }) })
    expect(leases).toEqual([expected])
  })

  it.each([
    ['"outcomes.inbox" is missing', { inbox: undefined }],
    ['"outcomes.inbox" has no method "complete"', { inbox: { ...memoryInbox(), complete: undefined } }],
    ['"outcomes.inbox" has no method "release"', { inbox: { ...memoryInbox(), release: undefined } }],
    ['outcomes.onOutcome', { onOutcome: undefined }],
    ['outcomes.lease', { lease: 0 }],
    ['outcomes.lease', { lease: '30000' }],
  ])('says %s', async (name, wrong) => {
    const { ended } = await sell('123')
    const telling = tellOutcome(ended, { ...outcomes, ...wrong } as VisitOutcomes)
    await expect(telling).rejects.toThrow(TypeError)
    await expect(telling).rejects.toThrow(name)
    expect(told).toEqual([])
  })

  it('refuses outcomes without a login, and none', async () => {
    const { ended } = await sell('123')
    await expect(tellOutcome(ended, { ...outcomes, login: '' })).rejects.toThrow('"outcomes.login"')
    await expect(tellOutcome(ended, undefined as never)).rejects.toThrow(TypeError)
  })
})
