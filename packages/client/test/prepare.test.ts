/** A request that is checked and built first, and sent by a program with a book of its own. Counted in the fake's books. */
import { operations, type StatusResponse } from '@tillkit/protocol'
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

  it('describes the same sale with another card in the same way, and another amount otherwise', async () => {
    const { client } = await open()
    const fingerprintOf = (change: object) =>
      client.prepare(operations.sale, { ...saleRequest, ...change }).description?.fingerprint
    const first = fingerprintOf({})
    expect(fingerprintOf({ creditCardNumber: '4111111111111111', cvv2: '321' })).toBe(first)
    expect(fingerprintOf({ amount: '10.43' })).not.toBe(first)
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

  it('describes a part by the id that it is given, and by whom it is wanted', async () => {
    const { gateway, client } = await open()
    const hold = await client.prepare(operations.preauth, { ...saleRequest, cvv2: '123' }).send()
    if (hold.kind !== 'accepted') throw hold
    await gateway.clock.advance(180_000)
    const { orderId = '' } = hold.reply
    const part = { clientOrderId: saleRequest.clientOrderId, orderId, amount: '1.00', currency: 'EUR' }
    const person = { who: 'jane', why: 'parcel 2 is packed' }
    const prepared = client.prepare(operations.capture, part, { attemptId: ' parcel-2 ', person })
    expect(prepared.description).toMatchObject({ operation: 'capture', attemptId: 'parcel-2', orderId, amount: '1.00' })
    expect(prepared.description?.person).toEqual(person)
    expect(await prepared.send()).toMatchObject({ kind: 'accepted' })
    expect(gateway.calls('capture')).toHaveLength(1)
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

  it.each([{ attemptId: '' }, { attemptId: 'null' }, { person: { who: 'jane', why: '' } }, { onlyWhile: () => true }])(
    'throws for the options %j',
    async options => {
      const { gateway, client } = await open()
      const [field] = Object.keys(options)
      const prepare = () => client.prepare(operations.sale, saleRequest, options as object)
      expect(prepare).toThrow(expect.objectContaining({ code: 'ERR_INVALID_REQUEST', field }))
      expect(gateway.calls()).toEqual([])
    },
  )

  it('throws for what cannot be sent, and sends nothing once the client is closed', async () => {
    const { gateway, client, prepared } = await open()
    expect(() => client.prepare(operations.sale, { ...saleRequest, amount: '1,00' })).toThrow(/amount/)
    const sale = prepared()
    await client.close()
    expect(await sale.send()).toMatchObject({ kind: 'not-sent', end: { kind: 'not-sent' } })
    expect(gateway.calls()).toEqual([])
  })
})
