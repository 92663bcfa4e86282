/** Two persons, the gateway and a crash, at the moment of a decision: each line of the table of ADR 0049. */
import { type DocumentStore, memoryStore, type Store } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill, type DecisionRequest, type Till } from '../../src/index.js'
import { sqliteStore } from '../../src/sqlite.js'
import { directory } from '../sqlite/ground.js'
import { ada, bob, passes } from './acts.js'
import { type Death, dyingStore } from './dying-store.js'
import { quickWait } from './quick-wait.js'
import { basket, byCard, openShop, type Shop } from './shop.js'

const minute = 60_000
const quiet = 3 * minute

const failed: DecisionRequest = { kind: 'failed', ...ada }

/** Another process of the shop, on the same or a failing store. */
const another = (shop: Shop, store: DocumentStore): Till =>
  createTill({
    account: shop.gateway.clientOptions,
    store: store as Store<never>,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    onOutcome: () => new Promise<never>(() => {}),
    clock: shop.gateway.clientOptions.clock,
    wait: quickWait,
  })

type Gateway = ReturnType<typeof createFakeGateway>

const engines = [
  { engine: 'memoryStore', open: ({ clientOptions: { clock } }: Gateway) => memoryStore({ clock }) },
  {
    engine: 'sqliteStore',
    open: ({ clientOptions: { clock } }: Gateway) => sqliteStore(`${directory()}/shop.db`, { clock }),
  },
] as const

/** A card payment that was not answered; it never arrives, or an hour later. */
async function unknownShop(open: (gateway: Gateway) => DocumentStore, fault: 'drop' | 'delayed-commit' = 'drop') {
  const gateway = createFakeGateway()
  const store = open(gateway)
  const shop = await openShop({ gateway, store: store as Store<never> })
  gateway.faults.arm({ fault, operation: 'sale', ...(fault === 'drop' ? {} : { delay: 60 * minute }) })
  await shop.till.pay(byCard)
  await passes(shop)
  return { shop, store }
}

/** Two orders were paid. */
async function surplusShop(open: (gateway: Gateway) => DocumentStore) {
  const gateway = createFakeGateway()
  const store = open(gateway)
  const shop = await openShop({ gateway, store: store as Store<never>, replaceOpenForm: true })
  const first = await shop.till.pay(basket)
  const second = await shop.till.pay({ ...basket, amount: '12.00' })
  await shop.customerPays(second.address)
  await shop.customerPays(first.address)
  await gateway.callbacks.idle()
  return { shop, store }
}

const givenBack = ({ books }: Shop) => books().filter(line => line.includes('reversal'))

describe.each(engines)('at the moment of a decision, in $engine', ({ open }) => {
  it('two persons say the same: it is decided once, and one next order is opened', async () => {
    const { shop, store } = await unknownShop(open)
    const other = another(shop, store)
    const results = await Promise.all([
      shop.till.decide('basket-7', failed),
      other.decide('basket-7', { ...failed, ...bob }),
    ])
    expect(results.map(each => each.kind === 'done' && each.again).sort()).toEqual([false, true])
    await shop.till.pay(byCard)
    await passes(shop)
    expect(shop.books()).toEqual(['basket-7.2r sale approved'])
    await other.close()
  })

  it('status brings the answer before the decision is written: it is not written, and nothing is opened', async () => {
    const { shop, store } = await unknownShop(open, 'delayed-commit')
    let brought = 0
    const write: DocumentStore['write'] = async (key, entry, options) => {
      if (entry.body.includes('"decisions"') && brought === 0) {
        brought += 1
        shop.gateway.faults.arm('callback-never')
        await shop.gateway.clock.advance(60 * minute)
        await shop.till.client.status({ clientOrderId: 'basket-7' })
      }
      return store.write(key, entry, options)
    }
    const late = another(shop, { ...store, write })
    expect(await late.decide('basket-7', failed)).toMatchObject({ kind: 'refused', because: 'status-differs' })
    expect(brought).toBe(1)
    await passes(shop)
    expect((await shop.till.pay(byCard)).kind).toBe('over')
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(shop.books()).toEqual(['basket-7 sale approved'])
    await late.close()
  })

  it('two persons give back one order each: one goes back', async () => {
    const { shop, store } = await surplusShop(open)
    const other = another(shop, store)
    const give = (till: Till, order: string) => till.decide('basket-7', { kind: 'give-back', order, ...ada })
    const results = await Promise.all([give(shop.till, 'basket-7'), give(other, 'basket-7.2r')])
    expect(results.map(({ kind }) => kind).sort()).toEqual(['done', 'refused'])
    await passes(shop)
    expect(givenBack(shop)).toHaveLength(1)
    await other.close()
  })
})

const deaths: readonly Death[] = Array.from({ length: 10 }, (_, at) => at).flatMap(at => [
  { at, when: 'before' } as const,
  { at, when: 'after' } as const,
])

/** Lets a process die, and waits until nothing of it reaches the gateway any more. */
async function dies(shop: Shop, store: DocumentStore, death: Death, work: (till: Till) => Promise<unknown>) {
  const dying = dyingStore(store, death)
  const doomed = another(shop, dying.store)
  await Promise.race([dying.died, work(doomed).catch(() => {})])
  await new Promise(resolve => setImmediate(resolve))
}

describe('a process that dies while it takes a decision', () => {
  it.each(deaths)('$when call $at of its store: the same again is done, and one order is charged', async death => {
    const { shop, store } = await unknownShop(({ clientOptions: { clock } }) => memoryStore({ clock }))
    await dies(shop, store, death, till => till.decide('basket-7', failed))
    await shop.gateway.clock.advance(quiet)
    expect(await shop.till.decide('basket-7', failed)).toMatchObject({ kind: 'done' })
    await shop.till.pay(byCard)
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(shop.books()).toEqual(['basket-7.2r sale approved'])
  })

  it.each(deaths)('$when call $at of its store: an order is given back once, by whoever works next', async death => {
    const { shop, store } = await surplusShop(({ clientOptions: { clock } }) => memoryStore({ clock }))
    const decision: DecisionRequest = { kind: 'give-back', order: 'basket-7.2r', ...ada }
    await dies(shop, store, death, till => till.decide('basket-7', decision))
    await passes(shop)
    expect(await shop.till.decide('basket-7', decision)).toMatchObject({ kind: 'done' })
    await passes(shop)
    // It died between the reservation and the request: status cannot show that nothing was sent, so a person says so.
    for (const { kind } of await shop.till.questions('basket-7'))
      if (kind === 'unknown') expect(await shop.till.decide('basket-7', failed)).toMatchObject({ kind: 'done' })
    await passes(shop)
    expect(givenBack(shop)).toEqual(['basket-7.2r sale approved, reversal approved'])
    expect(shop.told.filter(line => line.includes('returned'))).toEqual(['basket-7 returned 12.00'])
    expect((await shop.till.payment('basket-7')).state).toBe('paid')
  })
})

describe('a decision that may have been written', () => {
  it('is found by who says it again: it is done once', async () => {
    const { shop, store } = await unknownShop(({ clientOptions: { clock } }) => memoryStore({ clock }))
    let lost = 0
    const write: DocumentStore['write'] = async (key, entry, options) => {
      const written = await store.write(key, entry, options)
      if (!entry.body.includes('"decisions"') || lost > 0) return written
      lost += 1
      throw new Error('the connection was cut')
    }
    const till = another(shop, { ...store, write })
    expect(await till.decide('basket-7', failed)).toMatchObject({ kind: 'done' })
    const { timeline } = await shop.till.payment('basket-7')
    expect([lost, timeline.filter(({ kind }) => kind === 'decision').length]).toEqual([1, 1])
    await till.close()
  })
})
