/** A store that fails in the middle of a resolution. */
import { type Store, StoreError } from '@tillkit/protocol'
import { expect, it } from 'vitest'
import { closeShops, minute, openShop, sale, unknown } from './resolving.js'
import { oneTurn } from './watched-store.js'

closeShops()

async function lostSale() {
  const shop = await openShop()
  shop.gateway.faults.arm('drop')
  const attempt = await unknown(shop.client.sale(sale))
  await shop.gateway.clock.advance(60 * minute)
  return { shop, attempt }
}

it.each<[string, () => Promise<never>]>([
  ['fails', () => Promise.reject(new StoreError('ERR_STORE_CLOSED', 'The store was closed.'))],
  ['never answers', () => new Promise(() => {})],
])('resolve cannot tell yet where the store %s once status has answered', async (_, fail) => {
  const { shop, attempt } = await lostSale()
  let hasAnswered = false
  const read: Store['read'] = key => (hasAnswered ? fail() : shop.store.read(key))
  const observer = {
    exchange() {
      hasAnswered = true
    },
  }
  const client = shop.another({ store: { ...shop.store, read }, wait: oneTurn, observer })
  expect(await client.resolve(attempt)).toMatchObject({
    kind: 'cannot-tell-yet',
    reason: 'no-store',
    needsPerson: false,
    explanation: expect.stringContaining('The store'),
    evidence: { askedAt: expect.any(Number) },
    cause: { name: 'StoreError' },
  })
})

it('resolve does not wait for a store that never writes what it has learned, and the observer hears of it', async () => {
  const { shop, attempt } = await lostSale()
  const heard: unknown[] = []
  const write: Store['write'] = () => new Promise(() => {})
  const observer = { unsettled: (_: unknown, cause: unknown) => void heard.push(cause) }
  const client = shop.another({ store: { ...shop.store, write }, wait: oneTurn, observer })
  expect(await client.resolve(attempt)).toMatchObject({ kind: 'cannot-tell-yet', reason: 'one-answer' })
  expect(heard).toMatchObject([{ message: expect.stringContaining('the store did not take how far the way') }])
})
