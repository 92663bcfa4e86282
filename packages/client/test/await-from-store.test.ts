/** Waits of a process that knows an order's id, and nothing else but what the store has. Over real HTTP. */
import { expectationOf, type Store, StoreError } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { createClient } from '../src/index.js'
import { closeShops, openShop, part, preauthorized, type Shop, sale, sold, unknown } from './resolving.js'
import { dyingStore, oneTurn } from './watched-store.js'

closeShops()

const clientOrderId = 'o-1'

/** The client of the next process: its pauses move the gateway's clock. */
const next = (shop: Shop, store: Store = shop.store) =>
  shop.another({ store, wait: milliseconds => shop.gateway.clock.advance(milliseconds) })

describe('awaitOutcome of an order id', () => {
  it.each<[string, (shop: Shop) => Promise<unknown>]>([
    ['was accepted', shop => shop.client.sale(sale)],
    [
      'got no answer',
      shop => {
        shop.gateway.faults.arm('commit-then-drop')
        return unknown(shop.client.sale(sale))
      },
    ],
    [
      'was sent by a process that died',
      shop => shop.another({ store: dyingStore(shop.store), wait: oneTurn }).sale(sale),
    ],
  ])('learns how a sale ended that %s', async (_, sell) => {
    const shop = await openShop({ processingTime: 60_000 })
    await sell(shop)
    const { orderId } = shop.gateway.orders.find(clientOrderId) ?? {}
    expect(await next(shop).awaitOutcome({ clientOrderId })).toMatchObject({
      kind: 'approved',
      moneyMoved: 'captured',
      order: { clientOrderId, orderId },
      stage: { stage: 'sale', amount: sale.amount },
    })
    expect(shop.gateway.calls('sale')).toHaveLength(1)
  })

  it.each([-60, 60])('learns it on a machine whose clock is %d minutes off', async minutes => {
    const shop = await openShop({ processingTime: 60_000 })
    await shop.client.sale(sale)
    // What the store has of the order is from the future for one of the two.
    await shop.client.status({ clientOrderId })
    const { clock } = shop.gateway
    const off = shop.another({
      clock: () => clock.now() + minutes * 60_000,
      wait: milliseconds => clock.advance(milliseconds),
    })
    expect(await off.awaitOutcome({ clientOrderId })).toMatchObject({ kind: 'approved' })
  })

  it('delivers nothing where status approves another amount than was sent', async () => {
    const shop = await openShop()
    const { orderId } = await shop.client.sale(sale)
    shop.gateway.handle({
      status: () => ({
        status: 'approved',
        transactionType: 'sale',
        clientOrderId,
        orderId,
        amount: '1.00',
        currency: 'EUR',
      }),
    })
    expect(await next(shop).awaitOutcome({ clientOrderId })).toMatchObject({
      kind: 'needs-person',
      reason: 'amount-differs',
    })
  })

  it('waits for the last change that has not ended, by its serial number', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-1' })
    await next(shop).awaitOutcome({ clientOrderId })
    const { serialNumber } = await shop.client.return({ ...ids, ...part }, { attemptId: 'p-2' })
    expect(await next(shop).awaitOutcome({ clientOrderId })).toMatchObject({
      kind: 'approved',
      stage: { stage: 'reversal', serialNumber, amount: part.amount },
    })
  })

  it('waits for a change whose answer was lost, where it is the only one of its kind', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    await unknown(shop.client.capture(ids))
    expect(await next(shop).awaitOutcome({ clientOrderId })).toMatchObject({
      kind: 'approved',
      stage: { stage: 'capture' },
    })
  })

  it('does not wait for a lost change that could be mistaken for another one', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-1' })
    await next(shop).awaitOutcome({ clientOrderId })
    shop.gateway.faults.arm('commit-then-drop')
    await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-2' }))
    await expect(next(shop).awaitOutcome({ clientOrderId })).rejects.toThrow('"expected.serialNumber" is missing')
  })

  it('asks where the order was sent to, and not where this client would send', async () => {
    const shop = await openShop()
    await shop.client.sale(sale)
    const [attempt] = shop.store.attempts()
    const elsewhere = shop.another({ endpointId: 4711 })
    expect(await elsewhere.awaitOutcome({ clientOrderId })).toMatchObject({ kind: 'approved' })
    expect(shop.gateway.calls('status').map(({ path }) => path)).toEqual([
      expect.stringContaining(`/${attempt?.endpointId}`),
    ])
  })

  it('shows its questions one by one, and ends at once when it is left', async () => {
    const shop = await openShop({ processingTime: 600_000 })
    await shop.client.sale(sale)
    const kinds: unknown[] = []
    for await (const { settlement, wait } of next(shop).watchOutcome({ clientOrderId })) {
      kinds.push([settlement?.kind, wait.expected])
      if (kinds.length === 2) break
    }
    const [attempt] = shop.store.attempts()
    const expected = attempt === undefined ? undefined : expectationOf(attempt)
    expect(kinds).toEqual([
      ['not-final', expected],
      ['not-final', expected],
    ])
  })

  it.each<[string, (shop: Shop) => Promise<unknown>, string]>([
    ['the store does not have', async () => {}, 'the store knows no request of this order'],
    [
      'was refused',
      async shop => {
        shop.gateway.handle({ sale: () => ({ type: 'validation-error', errorMessage: 'no', httpStatus: 400 }) })
        await shop.client.sale(sale).catch(() => {})
      },
      'its last request, sale, ended refused',
    ],
  ])('says of an order that %s that there is nothing to wait for', async (_, before, message) => {
    const shop = await openShop()
    await before(shop)
    const waiting = next(shop).awaitOutcome({ clientOrderId })
    await expect(waiting).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field: 'clientOrderId' })
    await expect(waiting).rejects.toThrow(message)
    expect(shop.gateway.calls('status')).toEqual([])
  })

  it('asks nothing where the store does not answer', async () => {
    const shop = await openShop()
    await shop.client.sale(sale)
    const read = () => Promise.reject(new StoreError('ERR_STORE_CLOSED', 'The store was closed.'))
    await expect(next(shop, { ...shop.store, read }).awaitOutcome({ clientOrderId })).rejects.toMatchObject({
      code: 'ERR_NOT_SENT',
      cause: { code: 'ERR_STORE_CLOSED' },
    })
    expect(shop.gateway.calls('status')).toEqual([])
  })

  it('needs a store', async () => {
    const shop = await openShop()
    const client = createClient({ ...shop.gateway.clientOptions })
    await expect(client.awaitOutcome({ clientOrderId })).rejects.toThrow('without a store')
    await client.close()
  })
})
