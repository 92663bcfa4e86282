/** A hold that was given back, and the next order of its payment. Counted in the fake's books. */
import { expect, it } from 'vitest'
import { closeShops, openShop, part, preauthorized, sale } from './resolving.js'

closeShops()

const next = { ...sale, clientOrderId: 'o-1.2r' }

it('lets the next order be opened once status has shown that it was voided', async () => {
  const shop = await openShop()
  const ids = await preauthorized(shop)
  await expect(shop.client.preauth(next)).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT' })
  await shop.client.void(ids)
  await expect(shop.client.preauth(next)).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT' })
  await shop.client.status(ids)
  await shop.client.preauth(next)
  expect(shop.gateway.calls('preauth')).toHaveLength(2)
})

it('lets no other order be opened where a part of it was released', async () => {
  const shop = await openShop()
  const ids = await preauthorized(shop)
  await shop.client.return({ ...ids, ...part }, { attemptId: 'p-1' })
  await shop.client.status(ids)
  await expect(shop.client.preauth(next)).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT' })
  expect(shop.gateway.calls('preauth')).toHaveLength(1)
})
