/** What a person may decide about an attempt, counted in the fake gateway's books. */
import type { RememberedAttempt } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { withHeldTime } from './held-time.js'
import { closeShops, minute, openShop, part, type Shop, sale, sold, unknown } from './resolving.js'
import { dyingStore, oneTurn } from './watched-store.js'

closeShops()

const decision = { kind: 'no-trace', note: 'ticket 4711' } as const

/** A return that was lost on its way. */
async function lost(shop: Shop, attemptId: string) {
  shop.gateway.faults.arm('drop')
  const order = {
    clientOrderId: sale.clientOrderId,
    orderId: shop.gateway.orders.find(sale.clientOrderId)?.orderId ?? '',
  }
  return unknown(shop.client.return({ ...order, ...part }, { attemptId }))
}

describe('client.decide', () => {
  it('frees nothing while the process that sent it may still wait for its answer', async () => {
    const shop = await openShop()
    await shop.another({ store: dyingStore(shop.store), wait: oneTurn }).sale(sale)
    const attempt = shop.store.attempts().at(-1) as RememberedAttempt
    const soon = shop.client.decide(attempt, decision)
    await expect(soon).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field: 'attempt' })
    await expect(soon).rejects.toThrow('may still wait for its answer')
    // The 30 seconds of the call, and as long again.
    await shop.gateway.clock.advance(minute)
    await shop.client.decide(attempt, decision)
    expect(shop.store.attempts().at(-1)).toMatchObject({
      end: { kind: 'no-trace', basis: 'person', note: 'ticket 4711' },
    })
  })

  it('is about the very attempt that is handed over, and not about a later one under the same id', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    const first = await lost(shop, 'parcel-2')
    await shop.client.decide(first, decision)
    const second = await lost(shop, 'parcel-2')
    await shop.client.decide(first, { ...decision, note: 'ticket 4712' })
    expect(shop.store.attempts().at(-1)).toMatchObject({ end: { kind: 'unknown' } })
    await expect(shop.client.return({ ...ids, ...part }, { attemptId: 'parcel-2' })).rejects.toMatchObject({
      code: 'ERR_ALREADY_SENT',
    })
    await shop.client.decide(second, decision)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'parcel-2' })
    expect(
      shop.gateway.orders.find(sale.clientOrderId)?.stages.filter(({ stage }) => stage === 'reversal'),
    ).toHaveLength(1)
  })

  it.each([
    [
      'of another merchant',
      { login: 'another' },
      'The return request was not sent: the attempt is of merchant "another"',
    ],
    ['over a number', { amount: 10.42 }, '"amount" is a number'],
    ['without its time', { reservedAt: undefined }, '"reservedAt"'],
  ])('takes no attempt %s, and the document stays as it is', async (_, wrong, message) => {
    const shop = await openShop()
    await sold(shop)
    const attempt = { ...(await lost(shop, 'p-1')), ...wrong } as unknown as RememberedAttempt
    await expect(shop.client.decide(attempt, decision)).rejects.toThrow(message)
    expect(shop.store.attempts()).toHaveLength(2)
  })

  it.each([
    ['none', ''],
    ['one that is too long', 'n'.repeat(501)],
  ])('wants a note, and takes %s for none', async (_, note) => {
    const shop = await openShop()
    await sold(shop)
    await expect(shop.client.decide(await lost(shop, 'p-1'), { ...decision, note })).rejects.toMatchObject({
      field: 'note',
    })
  })

  it('keeps no card number that a note has', async () => {
    const shop = await openShop()
    await sold(shop)
    await shop.client.decide(await lost(shop, 'p-1'), { ...decision, note: 'card 4444444444444448' })
    expect(JSON.stringify(shop.store.attempts())).not.toContain('4444444444444448')
  })
})

describe('a store that does not answer', () => {
  it('ends a decision at its time limit: nothing more is written, and the same again is written once', async () => {
    const shop = await openShop()
    await sold(shop)
    const attempt = await lost(shop, 'p-1')
    await withHeldTime(async pass => {
      const write = (): Promise<never> => {
        setImmediate(() => pass(60_000))
        return new Promise(() => {})
      }
      const client = shop.another({ store: { ...shop.store, write } })
      const deciding = client.decide(attempt, decision, { timeout: 60_000 })
      await expect(deciding).rejects.toMatchObject({ code: 'ERR_STORE_UNKNOWN' })
    })
    expect(shop.store.attempts().at(-1)).toMatchObject({ end: { kind: 'unknown' } })
    await shop.client.decide(attempt, decision)
    expect(shop.store.attempts().at(-1)).toMatchObject({ end: { kind: 'no-trace', basis: 'person' } })
  })

  it('ends one that fails again and again', async () => {
    const shop = await openShop()
    await sold(shop)
    const attempt = await lost(shop, 'p-1')
    await withHeldTime(async pass => {
      let failures = 0
      const write = (): Promise<never> => {
        failures += 1
        if (failures === 3) setImmediate(() => pass(60_000))
        return Promise.reject(new Error('away'))
      }
      const client = shop.another({ store: { ...shop.store, write }, wait: oneTurn })
      const deciding = client.decide(attempt, decision, { timeout: 60_000 })
      await expect(deciding).rejects.toMatchObject({ code: 'ERR_STORE_UNKNOWN' })
      expect(failures).toBeGreaterThanOrEqual(3)
    })
  })
})
