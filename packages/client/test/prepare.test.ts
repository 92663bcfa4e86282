/** A request that is checked and built first, and sent by a program with a book of its own. Counted in the fake's books. */
import { memoryStore, operations, type StatusResponse } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ClientOptions, createClient } from '../src/index.js'
import { saleRequest } from './sample-requests.js'

async function open(options: Partial<ClientOptions> = {}) {
  const gateway = createFakeGateway()
  const client = createClient({ ...gateway.clientOptions, ...options })
  onTestFinished(async () => {
    await client.close()
    await gateway.close()
  })
  return { gateway, client, prepared: () => client.prepare(operations.sale, saleRequest) }
}

describe('client.prepare', () => {
  it('describes a request that creates, without card data, and sends nothing', async () => {
    const { gateway, client, prepared } = await open()
    const { description } = prepared()
    expect(description).toEqual({
      attemptId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      operation: 'sale',
      effect: 'creates',
      stages: ['sale'],
      login: gateway.clientOptions.login,
      baseUrl: client.baseUrl,
      endpointId: String(gateway.clientOptions.endpointId),
      clientOrderId: saleRequest.clientOrderId,
      amount: saleRequest.amount,
      currency: saleRequest.currency,
      fingerprint: expect.stringMatching(/^[0-9a-f]+$/),
    })
    expect(JSON.stringify(description)).not.toContain(saleRequest.creditCardNumber)
    expect(gateway.calls()).toEqual([])
  })

  it('sends it, and says how it ended', async () => {
    const { gateway, prepared } = await open()
    const sent = await prepared().send()
    const [order] = gateway.orders.list()
    expect(sent).toMatchObject({
      kind: 'accepted',
      reply: { orderId: order?.orderId },
      end: { kind: 'accepted', orderId: order?.orderId, connection: 'answered' },
    })
  })

  it('sends it once, however often it is told to', async () => {
    const { gateway, prepared } = await open()
    const sale = prepared()
    const all = await Promise.all([sale.send(), sale.send(), sale.send()])
    expect(all.map(({ kind }) => kind)).toEqual(['accepted', 'not-sent', 'not-sent'])
    expect(all[1]).toMatchObject({ end: { kind: 'not-sent' }, error: { code: 'ERR_NOT_SENT' } })
    expect(gateway.calls('sale')).toHaveLength(1)
  })

  it('sends nothing once the time is over in which it may start', async () => {
    const { gateway, prepared } = await open()
    for (const startWithin of [0, -1, Number.NaN]) {
      const sent = await prepared().send({ startWithin })
      expect(sent).toMatchObject({ kind: 'not-sent', end: { kind: 'not-sent' } })
    }
    expect(gateway.calls()).toEqual([])
  })

  it('says that the outcome is unknown where the answer was lost, and does not send again', async () => {
    const { gateway, prepared } = await open()
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    const sale = prepared()
    expect(await sale.send()).toMatchObject({
      kind: 'unknown',
      end: { kind: 'unknown' },
      error: { code: 'ERR_OUTCOME_UNKNOWN' },
    })
    expect(await sale.send()).toMatchObject({ kind: 'not-sent' })
    expect(gateway.orders.list()).toHaveLength(1)
  })

  it('says that the gateway refused it', async () => {
    const { gateway, prepared } = await open({ controlKey: 'wrong' })
    expect(await prepared().send()).toMatchObject({ kind: 'refused', end: { kind: 'refused' } })
    expect(gateway.orders.list()).toEqual([])
  })

  it('keeps nothing in the store of its client, and asks for no id of a part', async () => {
    const store = memoryStore()
    const { gateway, client } = await open({ store })
    const hold = await client.prepare(operations.preauth, { ...saleRequest, cvv2: '123' }).send()
    if (hold.kind !== 'accepted') throw hold
    await gateway.clock.advance(180_000)
    const { orderId = '' } = hold.reply
    const part = { clientOrderId: saleRequest.clientOrderId, orderId, amount: '1.00', currency: 'EUR' }
    expect(await client.prepare(operations.capture, part).send()).toMatchObject({ kind: 'accepted' })
    expect((await store.list({ limit: 10 })).items).toEqual([])
  })

  it('sends a question, of which nothing need be kept', async () => {
    const { client, prepared } = await open()
    await prepared().send()
    const question = client.prepare(operations.status, { clientOrderId: saleRequest.clientOrderId })
    expect(question).not.toHaveProperty('description')
    const sent: { readonly kind: string; readonly reply?: StatusResponse } = await question.send()
    expect(sent).toMatchObject({ kind: 'answered', reply: { clientOrderId: saleRequest.clientOrderId } })
    expect(sent).not.toHaveProperty('end')
  })

  it('throws for what cannot be sent, and sends nothing once the client is closed', async () => {
    const { gateway, client, prepared } = await open()
    expect(() => client.prepare(operations.sale, { ...saleRequest, amount: '1,00' })).toThrow(/amount/)
    const sale = prepared()
    await client.close()
    expect(await sale.send()).toMatchObject({ kind: 'not-sent', end: { kind: 'not-sent' } })
    expect(gateway.calls()).toEqual([])
  })
})
