/** A backup of the store is put back: what was sent after it was made is not sent again. Counted in the gateway's books. */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type DocumentStore, memoryStore, type Store } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { createTill } from '../../src/index.js'
import { sqliteStore } from '../../src/sqlite.js'
import { directory } from '../sqlite/ground.js'
import { dyingStore } from './dying-store.js'
import { quickWait } from './quick-wait.js'
import { basket, openShop, type Shop } from './shop.js'

const minute = 60_000
const day = 24 * 60 * minute

type Gateway = ReturnType<typeof createFakeGateway>

/** One life of a shop on a file: it is closed before the file is copied. */
async function live<Result>(
  { gateway, file, replaceOpenForm = false }: { gateway: Gateway; file: string; replaceOpenForm?: boolean },
  work: (shop: Shop) => Promise<Result>,
): Promise<Result> {
  const store = sqliteStore(file, { clock: gateway.clientOptions.clock })
  const { privateKey } = gateway.clientOptions
  const shop = (await openShop({
    gateway,
    store,
    replaceOpenForm,
    accounts: [{ ...gateway.clientOptions, privateKey }],
  })) as unknown as Shop
  try {
    return await work(shop)
  } finally {
    await shop.close()
    await store.close()
  }
}

/** Lives before the backup, after it, and, with the backup put back, a third time. */
async function restore<Result>({
  before = async ({ till }) => void (await till.tick()),
  lost,
  restored,
  replaceOpenForm = false,
}: {
  readonly before?: (shop: Shop) => Promise<void>
  readonly lost: (shop: Shop) => Promise<unknown>
  readonly restored: (shop: Shop) => Promise<Result>
  readonly replaceOpenForm?: boolean
}) {
  const gateway = createFakeGateway()
  await gateway.listen()
  const file = join(directory(), 'shop.db')
  await live({ gateway, file }, before)
  copyFileSync(file, `${file}.backup`)
  await live({ gateway, file }, lost)
  await gateway.clock.advance(180 * minute)
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  copyFileSync(`${file}.backup`, file)
  const result = await live({ gateway, file, replaceOpenForm }, async shop => {
    await shop.till.start({ restored: true })
    return restored(shop)
  })
  return { gateway, file, result }
}

const buys = async (shop: Shop, { cvv2 = '123', hold = false } = {}) => {
  await shop.customerPays((await shop.till.pay({ ...basket, hold })).address, cvv2)
  await shop.gateway.callbacks.idle()
}

/** The shop that this form leads back to is closed. */
const paysOnOldForm = (shop: Shop, address: string) => shop.customerPays(address).catch(() => undefined)

const stages = (gateway: Gateway) =>
  gateway.orders
    .list()
    .map(
      ({ clientOrderId, stages }) =>
        `${clientOrderId} ${stages.map(({ stage, status, amount }) => `${stage} ${amount} ${status}`).join(', ')}`,
    )

const payout = { reference: 'payout-7', amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300' }

describe('after a backup was put back', () => {
  it('a payment that it lacks is taken up as it is, told once, and not charged again', async () => {
    const { gateway } = await restore({
      lost: buys,
      async restored(shop) {
        expect((await shop.till.pay(basket)).kind).toBe('over')
        expect((await shop.till.pay(basket)).kind).toBe('over')
        expect(shop.told).toEqual(['basket-7 paid 10.00'])
      },
    })
    expect(gateway.calls('saleForm')).toHaveLength(1)
    expect(stages(gateway)).toEqual(['basket-7 sale 10.00 approved'])
  })

  it('a decline and the second order that it lacks are taken up one after the other', async () => {
    const { gateway } = await restore({
      async lost(shop) {
        await buys(shop, { cvv2: '101' })
        await buys(shop)
      },
      async restored(shop) {
        expect((await shop.till.pay(basket)).kind).toBe('over')
        expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00'])
      },
    })
    expect(stages(gateway)).toEqual(['basket-7 sale 10.00 declined', 'basket-7.2r sale 10.00 approved'])
  })

  it('a form that is still open is waited for: a customer may have its address', async () => {
    let address = ''
    const { gateway } = await restore({
      async lost(shop) {
        ;({ address } = await shop.till.pay(basket))
      },
      async restored(shop) {
        expect((await shop.till.pay(basket)).kind).toBe('wait')
        await shop.gateway.clock.advance(30 * minute)
        expect((await shop.till.pay(basket)).kind).toBe('wait')
        await paysOnOldForm(shop, address)
        expect((await shop.till.pay(basket)).kind).toBe('over')
        expect(shop.told).toEqual(['basket-7 paid 10.00'])
      },
    })
    expect(stages(gateway)).toEqual(['basket-7 sale 10.00 approved'])
  })

  it('a form that is still open is replaced where the merchant allows it, and watched', async () => {
    let address = ''
    await restore({
      replaceOpenForm: true,
      async lost(shop) {
        ;({ address } = await shop.till.pay(basket))
      },
      async restored(shop) {
        const next = await shop.till.pay(basket)
        expect(next.kind).toBe('go')
        await shop.customerPays(next.address)
        await shop.gateway.callbacks.idle()
        await paysOnOldForm(shop, address)
        await shop.gateway.clock.advance(day)
        // Its own work may have taken it up before the tick could.
        await vi.waitFor(async () => {
          await shop.till.tick()
          expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 surplus 10.00'])
        }, 20_000)
      },
    })
  })

  it('a hold that it lacks is taken up, and captured once', async () => {
    const { gateway } = await restore({
      lost: shop => buys(shop, { hold: true }),
      async restored(shop) {
        expect(await shop.till.pay({ ...basket, hold: true })).toMatchObject({
          kind: 'over',
          payment: { state: 'held' },
        })
        await shop.till.capture('basket-7')
        expect((await shop.till.capture('basket-7')).again).toBe(true)
      },
    })
    expect(stages(gateway)).toEqual(['basket-7 preauth 10.00 approved, capture 10.00 approved'])
  })

  it('an order that was begun for another purpose is no payment of this one', async () => {
    const { gateway } = await restore({
      lost: shop => buys(shop, { hold: true }),
      async restored(shop) {
        await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_OTHER_PAYMENT' })
        expect(shop.told).toEqual(['basket-7 held 10.00'])
      },
    })
    expect(gateway.orders.list()).toHaveLength(1)
  })

  it('a capture and a void that it lacks are not sent again', async () => {
    const { gateway } = await restore({
      before: shop => buys(shop, { hold: true }),
      lost: shop => shop.till.capture('basket-7'),
      async restored(shop) {
        await expect(shop.till.capture('basket-7')).rejects.toMatchObject({ moneyMayHaveMoved: false })
        await expect(shop.till.void('basket-7')).rejects.toMatchObject({ moneyMayHaveMoved: false })
      },
    })
    expect(gateway.calls('capture')).toHaveLength(1)
    expect(gateway.calls('void')).toHaveLength(0)
  })

  it('a part that was given back is not given back again', async () => {
    const { gateway } = await restore({
      before: buys,
      lost: shop => shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' }),
      async restored(shop) {
        const again = shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' })
        await expect(again).rejects.toMatchObject({ moneyMayHaveMoved: false })
      },
    })
    expect(gateway.calls('return')).toHaveLength(1)
  })

  it('what it does have is changed as ever', async () => {
    const { gateway } = await restore({
      before: buys,
      lost: async () => {},
      restored: shop => shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' }),
    })
    expect(gateway.calls('return')).toHaveLength(1)
  })

  it.each([
    ['one step', false],
    ['two steps', true],
  ])('a payout in %s that it lacks is sent once', async (_, checked) => {
    const pays = async ({ till, gateway }: Shop) => {
      await till.payout({ ...payout, checked })
      await gateway.callbacks.idle()
      await gateway.clock.advance(5 * minute)
      await till.tick()
      return till.payout({ ...payout, checked })
    }
    const { gateway, result } = await restore({ lost: pays, restored: pays })
    expect(result.kind).toBe('sent')
    expect(gateway.calls('payoutV4').length + gateway.calls('payoutPay').length).toBe(1)
    expect(gateway.orders.list()).toHaveLength(1)
  })

  it('a payout that was checked before and sent after it is not sent again', async () => {
    const pays = async ({ till, gateway }: Shop) => {
      await till.payout({ ...payout, checked: true })
      await gateway.callbacks.idle()
      await gateway.clock.advance(5 * minute)
      await till.tick()
    }
    const { gateway } = await restore({ before: pays, lost: pays, restored: pays })
    expect(gateway.calls('payoutPay')).toHaveLength(1)
  })

  it('nothing is opened while status does not answer', async () => {
    const { gateway } = await restore({
      lost: buys,
      async restored(shop) {
        shop.gateway.faults.arm({ fault: 'drop', operation: 'status', times: 9 })
        expect((await shop.till.pay(basket)).kind).toBe('wait')
        expect((await shop.till.pay({ ...basket, reference: 'basket-8' })).kind).toBe('wait')
        shop.gateway.faults.clear()
        expect((await shop.till.pay(basket)).kind).toBe('over')
        expect((await shop.till.pay({ ...basket, reference: 'basket-8' })).kind).toBe('go')
      },
    })
    expect(gateway.calls('saleForm')).toHaveLength(2)
  })

  it('every process asks before it opens an order, after a restart as well, for as long as was said', async () => {
    const { gateway, file } = await restore({
      lost: buys,
      restored: shop => shop.till.start({ restored: true, retention: 10 * day }),
    })
    await live({ gateway, file }, async shop => {
      expect((await shop.till.pay(basket)).kind).toBe('over')
    })
    const asksFor = async (reference: string) => {
      const before = gateway.calls('status').length
      await live({ gateway, file }, shop => shop.till.pay({ ...basket, reference }))
      return gateway.calls('status').length > before
    }
    await gateway.clock.advance(29 * day)
    expect(await asksFor('basket-8')).toBe(true)
    await gateway.clock.advance(2 * day)
    expect(await asksFor('basket-9')).toBe(false)
    expect(stages(gateway)[0]).toBe('basket-7 sale 10.00 approved')
  })
})

it.each([0, -1, 1.5, Number.NaN])('a retention of %d is refused', async retention => {
  const shop = await openShop()
  await expect(shop.till.start({ restored: true, retention })).rejects.toThrow(TypeError)
})

it.each(['before', 'after'] as const)(
  'is taken up by the next process where one dies %s any call of the store',
  async when => {
    const gateway = createFakeGateway()
    const { clock } = gateway
    await buys(await openShop({ gateway }))
    for (let at = 0, isOver = false; !isOver; at += 1) {
      const store = memoryStore({ clock: clock.now })
      const rest = { account: gateway.clientOptions, address: 'http://127.0.0.1:1/payments', returnTo: () => '/' }
      const told: string[] = []
      const open = (kept: DocumentStore) =>
        createTill({
          ...rest,
          store: kept as Store<never>,
          clock: clock.now,
          wait: quickWait,
          onOutcome: ({ kind }) => void told.push(kind),
        })
      const first = open(store)
      await first.start({ restored: true })
      await first.close()
      const dying = dyingStore(store, { at, when })
      await Promise.race([dying.died, open(dying.store).pay(basket)])
      isOver = !dying.isDead()
      const next = open(store)
      expect((await next.pay(basket)).kind).toBe('over')
      await clock.advance(day)
      await next.tick()
      expect(new Set(told)).toEqual(new Set(['paid']))
      await next.close()
      expect(at).toBeLessThan(40)
    }
    expect(gateway.calls('saleForm')).toHaveLength(1)
  },
)
