/** Open changes, store that status does not show, and what `client.resolve` refuses, over real HTTP. */

import { defineProfile, type RememberedAttempt } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { closeShops, openShop, part, preauthorized, sale, sold, unknown } from './resolving.js'

closeShops()

describe('an order with an open change', () => {
  it('takes no second one until the first is resolved', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    await unknown(shop.client.capture(ids))
    const second = shop.client.void(ids)
    await expect(second).rejects.toMatchObject({
      code: 'ERR_OPEN_CHANGE',
      moneyMayHaveMoved: true,
      openAttempt: { operation: 'capture', end: { kind: 'unknown' } },
    })
    await expect(second).rejects.toThrow('Resolve it first: client.resolve(error.openAttempt)')
    expect(shop.gateway.calls('void')).toHaveLength(0)
    const [, open] = shop.store.attempts()
    await shop.client.resolve(open as RememberedAttempt)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-1' })
    expect(shop.gateway.calls('return')).toHaveLength(1)
  })

  it('takes one again once a person has closed what could not be told', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-2' })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-3' }))
    await expect(shop.client.return({ ...ids, ...part }, { attemptId: 'p-4' })).rejects.toMatchObject({
      code: 'ERR_OPEN_CHANGE',
    })
    await shop.client.decide(attempt, { kind: 'no-trace', note: 'ticket 4711' })
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-5' })
    expect(shop.gateway.calls('return')).toHaveLength(3)
  })

  it('still takes what moves no money', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('drop')
    await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-6' }))
    expect(await shop.client.createCardRef(ids)).toMatchObject({ cardRefId: expect.any(String) })
  })
})

describe('an attempt that status does not show', () => {
  const recurring = {
    clientOrderId: 'r-1',
    currency: 'EUR',
    rpCardType: 'SRC',
    creditCardNumber: '4444444444444448',
    cardPrintedName: 'John Smith',
    expireMonth: '11',
    expireYear: '2083',
    amount: '5.00',
  } as const

  it('goes to a person where it may cause charges, without asking', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.createRecurringPayment(recurring))
    const resolution = await shop.client.resolve(attempt)
    expect(resolution).toMatchObject({ reason: 'no-status', needsPerson: true })
    expect(resolution.explanation).toContain('A person must look it up')
    expect(shop.gateway.calls('status')).toHaveLength(0)
  })

  it('is asked for where the profile says that status finds it', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.createRecurringPayment(recurring))
    const profile = defineProfile({ orderNeverSeen: '4711', statusFindsRecurringPayments: true })
    expect(await shop.another({ profile }).resolve(attempt)).toMatchObject({ reason: 'quiet-period' })
  })

  it('may be sent again by hand where it only makes a card reference', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const call = shop.client.createCardRef(ids)
    await expect(call).rejects.toMatchObject({ moneyMayHaveMoved: false, cause: { moneyMayHaveMoved: false } })
    const { explanation } = await shop.client.resolve(await unknown(call))
    expect(explanation).toContain('send it again if you need one')
    await shop.client.createCardRef(ids)
  })
})

describe('client.resolve', () => {
  it('refuses what is no attempt of its own', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const refused = async (other: unknown, field: string, message: string) =>
      expect(shop.client.resolve(other as RememberedAttempt)).rejects.toMatchObject({
        code: 'ERR_INVALID_REQUEST',
        field,
        message: expect.stringContaining(message),
      })
    await refused(undefined, 'attempt', 'is no attempt')
    await refused({ attemptId: 'a' }, 'attempt', 'is no attempt')
    await refused({ ...attempt, login: 'other' }, 'attempt', 'Hand over that merchant with "merchant"')
    await refused({ ...attempt, end: { kind: 'refused', at: 0 } }, 'attempt', 'ended refused')
    // Its own endpoint would be asked, which may never have seen the order.
    await refused({ ...attempt, endpointId: null }, 'attempt', 'must say where it was sent to')
    await refused({ ...attempt, endpointGroupId: '7' }, 'attempt', 'must say where it was sent to')
    expect(shop.gateway.calls('status')).toHaveLength(0)
  })

  it.each([
    [{ quietPeriod: 0 }, 'quietPeriod'],
    [{ apart: 1.5 }, 'apart'],
    [{ connectionClosed: 'yes' }, 'connectionClosed'],
    [{ position: { attemptId: 'another', quietSince: 0 } }, 'position'],
    [{ position: 'soon' }, 'position'],
    [{ quitePeriod: 1 }, 'quitePeriod'],
    [null, 'options'],
  ])('refuses the options %j', async (options, field) => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const call = shop.client.resolve(attempt, options as never)
    await expect(call).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field })
    if (field === 'quitePeriod') await expect(call).rejects.toThrow('Did you mean "quietPeriod"?')
    expect(shop.gateway.calls('status')).toHaveLength(0)
  })

  it('asks at the endpoint that the attempt was sent to', async () => {
    const shop = await openShop({ endpointGroupId: 7 })
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.sale(sale, { endpointGroupId: 7 }))
    expect(attempt).toMatchObject({ endpointGroupId: '7' })
    expect(await shop.client.resolve(attempt)).toMatchObject({ kind: 'happened' })
    expect(shop.gateway.calls('status')[0]).toMatchObject({ path: expect.stringContaining('/group/7') })
  })
})
