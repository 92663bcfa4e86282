/** What came back from a database, where null stands for nothing. */

import type { Order, RememberedAttempt } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { closeShops, lagWith, openShop, part, sale, sold, unknown } from './resolving.js'

closeShops()

/** Null wherever an attempt may have nothing, as a table with a column for each gives it back. */
function asRow(attempt: RememberedAttempt): RememberedAttempt {
  const none = {
    endpointGroupId: null,
    clientOrderId: null,
    orderId: null,
    amount: null,
    currency: null,
    baseline: null,
  }
  const end = attempt.end === undefined ? null : { serialNumber: null, orderId: null, connection: null, ...attempt.end }
  return { ...none, ...attempt, end } as unknown as RememberedAttempt
}

describe('an attempt of such a table', () => {
  it('of a sale is resolved', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.sale(sale))
    expect(await shop.client.resolve(asRow(attempt))).toMatchObject({ kind: 'happened' })
  })

  it('of a sale whose amount was not kept is resolved', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('commit-then-drop')
    const { amount: _amount, currency: _currency, ...attempt } = await unknown(shop.client.sale(sale))
    expect(await shop.client.resolve(asRow(attempt))).toMatchObject({ kind: 'happened' })
  })

  it('without a baseline is not told from what was there before', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-1' }))
    await shop.rewrite(body => body.replace(/"baseline":\{[^}]*\}/, '"baseline":null'))
    expect(shop.store.attempts().at(-1)).not.toHaveProperty('baseline')
    await lagWith(shop, ids, { status: 'approved', transactionType: 'reversal', ...part })
    expect(await shop.client.resolve(asRow(attempt))).toMatchObject({ reason: 'no-baseline' })
  })

  it('over a number is refused, saying so', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = { ...(await unknown(shop.client.sale(sale))), amount: 10.42 } as unknown as RememberedAttempt
    const resolving = shop.client.resolve(attempt)
    await expect(resolving).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field: 'attempt' })
    await expect(resolving).rejects.toThrow('"amount" is a number')
  })
})

describe('a known order of such a table', () => {
  it('is asked about, and what is not known in it counts as nothing', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    const underWay = { stage: 'reversal', status: 'processing', outcome: null, serialNumber: null, amount: null }
    const known = {
      ...ids,
      orderId: null,
      stages: [{ ...underWay, currency: null, askedAt: 1, corrections: [] }],
    } as unknown as Order
    const view = await shop.client.order({ clientOrderId: ids.clientOrderId, known })
    expect(view.order.orderId).toBe(ids.orderId)
    expect(view.allowed).toEqual({ capture: false, void: false, return: undefined })
    expect(view.stages[0]).not.toHaveProperty('outcome')
  })
})
