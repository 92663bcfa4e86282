/** What came back from a database, where null stands for nothing. */

import type { AttemptsPort, Order, RememberedAttempt } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { memoryAttempts } from '../src/index.js'
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

/** A port on such a table. */
function table(): AttemptsPort {
  const attempts = memoryAttempts()
  return {
    async reserve(attempt) {
      const reservation = await attempts.reserve(attempt)
      return reservation.kind === 'reserved' ? reservation : { ...reservation, earlier: asRow(reservation.earlier) }
    },
    settled: attempts.settled,
    changesOf: async attempt => (await attempts.changesOf(attempt)).map(asRow),
  }
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
    const { baseline: _baseline, ...attempt } = await unknown(
      shop.client.return({ ...ids, ...part }, { attemptId: 'p-1' }),
    )
    await lagWith(shop, ids, { status: 'approved', transactionType: 'reversal', ...part })
    expect(await shop.client.resolve(asRow(attempt))).toMatchObject({ reason: 'no-baseline' })
  })

  it('is resolved beside others of it', async () => {
    const shop = await openShop({}, { attempts: table() })
    const ids = await sold(shop)
    await shop.client.return({ ...ids, amount: '1.00', currency: 'EUR' }, { attemptId: 'p-2' })
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-3' }))
    expect(await shop.client.resolve(asRow(attempt))).toMatchObject({ kind: 'happened' })
  })

  it('is not told from another one over the whole', async () => {
    const shop = await openShop({}, { attempts: table() })
    const ids = await sold(shop)
    await shop.client.return(ids)
    // Status lags behind: it shows the sale only when the next one is sent, and then a return.
    await lagWith(shop, ids, { status: 'approved', transactionType: 'sale', amount: '10.42', currency: 'EUR' })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-4' }))
    await lagWith(shop, ids, { status: 'approved', transactionType: 'reversal', ...part })
    expect(await shop.client.resolve(asRow(attempt))).toMatchObject({ reason: 'equal-change' })
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

describe('a port on such a table', () => {
  it('refuses with the earlier attempt, as a port in memory does', async () => {
    const shop = await openShop({}, { attempts: table() })
    const ids = await sold(shop)
    shop.gateway.faults.arm('commit-then-drop')
    await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-5' }))
    const refused = await shop.client.return(ids).catch(error => error)
    expect(refused).toMatchObject({ code: 'ERR_OPEN_CHANGE', openAttempt: { end: { kind: 'unknown' } } })
    expect(Object.values(refused.openAttempt)).not.toContain(null)
    expect(refused.orderId).toBe(ids.orderId)
  })

  it('says of an attempt without an end that it has not ended', async () => {
    const attempts = table()
    const shop = await openShop({}, { attempts: { ...attempts, settled: async () => {} } })
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-6' })
    await expect(shop.client.return(ids)).rejects.toThrow(
      'has not ended yet, and of two open changes it could not be told which one happened',
    )
    await expect(shop.client.return(ids)).rejects.toThrow('Wait for it.')
  })

  it.each([
    ['is no attempt', {}],
    ['is a text', 'sale'],
  ])('leaves the request unsent where the earlier one %s', async (_, earlier) => {
    const broken = { ...table(), reserve: async () => ({ kind: 'already-sent', earlier }) }
    const shop = await openShop({}, { attempts: broken as unknown as AttemptsPort })
    await expect(shop.client.sale(sale)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    expect(shop.gateway.calls()).toEqual([])
  })

  it('allows nothing while one of its changes is not among the stages', async () => {
    const shop = await openShop({}, { attempts: table() })
    const ids = await sold(shop)
    await shop.client.return(ids)
    await lagWith(shop, ids, { status: 'approved', transactionType: 'sale', amount: '10.42', currency: 'EUR' })
    const view = await shop.client.order(ids)
    expect(view).toMatchObject({ totals: undefined, allowed: { return: undefined } })
    expect(view.remarks.join(' ')).toMatch(/A return over the whole .* was accepted, and status does not show it/)
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
