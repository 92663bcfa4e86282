/** One process on a file has a clock that is two years ahead: the file's clock is, from then on. What is young does not count as old by it. */
import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { sqliteStore } from '../../src/sqlite.js'
import type { Store } from '../../src/store/store.js'
import { passes } from '../till/acts.js'
import { basket, openShop } from '../till/shop.js'
import { watchWarnings } from '../till/watch-warnings.js'
import { freshFile } from './ground.js'

const year = 365 * 86_400_000

/** A shop with one payment, on a file that somebody whose clock was ahead has written to since. */
async function shopOnFile(ahead: number, restored = false) {
  const gateway = createFakeGateway()
  const { clock } = gateway.clientOptions
  const file = freshFile()
  const shop = await openShop({ gateway, store: sqliteStore(file, { clock }) as unknown as Store<never> })
  await shop.customerPays((await shop.till.pay(basket)).address)
  await passes(shop)
  if (restored) await shop.till.start({ restored: true })
  const other = sqliteStore(file, { clock: () => clock() + ahead })
  await other.write('other', { body: '{}', due: null, list: null }, { id: 'i' })
  await other.close()
  return shop
}

it('purges nothing while the clocks are an hour apart', async () => {
  const shop = await shopOnFile(2 * year)
  await expect(shop.till.purge()).rejects.toMatchObject({
    code: 'ERR_STORE_CLOCK',
    message: expect.stringMatching(/^till\.purge: The store's clock says "20\d\d-.*nothing is purged\.$/),
  })
  expect((await shop.till.payment('basket-7')).state).toBe('paid')
  expect((await shop.till.pay(basket)).kind).toBe('over')
})

it('purges where they are less than that apart', async () => {
  const shop = await shopOnFile(59 * 60_000)
  expect(await shop.till.purge()).toEqual({ purged: 0 })
})

it('says so when a till is started, and by till.check', async () => {
  const shop = await shopOnFile(2 * year)
  const warnings = watchWarnings()
  await shop.till.start()
  expect(
    warnings('WARN_STORE_RISK', /^The store is not safe as it is \(clocks-apart\): The store's clock says/),
  ).toHaveLength(1)
  const [{ findings } = { findings: [] }] = await shop.till.check()
  expect(findings).toContainEqual(expect.objectContaining({ subject: 'store', verdict: 'cannot-tell' }))
})

it('goes on to count as restored: status is asked before a request is sent, as often as with a right clock', async () => {
  const asked = [0, 2 * year].map(async ahead => {
    const { till, gateway } = await shopOnFile(ahead, true)
    const before = gateway.calls('status').length
    await till.pay({ ...basket, reference: 'basket-8' })
    return gateway.calls('status').length - before
  })
  const [right, wrong] = await Promise.all(asked)
  expect(right).toBeGreaterThan(0)
  expect(wrong).toBe(right)
})
