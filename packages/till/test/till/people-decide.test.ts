/** A person decides if no machine can know, counted in the gateway's books. */

import { describe, expect, it } from 'vitest'
import { createTill, type DecisionRequest, type Till } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { ada, bob, passes } from './acts.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, byCard, openShop, type Shop, type ShopOptions } from './shop.js'

const minute = 60_000

/** Longer than any request can be on its way. */
const quiet = 3 * minute

/** Another process of the shop. */
const another = (shop: Shop, store: Store<never>): Till =>
  createTill({
    account: readyAccount(shop.gateway),
    store,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    onOutcome: () => {},
    clock: shop.gateway.clientOptions.clock,
    wait: quickWait,
  })

/** A shop with a card payment that was not answered, when nothing of it can be on its way any more. */
async function unknownShop(fault: 'drop' | 'delayed-commit' = 'drop', options: ShopOptions<never> = {}) {
  const shop = await openShop(options)
  shop.gateway.faults.arm({ fault, operation: 'sale', ...(fault === 'drop' ? {} : { delay: 60 * minute }) })
  expect((await shop.till.pay(byCard)).kind).toBe('wait')
  await passes(shop, quiet)
  expect((await shop.till.pay(byCard)).kind).toBe('wait')
  return shop
}

describe('a request whose outcome stays unknown', () => {
  it('did nothing, as a person says: the next order is opened, and one is paid', async () => {
    const shop = await unknownShop()
    expect(await shop.till.questions('basket-7')).toMatchObject([
      { kind: 'unknown', order: 'basket-7', operation: 'sale', amount: '10.00', currency: 'EUR', proposed: [] },
    ])
    const result = await shop.till.decide('basket-7', { kind: 'failed', ...ada })
    expect(result).toMatchObject({ kind: 'done', again: false, payment: { state: 'declined' } })
    expect(await shop.till.questions('basket-7')).toEqual([])
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(shop.books()).toEqual(['basket-7.2r sale approved'])
  })

  it('did nothing, as a person says: the gateway says so as well, and nobody is warned of that', async () => {
    const heard: string[] = []
    const shop = await unknownShop('drop', { onReport: ({ kind }) => heard.push(kind) })
    expect(heard).toContain('no-answer')
    await shop.till.decide('basket-7', { kind: 'failed', ...ada })
    heard.length = 0
    const before = shop.gateway.calls('status').length
    for (let times = 0; times < 3; times += 1) await passes(shop, 60 * minute)
    expect(shop.gateway.calls('status').length).toBeGreaterThan(before)
    expect(heard.filter(kind => kind !== 'not-final' && kind !== 'told' && kind !== 'known')).toEqual([])
  })

  it('is paid, as the gateway says later: its word counts, and nothing was opened meanwhile', async () => {
    const shop = await unknownShop('delayed-commit')
    await shop.till.decide('basket-7', { kind: 'failed', ...ada })
    // No callback comes: what a person gave up is watched.
    shop.gateway.faults.arm('callback-never')
    await passes(shop, 60 * minute)
    await passes(shop, 60 * minute)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect((await shop.till.pay(byCard)).kind).toBe('over')
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })

  it('is surplus, as the gateway says after the next one was paid', async () => {
    const shop = await unknownShop('delayed-commit')
    await shop.till.decide('basket-7', { kind: 'failed', ...ada })
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    await passes(shop, 60 * minute)
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 surplus 10.00'])
  })

  it('is asked about right before the next order is opened', async () => {
    const shop = await unknownShop('delayed-commit')
    await shop.till.decide('basket-7', { kind: 'failed', ...ada })
    shop.gateway.faults.arm('callback-never')
    await shop.gateway.clock.advance(60 * minute)
    expect((await shop.till.pay(byCard)).kind).toBe('over')
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })

  it('is not given up while status shows it, does not answer, or its answer may still come', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    shop.gateway.faults.arm({ fault: 'callback-never', operation: 'sale' })
    await shop.till.pay(byCard)
    const failed: DecisionRequest = { kind: 'failed', ...ada }
    shop.gateway.faults.arm({ fault: 'drop', operation: 'status', times: 9 })
    expect(await shop.till.decide('basket-7', failed)).toMatchObject({ kind: 'refused', because: 'no-answer' })
    shop.gateway.faults.clear()
    expect(await shop.till.decide('basket-7', failed)).toMatchObject({ kind: 'refused' })
    expect((await shop.till.pay(byCard)).kind).not.toBe('go')
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })

  it('is not given up before every wait for its answer is over', async () => {
    const shop = await openShop()
    const never = new Promise<never>(() => {})
    const kept = memoryStore({ clock: shop.gateway.clientOptions.clock })
    let writes = 0
    // The process is gone right after the reservation.
    const write: typeof kept.write = async (...given) => {
      const written = await kept.write(...given)
      writes += 1
      return writes === 1 ? never : written
    }
    const doomed = another(shop, { ...kept, write } as Store<never>)
    void doomed.pay(byCard).catch(() => {})
    while (writes === 0) await new Promise(resolve => setImmediate(resolve))
    const till = another(shop, kept as Store<never>)
    expect(await till.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({
      kind: 'refused',
      because: 'under-way',
    })
    await shop.gateway.clock.advance(quiet)
    expect(await till.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({ kind: 'done' })
    expect(shop.gateway.calls('sale')).toEqual([])
  })

  it('is at the gateway under another id, once status by that id says so, and under no other', async () => {
    const shop = await unknownShop('delayed-commit')
    await shop.till.pay({ ...byCard, reference: 'basket-8' })
    const foreign = shop.gateway.orders.find('basket-8')?.orderId ?? ''
    for (const orderId of [foreign, '999999'])
      expect(await shop.till.decide('basket-7', { kind: 'arrived', orderId, ...ada })).toMatchObject({
        kind: 'refused',
        because: 'status-differs',
      })
    expect((await shop.till.payment('basket-7')).state).toBe('unknown')
    shop.gateway.faults.arm('callback-never')
    await shop.gateway.clock.advance(60 * minute)
    const orderId = shop.gateway.orders.find('basket-7')?.orderId ?? ''
    expect(await shop.till.decide('basket-7', { kind: 'arrived', orderId, ...ada })).toMatchObject({
      kind: 'done',
      again: false,
      decision: { who: 'ada', why: 'ticket 4711', matter: { kind: 'arrived', orderId } },
      payment: { state: 'paid' },
    })
    expect(shop.told.filter(line => line.startsWith('basket-7'))).toEqual(['basket-7 paid 10.00'])
  })
})

describe('a change whose outcome stays unknown', () => {
  async function lostReturn() {
    const shop = await openShop()
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    shop.gateway.faults.arm({ fault: 'drop', operation: 'return' })
    expect((await shop.till.return('basket-7')).kind).toBe('unknown')
    await passes(shop, quiet)
    expect((await shop.till.return('basket-7')).again).toBe(true)
    return shop
  }
  const returns = ({ gateway }: Shop) =>
    (gateway.orders.find('basket-7')?.stages ?? []).filter(({ stage }) => stage === 'reversal')

  it('did nothing, as a person says: it is sent again, once', async () => {
    const shop = await lostReturn()
    expect(await shop.till.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({ kind: 'done' })
    expect(await shop.till.return('basket-7')).toMatchObject({ kind: 'sent', again: false })
    expect(await shop.till.return('basket-7')).toMatchObject({ kind: 'sent', again: true })
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 returned 10.00'])
    expect(returns(shop)).toHaveLength(1)
  })

  it('did not fail where status shows it', async () => {
    const shop = await openShop()
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
    shop.gateway.faults.arm({ fault: 'callback-never', operation: 'return' })
    await shop.till.return('basket-7')
    await shop.gateway.clock.advance(quiet)
    expect(await shop.till.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({ kind: 'refused' })
    expect(await shop.till.return('basket-7')).toMatchObject({ again: true })
    expect(returns(shop)).toHaveLength(1)
  })

  it('is at the gateway under no serial number that status does not know as such a change', async () => {
    const shop = await lostReturn()
    const sale = shop.gateway.orders.find('basket-7')?.stages[0]?.serialNumbers[0] ?? ''
    for (const serialNumber of [sale, 'no-such-number'])
      expect(await shop.till.decide('basket-7', { kind: 'arrived', serialNumber, ...ada })).toMatchObject({
        kind: 'refused',
        because: 'status-differs',
      })
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })
})

describe('a payment about which the gateway contradicts itself', () => {
  const correct = (shop: Shop, status: 'approved' | 'declined') =>
    shop.gateway.act({ action: 'correct', status, orderId: shop.gateway.orders.find('basket-7')?.orderId ?? '' })

  async function disputed(words: readonly ('approved' | 'declined')[]) {
    const shop = await openShop()
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    for (const word of words) {
      correct(shop, word)
      await passes(shop, minute)
    }
    await expect(shop.till.pay(byCard)).rejects.toMatchObject({ code: 'ERR_NEEDS_PERSON' })
    return shop
  }

  it('is declined, as status says and a person: the next order is opened, and a later approval is surplus', async () => {
    const shop = await disputed(['declined'])
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 disputed 10.00'])
    expect(await shop.till.questions('basket-7')).toMatchObject([
      { kind: 'disputed', order: 'basket-7', stage: 'sale', words: ['approved', 'declined'] },
    ])
    expect(await shop.till.decide('basket-7', { kind: 'settled', outcome: 'approved', ...ada })).toMatchObject({
      kind: 'refused',
      because: 'status-differs',
    })
    expect(await shop.till.decide('basket-7', { kind: 'settled', outcome: 'declined', ...ada })).toMatchObject({
      kind: 'done',
      payment: { state: 'declined', needsPerson: undefined },
      decision: { before: { status: 'approved', corrections: [{ to: 'declined' }] } },
    })
    expect(shop.told.at(-1)).toBe('basket-7 declined 10.00')
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    expect(shop.told.slice(3)).toEqual(['basket-7 paid 10.00'])
    correct(shop, 'approved')
    await passes(shop, quiet)
    expect(shop.told.slice(3)).toEqual(['basket-7 paid 10.00', 'basket-7 surplus 10.00'])
  })

  it('is approved after all: it stands, and is not told as paid a second time', async () => {
    const shop = await disputed(['declined', 'approved'])
    const before = shop.told.length
    expect(await shop.till.decide('basket-7', { kind: 'settled', outcome: 'approved', ...ada })).toMatchObject({
      kind: 'done',
      payment: { state: 'paid', totals: { captured: '10.00' } },
    })
    await passes(shop, quiet)
    expect(shop.told.slice(before)).toEqual([])
    expect(shop.told.filter(line => line.includes('paid'))).toHaveLength(1)
    expect((await shop.till.pay(byCard)).kind).toBe('over')
    await shop.till.return('basket-7')
    await passes(shop, quiet)
    expect(shop.told.at(-1)).toBe('basket-7 returned 10.00')
    expect(shop.books()).toHaveLength(1)
  })

  it('is told as paid where it was not told so before', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address, '101')
    await shop.gateway.callbacks.idle()
    // All of it is heard at once: declined, approved, declined, approved.
    for (const word of ['approved', 'declined', 'approved'] as const) {
      shop.gateway.faults.arm('callback-never')
      correct(shop, word)
      await shop.till.client.status({ clientOrderId: 'basket-7' })
      await shop.gateway.clock.advance(1_000)
    }
    await passes(shop, minute)
    expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 disputed 10.00'])
    await shop.till.decide('basket-7', { kind: 'settled', outcome: 'approved', ...ada })
    expect(shop.told.at(-1)).toBe('basket-7 paid 10.00')
  })

  it('is disputed again where the gateway contradicts itself after the decision', async () => {
    const shop = await disputed(['declined', 'approved'])
    await shop.till.decide('basket-7', { kind: 'settled', outcome: 'approved', ...ada })
    correct(shop, 'declined')
    await passes(shop, quiet)
    expect(shop.told.at(-1)).toBe('basket-7 disputed 10.00')
    await expect(shop.till.pay(byCard)).rejects.toMatchObject({ code: 'ERR_NEEDS_PERSON' })
    expect(await shop.till.decide('basket-7', { kind: 'settled', outcome: 'approved', ...bob })).toMatchObject({
      kind: 'refused',
    })
  })
})

/** Two orders were paid. */
async function surplusShop(options: ShopOptions<never> = {}) {
  const shop = await openShop({ replaceOpenForm: true, ...options })
  const first = await shop.till.pay(basket)
  const second = await shop.till.pay({ ...basket, amount: '12.00' })
  await shop.customerPays(second.address)
  await shop.customerPays(first.address)
  await shop.gateway.callbacks.idle()
  expect(shop.told.splice(0)).toEqual(['basket-7 paid 12.00', 'basket-7 surplus 10.00'])
  return shop
}

const givenBack = ({ books }: Shop) => books().filter(line => line.includes('reversal'))

describe('a surplus', () => {
  it('is given back as a person says, once, however often it is said', async () => {
    const shop = await surplusShop()
    const decision: DecisionRequest = { kind: 'give-back', order: 'basket-7.2r', ...ada }
    expect(await shop.till.decide('basket-7', decision)).toMatchObject({ kind: 'done', again: false })
    expect(await shop.till.decide('basket-7', { ...decision, ...bob })).toMatchObject({ kind: 'done', again: true })
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 returned 12.00'])
    expect(givenBack(shop)).toEqual(['basket-7.2r sale approved, reversal approved'])
    expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'paid', amount: '10.00' })
  })

  it('is one order, though two people name both at once', async () => {
    const shop = await surplusShop()
    const results = await Promise.all(
      ['basket-7', 'basket-7.2r'].map(order => shop.till.decide('basket-7', { kind: 'give-back', order, ...ada })),
    )
    expect(results.map(({ kind }) => kind).sort()).toEqual(['done', 'refused'])
    await passes(shop, quiet)
    expect(givenBack(shop)).toHaveLength(1)
  })

  it('can be given back again after the return failed', async () => {
    const shop = await surplusShop()
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return' })
    const decision: DecisionRequest = { kind: 'give-back', order: 'basket-7.2r', ...ada }
    await shop.till.decide('basket-7', decision)
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 failed 12.00'])
    expect(await shop.till.decide('basket-7', decision)).toMatchObject({ kind: 'done', again: false })
    await passes(shop, quiet)
    expect(givenBack(shop)).toEqual(['basket-7.2r sale approved, reversal declined, reversal approved'])
  })

  it('is none where one order was paid', async () => {
    const shop = await openShop()
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    const wanted: readonly DecisionRequest[] = [
      { kind: 'give-back', order: 'basket-7', ...ada },
      { kind: 'failed', ...ada },
      { kind: 'settled', outcome: 'declined', ...ada },
      { kind: 'arrived', orderId: '17', ...ada },
    ]
    for (const decision of wanted)
      expect(await shop.till.decide('basket-7', decision)).toMatchObject({
        kind: 'refused',
        because: 'nothing-to-decide',
        payment: { state: 'paid' },
      })
    expect(givenBack(shop)).toEqual([])
  })
})

describe('an outcome whose handler keeps failing', () => {
  it('counts as told once a person skips it, and the next one is told', async () => {
    const shop = await openShop({
      onOutcome: ({ kind }) => {
        if (kind === 'paid') throw new Error('no such order in the shop')
      },
    })
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    await shop.till.return('basket-7')
    await passes(shop, quiet)
    expect(shop.told).toEqual([])
    const [question] = await shop.till.questions('basket-7')
    expect(question).toMatchObject({ kind: 'failing', order: 'basket-7', stage: 'sale' })
    const outcome = question?.kind === 'failing' ? question.outcome : ''
    expect(await shop.till.decide('basket-7', { kind: 'skip', outcome: `${outcome}0`, ...ada })).toMatchObject({
      because: 'nothing-to-decide',
    })
    expect(await shop.till.decide('basket-7', { kind: 'skip', outcome, ...ada })).toMatchObject({ kind: 'done' })
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 returned 10.00'])
    // Said twice, it skips no other.
    expect(await shop.till.decide('basket-7', { kind: 'skip', outcome, ...bob })).toMatchObject({ again: true })
  })
})
