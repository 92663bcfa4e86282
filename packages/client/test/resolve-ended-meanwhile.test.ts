/** An attempt whose ending was written by somebody else, while the caller still takes it for open. */
import { expect, it } from 'vitest'
import { closeShops, openShop, sale, unknown } from './resolving.js'

closeShops()

it.each(['not-sent', 'refused', 'no-trace'] as const)('did nothing where the store has it as %s by now', async kind => {
  const shop = await openShop()
  shop.gateway.faults.arm('drop')
  const attempt = await unknown(shop.client.sale(sale))
  await shop.another({}).decide(attempt, { kind, note: 'ticket 4711' })
  const resolution = await shop.client.resolve(attempt)
  expect(resolution).toEqual({ kind: 'no-trace', explanation: expect.stringContaining(kind), evidence: {} })
  expect(shop.gateway.calls('status')).toEqual([])
})
