/** What `client.order` makes of changes that a store has and status does not show, against the fake gateway. */

import { memoryStore, type Store } from '@tillkit/protocol'
import { hangUp } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client, ClientOptions } from '../src/index.js'
import { dyingStore, oneTurn, watchedStore } from './watched-store.js'
import { ids, saleOf, startWatching, type Watching } from './watching.js'

const part = { amount: '3.00', currency: 'EUR' } as const
const nothing = { capture: false, void: false, return: undefined }

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

/** A sale that a client with this store has made. */
async function sold(store: Store, options: Partial<ClientOptions> = {}) {
  const client = watching.another({ store, ...options })
  const { orderId, serialNumber } = await client.sale(saleOf('123'))
  return { client, order: ids(orderId), saleNumber: String(serialNumber) }
}

const returned = async (client: Client, order: ReturnType<typeof ids>, attemptId = 'return-1') =>
  String((await client.return({ ...order, ...part }, { attemptId })).serialNumber)

describe('client.order, with a store', () => {
  it('does not take one return that status shows for another that it does not show', async () => {
    const { client, order, saleNumber } = await sold(watchedStore())
    const [first, second] = [await returned(client, order), await returned(client, order, 'return-2')]
    const lagging = await client.order({ ...order, serialNumbers: [saleNumber, first] })
    expect(lagging).toMatchObject({ totals: undefined, allowed: nothing })
    expect(lagging.remarks.join(' ')).toContain(`Ask with its serial number, "${second}"`)
    const whole = await client.order({ ...order, serialNumbers: [saleNumber, first, second] })
    expect(whole).toMatchObject({ totals: { returned: '6.00' }, allowed: { return: 'reversal' } })
  })

  it('takes a return that status shows without a number for the one that was sent', async () => {
    const { client, order } = await sold(watchedStore())
    await returned(client, order)
    const seen = await client.order(order)
    expect(seen).toMatchObject({ stages: [{ stage: 'reversal' }] })
    expect(seen.remarks.join(' ')).not.toContain('does not show it')
  })

  it('takes a return of which the number was lost for the one that status shows', async () => {
    const store = watchedStore()
    const { client, order, saleNumber } = await sold(store)
    watching.gateway.faults.arm('commit-then-drop')
    const { attempt } = await client.return({ ...order, ...part }, { attemptId: 'return-1' }).catch(error => error)
    await client.decide(attempt, { kind: 'accepted', note: 'ticket 4711' })
    const made = watching.gateway.orders.find('o-1')?.stages.at(-1)?.serialNumbers ?? []
    const seen = await client.order({ ...order, serialNumbers: [saleNumber, ...made] })
    expect(seen).toMatchObject({ totals: { captured: '10.42', returned: '3.00' }, allowed: { return: 'reversal' } })
  })

  it('does not take a return that status shows for a capture that it does not show', async () => {
    const client = watching.another({ store: memoryStore() })
    const { orderId } = await client.preauth(saleOf('123'))
    const order = ids(orderId)
    const { serialNumber } = await client.capture({ ...order, ...part }, { attemptId: 'capture-1' })
    const reversal = { status: 'approved', transactionType: 'reversal', ...order, amount: '1.00', currency: 'EUR' }
    watching.answerStatus(reversal)
    const seen = await client.order(order)
    expect(seen).toMatchObject({ stages: [{ stage: 'reversal' }], totals: undefined, allowed: nothing })
    expect(seen.remarks.join(' ')).toContain(`Ask with its serial number, "${serialNumber}"`)
  })

  it.each([
    ['was refused', () => ({ type: 'validation-error', httpStatus: 400, errorCode: '8', errorMessage: 'No' })],
    ['was not sent', undefined],
  ])('says nothing of a change that %s', async (_, answer) => {
    const store = watchedStore()
    const { client, order } = await sold(store)
    const sender = answer === undefined ? watching.another({ store, baseUrl: 'http://127.0.0.1:1' }) : client
    if (answer !== undefined) watching.gateway.handle({ return: answer as never })
    await expect(
      sender.return({ ...order, ...part }, { attemptId: 'return-1', timeout: 600_000 }),
    ).rejects.toMatchObject({
      code: answer === undefined ? 'ERR_NOT_SENT' : 'ERR_REQUEST_REFUSED',
    })
    expect(store.attempts().at(-1)?.operation).toBe('return')
    const seen = await client.order(order)
    expect(seen).toMatchObject({ totals: { captured: '10.42' }, allowed: { return: 'reversal' }, remarks: [] })
  })

  it('allows nothing while a change has not ended, as after a crash', async () => {
    const store = watchedStore()
    const { order } = await sold(store)
    const crashing = watching.another({ store: dyingStore(store), wait: oneTurn })
    const serialNumber = await returned(crashing, order)
    const seen = await crashing.order({ ...order, serialNumbers: [serialNumber] })
    expect(seen).toMatchObject({ stages: [{ stage: 'reversal' }], totals: undefined, allowed: nothing })
    expect(seen.remarks.join(' ')).toContain('its outcome is open: resolve it')
  })

  it('tells of a resolved change by what it was resolved to', async () => {
    const store = watchedStore()
    const { client, order } = await sold(store)
    watching.gateway.handle({ return: () => hangUp() })
    const { attempt } = await client.return({ ...order, ...part }, { attemptId: 'return-1' }).catch(error => error)
    await client.decide(attempt, { kind: 'no-trace', note: 'ticket 4711' })
    expect(await client.order(order)).toMatchObject({ totals: { captured: '10.42' }, remarks: [] })
    await client.decide(attempt, { kind: 'accepted', note: 'ticket 4712' })
    const seen = await client.order(order)
    expect(seen).toMatchObject({ totals: undefined, allowed: nothing })
    expect(seen.remarks.join(' ')).toMatch(/was accepted, and status does not show it.*Ask again later\./)
  })

  it.each([
    ['never answers', () => new Promise<never>(() => {})],
    ['fails', () => Promise.reject(new Error('down'))],
    [
      'has what is no document',
      async () => ({ at: 0, stored: { key: 'k', version: 1, writeId: 'w', body: '{"id":1}' } }),
    ],
    ['has what is no JSON', async () => ({ at: 0, stored: { key: 'k', version: 1, writeId: 'w', body: 'rows' } })],
  ])('allows nothing where the store %s', async (_, read) => {
    const store = watchedStore()
    const { order } = await sold(store)
    const client = watching.another({ store: { ...store, read }, wait: oneTurn })
    const seen = await client.order(order)
    expect(seen).toMatchObject({ stages: [{ stage: 'sale' }], totals: undefined, allowed: nothing })
    expect(seen.remarks.join(' ')).toContain('The store did not say which changes of this order were sent')
  })

  it('asks the store about this very order of the merchant that is asked for', async () => {
    const asked: string[] = []
    const store = watchedStore()
    const { client, order } = await sold(store)
    const read: Store['read'] = key => {
      asked.push(key)
      return store.read(key)
    }
    const { login, controlKey, endpointId } = watching.gateway.clientOptions
    const other = watching.another({ login: 'another', controlKey: 'key-of-another', store: { ...store, read } })
    await other.order(order, { merchant: { login, controlKey, endpointId } as never })
    expect(new Set(asked)).toEqual(new Set([`payment/test/${login}/${order.clientOrderId}`]))
    expect(await client.order(order)).toMatchObject({ remarks: [] })
  })
})
