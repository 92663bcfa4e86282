/** What changes a whole order goes out once for it, whatever process asks, counted in the fake gateway's books. */

import { memoryStore } from '@tillkit/protocol'
import { testCard } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { closeShops, lagWith, openShop, part, preauthorized, type Shop, sale, sold, unknown } from './resolving.js'
import { oneTurn, watchedStore } from './watched-store.js'

closeShops()

/** Two stores on one memory, as two processes have them. */
function twoStores() {
  const store = watchedStore()
  return [store, { ...store }] as const
}

const payoutOf = { clientOrderId: 'p-1', amount: '5.00', currency: 'EUR', creditCardNumber: testCard }

async function checked(shop: Shop) {
  const { orderId } = await shop.client.payoutCheck(payoutOf)
  return { clientOrderId: 'p-1', orderId }
}

const changes = [
  { name: 'void', start: preauthorized },
  { name: 'capture', start: preauthorized },
  { name: 'return', start: sold },
  { name: 'payoutPay', start: checked },
] as const

describe('a change of the whole order', () => {
  it.each(changes)('$name goes out once, however often it is asked for, and by any process', async each => {
    const [one, other] = twoStores()
    const shop = await openShop({}, { store: one })
    const ids = await each.start(shop)
    const clients = [shop.client, shop.another({ store: other }), shop.another({ store: other })]
    const results = await Promise.allSettled(clients.map(client => client[each.name](ids)))
    for (const client of clients) results.push(...(await Promise.allSettled([client[each.name](ids)])))
    const codes = results.map(result => (result.status === 'fulfilled' ? 'taken' : result.reason.code))
    expect(codes.filter(code => code === 'taken')).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['taken', 'ERR_ALREADY_SENT']))
    expect(shop.gateway.calls(each.name)).toHaveLength(1)
  })

  it('is not sent again while its outcome is unknown, nor once that is known', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.void(ids))
    const again = shop.client.void(ids)
    await expect(again).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT', field: 'orderId', earlierEnding: 'unknown' })
    await expect(again).rejects.toThrow('Resolve it: client.resolve(error.earlier).')
    expect(await shop.client.resolve(attempt)).toMatchObject({ kind: 'happened' })
    await expect(shop.client.void(ids)).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT', earlierEnding: 'accepted' })
    expect(shop.gateway.calls('void')).toHaveLength(1)
  })

  it('is sent again after it was refused, once status shows the order without it', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.handle({ void: () => ({ type: 'validation-error', errorMessage: 'try later', httpStatus: 400 }) })
    await expect(shop.client.void(ids)).rejects.toMatchObject({ code: 'ERR_REQUEST_REFUSED' })
    shop.gateway.handle({ void: () => undefined })
    await lagWith(shop, ids, { status: 'approved', transactionType: 'void' })
    const locked = shop.client.void(ids)
    await expect(locked).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT', moneyMayHaveMoved: false })
    await expect(locked).rejects.toThrow(
      'It may be sent again once status, asked just before, shows the order without it.',
    )
    shop.gateway.handle({ status: () => undefined })
    await shop.client.void(ids)
    const approved = shop.gateway.orders.find(ids.clientOrderId)?.stages.filter(stage => stage.status === 'approved')
    expect(approved?.map(({ operation }) => operation)).toEqual(['preauth', 'void'])
  })
})

describe('a change of a part of an order', () => {
  it('needs an attempt id where attempts are remembered, by a message that shows how', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    // @ts-expect-error the types say so as well
    const call = shop.client.return({ ...ids, ...part })
    await expect(call).rejects.toMatchObject({
      code: 'ERR_INVALID_REQUEST',
      field: 'attemptId',
      moneyMayHaveMoved: false,
    })
    await expect(call).rejects.toThrow("client.return(request, { attemptId: 'parcel-2' })")
    expect(shop.gateway.calls('return')).toHaveLength(0)
    expect(shop.gateway.calls('status')).toHaveLength(0)
  })

  it('goes out once for its attempt id, also when the job that asks for it restarts', async () => {
    const [one, other] = twoStores()
    const shop = await openShop({}, { store: one })
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'parcel-2' })
    const restarted = shop.another({ store: other })
    const again = restarted.return({ ...ids, ...part }, { attemptId: 'parcel-2' })
    await expect(again).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT', field: 'attemptId' })
    const withLineEnd = restarted.return({ ...ids, ...part }, { attemptId: 'parcel-2\n' })
    await expect(withLineEnd).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT', field: 'attemptId' })
    await restarted.return({ ...ids, ...part }, { attemptId: 'parcel-3' })
    expect(shop.gateway.calls('return')).toHaveLength(2)
  })
})

describe('resolve of a change', () => {
  it('is "cannot-tell-yet" where the store does not know the attempt, though status shows an equal change', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-1' }))
    // The process is gone, and so is what it remembered. An equal return is made by hand at the gateway.
    const restarted = shop.another({ store: memoryStore() })
    await restarted.return({ ...ids, ...part }, { attemptId: 'by hand' })
    expect(await restarted.resolve(attempt)).toMatchObject({
      kind: 'cannot-tell-yet',
      reason: 'attempt-unknown',
      needsPerson: true,
      evidence: { reply: { stage: 'reversal' } },
    })
    const other = shop.another({ store: memoryStore() })
    expect(await other.resolve(attempt)).toMatchObject({ reason: 'attempt-unknown' })
    expect(shop.gateway.calls('return')).toHaveLength(2)
  })

  it('is "cannot-tell-yet" for an empty store, also by serial number', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    const { serialNumber = '' } = await shop.client.return({ ...ids, ...part }, { attemptId: 'p-1' })
    const [attempt] = shop.store.attempts().filter(({ operation }) => operation === 'return')
    expect(attempt?.end?.serialNumber).toBe(serialNumber)
    const restarted = shop.another({ store: memoryStore() })
    expect(await restarted.resolve(attempt as never)).toMatchObject({ reason: 'attempt-unknown' })
  })

  it('waits for a store that does not say which changes there were', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-1' }))
    const store = { ...watchedStore(), read: () => Promise.reject(new Error('down')) }
    expect(await shop.another({ store, wait: oneTurn }).resolve(attempt)).toMatchObject({
      reason: 'no-store',
      needsPerson: false,
    })
  })
})

describe('another address of the gateway', () => {
  it('makes no other order: what was sent to one is not sent to the other', async () => {
    const shop = await openShop()
    const { port, pathname } = shop.gateway.clientOptions.baseUrl
    await sold(shop)
    const again = shop.another({ baseUrl: `http://localhost:${port}${pathname}/` })
    await expect(sold({ ...shop, client: again })).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT' })
    expect(shop.gateway.calls('sale')).toHaveLength(1)
  })

  it('makes no other content: what was refused at one is sent at the other', async () => {
    const shop = await openShop()
    const { port, pathname } = shop.gateway.clientOptions.baseUrl
    shop.gateway.handle({ sale: () => ({ type: 'validation-error', errorMessage: 'later', httpStatus: 400 }) })
    await expect(sold(shop)).rejects.toMatchObject({ code: 'ERR_REQUEST_REFUSED' })
    shop.gateway.handle({ sale: () => undefined })
    const again = shop.another({ baseUrl: `http://localhost:${port}${pathname}` })
    await sold({ ...shop, client: again })
    expect(shop.gateway.orders.list()).toHaveLength(1)
  })

  it('says of an order that it has seen what became of it, and never that one left no trace', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('commit-then-drop')
    const { port, pathname } = shop.gateway.clientOptions.baseUrl
    const attempt = await unknown(shop.client.sale({ ...sale, clientOrderId: 'o-1' }))
    const other = shop.another({ baseUrl: `http://localhost:${port}${pathname}` })
    expect(await other.resolve(attempt)).toMatchObject({ kind: 'happened' })
    const neverSeen = { ...attempt, clientOrderId: 'o-2' }
    expect(await other.resolve(neverSeen, { connectionClosed: true })).toMatchObject({
      kind: 'cannot-tell-yet',
      reason: 'another-address',
      needsPerson: true,
    })
  })
})
