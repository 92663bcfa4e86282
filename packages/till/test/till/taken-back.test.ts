/** Words of the gateway that an earlier one contradicts, about changes that nobody here has a serial number of. ADR 0087. */
import { describe, expect, it } from 'vitest'
import { ada, chargedShop, minute, passes } from './acts.js'
import type { Shop } from './shop.js'

/** Long enough for a callback to come again that was not answered. */
async function settles(shop: Shop): Promise<void> {
  for (const wait of [minute, 5 * minute, 30 * minute]) await passes(shop, wait)
}

/** The gateway's own people act on the order, and the till works. @returns The lines that the merchant was told. */
async function after(shop: Shop, ...acts: readonly Omit<Parameters<Shop['gateway']['act']>[0], 'orderId'>[]) {
  const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
  for (const act of acts) shop.gateway.act({ ...act, orderId })
  await settles(shop)
  return shop.told.splice(0)
}

const reverse = { action: 'reverse', amount: '3.00' } as const
const decline = { action: 'correct', status: 'declined' } as const
const approve = { action: 'correct', status: 'approved' } as const

/** The gateway has no callback left that it sends again. */
const areAnswered = ({ gateway }: Shop): boolean => gateway.callbacks.list().at(-1)?.httpStatus === 200

describe('a return that was made at the gateway, and that the gateway takes back', () => {
  it('is told as disputed, and a person says that it was taken back', async () => {
    const shop = await chargedShop()
    expect(await after(shop, reverse)).toEqual(['basket-7 returned 3.00'])
    expect(await after(shop, decline)).toEqual(['basket-7 disputed 3.00'])
    expect(areAnswered(shop)).toBe(true)
    expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'disputed', totals: undefined })
    await shop.till.decide('basket-7', { kind: 'settled', outcome: 'declined', ...ada })
    expect(await after(shop)).toEqual(['basket-7 failed 3.00'])
    const { state, totals } = await shop.till.payment('basket-7')
    expect([state, totals?.returned, totals?.returnable]).toEqual(['paid', '0.00', '10.00'])
    expect(await shop.till.questions('basket-7')).toEqual([])
    // And once more.
    expect(await after(shop, approve)).toEqual(['basket-7 returned 3.00'])
    expect((await shop.till.payment('basket-7')).uncertain).toContain('return over 3.00 EUR')
  })

  it('stands where a person says so, since the last word was about another one', async () => {
    const shop = await chargedShop()
    expect(await after(shop, reverse)).toEqual(['basket-7 returned 3.00'])
    expect(await after(shop, reverse, decline)).toEqual(['basket-7 disputed 3.00'])
    const [question] = await shop.till.questions('basket-7')
    expect(question).toMatchObject({ kind: 'disputed', words: ['approved', 'declined'] })
    await shop.till.decide('basket-7', { kind: 'settled', outcome: 'approved', ...ada })
    // The other one.
    expect(await after(shop)).toEqual(['basket-7 failed 3.00'])
    expect(await shop.till.questions('basket-7')).toEqual([])
    const { state, uncertain } = await shop.till.payment('basket-7')
    expect([state, uncertain]).toEqual(['paid', expect.stringContaining('return over 3.00 EUR')])
  })
})

it('a return of ours whose answer was lost, and that the gateway takes back, is told as disputed', async () => {
  const shop = await chargedShop()
  shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
  await shop.till.return('basket-7', { amount: '3.00', key: 'parcel' })
  expect(await after(shop)).toEqual(['basket-7 returned 3.00'])
  expect(await after(shop, decline)).toEqual(['basket-7 disputed 3.00'])
  expect(areAnswered(shop)).toBe(true)
  await shop.till.decide('basket-7', { kind: 'settled', outcome: 'declined', ...ada })
  expect(await after(shop)).toEqual(['basket-7 failed 3.00'])
  expect(await shop.till.questions('basket-7')).toEqual([])
  expect((await shop.till.payment('basket-7')).totals?.returned).toBe('0.00')
})

describe('several words at the gateway', () => {
  it('of one return: a person may confirm the one in the middle', async () => {
    const shop = await chargedShop()
    expect(await after(shop, reverse, decline)).toEqual(['basket-7 failed 3.00'])
    expect(await after(shop, approve)).toEqual(['basket-7 returned 3.00'])
    expect(await after(shop, reverse, decline)).toEqual(['basket-7 disputed 3.00'])
    const settled = { kind: 'settled', outcome: 'approved', ...ada } as const
    const refused = await shop.till.decide('basket-7', { ...settled, amount: '99.00' })
    expect(refused).toMatchObject({ because: 'status-differs', explanation: expect.stringContaining('named 3.00') })
    await shop.till.decide('basket-7', settled)
    await settles(shop)
    expect(await shop.till.questions('basket-7')).toEqual([])
    const { state, uncertain } = await shop.till.payment('basket-7')
    expect([state, uncertain]).toEqual(['paid', expect.stringContaining('return over 3.00 EUR')])
  })

  it('of two returns: a person tells them apart by their amounts', async () => {
    const shop = await chargedShop()
    const other = { ...reverse, amount: '2.00' }
    await after(shop, reverse)
    await after(shop, other)
    expect(await after(shop, decline)).toEqual(['basket-7 disputed 2.00'])
    expect(await after(shop, reverse, decline)).toEqual(['basket-7 disputed 3.00'])
    const settled = { kind: 'settled', ...ada } as const
    const which = await shop.till.decide('basket-7', { ...settled, outcome: 'declined' })
    expect(which).toMatchObject({ because: 'which', explanation: expect.stringContaining('reversal over 2.00 EUR') })
    for (const [amount, outcome] of [
      ['2.00', 'declined'],
      ['3.00', 'approved'],
    ] as const)
      expect(await shop.till.decide('basket-7', { ...settled, outcome, amount })).toMatchObject({ kind: 'done' })
    await settles(shop)
    expect(await shop.till.questions('basket-7')).toEqual([])
    const { state, uncertain } = await shop.till.payment('basket-7')
    expect([state, uncertain]).toEqual(['paid', expect.stringContaining('return over 3.00 EUR')])
  })
})

it('a return that failed at the gateway may hide another change, until its serial number is looked up', async () => {
  const shop = await chargedShop()
  shop.gateway.faults.arm({ fault: 'callback-never', times: 2 })
  expect(await after(shop, reverse, decline)).toEqual([])
  const { totals, uncertain } = await shop.till.ask('basket-7')
  expect(shop.told.splice(0)).toEqual(['basket-7 failed 3.00'])
  expect([totals, uncertain]).toEqual([undefined, expect.stringContaining('which failed')])
  const { stages = [] } = shop.gateway.orders.find('basket-7') ?? {}
  const serialNumbers = stages.flatMap(each => each.serialNumbers[0] ?? [])
  await shop.till.adopt({ reference: 'basket-7', serialNumbers })
  await settles(shop)
  expect((await shop.till.payment('basket-7')).totals?.returned).toBe('0.00')
  expect(shop.told).toEqual([])
})

it('a return that was declined at the gateway, and that the gateway approves at last, is told', async () => {
  const shop = await chargedShop()
  expect(await after(shop, reverse, decline)).toEqual(['basket-7 failed 3.00'])
  expect(await after(shop, approve)).toEqual(['basket-7 returned 3.00'])
  const { state, totals, uncertain } = await shop.till.payment('basket-7')
  expect([state, totals, uncertain]).toEqual(['paid', undefined, expect.stringContaining('return over 3.00 EUR')])
})

it('a hold that was released at the gateway, and that the gateway takes back, is not released for sure', async () => {
  const shop = await chargedShop(true)
  expect(await after(shop, { action: 'reverse' })).toEqual(['basket-7 released 10.00'])
  expect(await after(shop, decline)).toEqual(['basket-7 disputed 10.00'])
  expect((await shop.till.payment('basket-7')).state).toBe('disputed')
  await shop.till.decide('basket-7', { kind: 'settled', outcome: 'declined', ...ada })
  await settles(shop)
  expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'held', totals: { held: '10.00' } })
})
