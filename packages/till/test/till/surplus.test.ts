/** Two orders of a payment bring money, and the till gives the later one back: counted in the gateway's books. */
import { type DocumentStore, memoryStore, type Store } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTill, type Till } from '../../src/index.js'
import { sqliteStore } from '../../src/sqlite.js'
import { directory } from '../sqlite/ground.js'
import { passes } from './acts.js'
import { dyingStore } from './dying-store.js'
import { quickWait } from './quick-wait.js'
import { basket, lineOf, openShop, type Shop, type ShopOptions } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const minute = 60_000
const quiet = 3 * minute

/** Two forms of one payment, over 10.00 and then 12.00. */
async function openForms(shop: Pick<Shop, 'till'>, hold = false) {
  const first = await shop.till.pay({ ...basket, hold })
  const second = await shop.till.pay({ ...basket, hold, amount: '12.00' })
  return { first: first.address, second: second.address }
}

/** The customer pays 12.00, and then the first form, over 10.00, which is told as surplus. */
async function paysBoth(shop: Shop, hold = false) {
  const { first, second } = await openForms(shop, hold)
  await shop.customerPays(second)
  await shop.customerPays(first)
  await shop.gateway.callbacks.idle()
}

const surplusShop = (options: ShopOptions<never> = {}) =>
  openShop({ replaceOpenForm: true, surplus: 'return', ...options })

/** A shop whose surplus is told, and whose wish to give it back could not be sent yet. */
async function owingShop({ gateway = createFakeGateway(), ...options }: ShopOptions<never> = {}) {
  await gateway.listen()
  const shop: Shop = await surplusShop({
    ...options,
    gateway,
    accounts: [{ ...gateway.clientOptions, retries: 0 }],
    onOutcome: ({ kind }) => {
      if (kind === 'surplus') shop.gateway.faults.arm({ fault: 'refuse-connection', times: 99 })
    },
  })
  const warned = watchWarnings()
  await paysBoth(shop)
  await shop.till.tick()
  shop.gateway.faults.clear()
  expect(shop.told).toEqual(['basket-7 paid 12.00', 'basket-7 surplus 10.00'])
  expect(returnsOf(shop)).toEqual([])
  return { shop, warned }
}

/** Returns that arrived at the gateway: of which order, in their order. */
const returnsOf = ({ gateway }: Pick<Shop, 'gateway'>, name = 'return') =>
  gateway.calls(name).map(({ fields }) => fields.find(([field]) => field === 'client_orderid')?.[1] ?? '')

const orderId = ({ gateway }: Pick<Shop, 'gateway'>, clientOrderId: string) =>
  gateway.orders.find(clientOrderId)?.orderId ?? ''

const bothKept = ['basket-7 sale approved', 'basket-7.2r sale approved']
const laterReturned = ['basket-7 sale approved, reversal approved', 'basket-7.2r sale approved']
const paidReturned = ['basket-7 sale approved', 'basket-7.2r sale approved, reversal approved']
const toldAll = ['basket-7 paid 12.00', 'basket-7 surplus 10.00', 'basket-7 returned 10.00']

describe('a surplus', () => {
  it('is left to a person, unless the till is to give it back', async () => {
    const shop = await surplusShop({ surplus: 'person' })
    await paysBoth(shop)
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect([shop.books(), shop.told]).toEqual([bothKept, toldAll.slice(0, 2)])
    expect((await shop.till.report()).surplus.total).toBe(1)
  })

  it('is told once, returned once, and told as returned', async () => {
    const shop = await surplusShop()
    await paysBoth(shop)
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect([shop.books(), shop.told, returnsOf(shop)]).toEqual([laterReturned, toldAll, ['basket-7']])
    expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'paid', needsPerson: undefined })
    expect((await shop.till.report()).surplus.total).toBe(0)
  })

  it('of a hold is voided', async () => {
    const shop = await surplusShop()
    await paysBoth(shop, true)
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect(shop.books()).toEqual(['basket-7 preauth approved, void approved', 'basket-7.2r preauth approved'])
    expect(shop.told).toEqual(['basket-7 held 12.00', 'basket-7 surplus 10.00', 'basket-7 released 10.00'])
    expect([returnsOf(shop, 'void'), returnsOf(shop)]).toEqual([['basket-7'], []])
  })

  it('of two orders beside the one that was paid is given back twice, once of each', async () => {
    const shop = await surplusShop()
    const { first, second } = await openForms(shop)
    const { address } = await shop.till.pay({ ...basket, amount: '14.00' })
    for (const form of [address, first, second]) await shop.customerPays(form)
    await shop.gateway.callbacks.idle()
    for (let round = 0; round < 4; round += 1) await passes(shop, quiet)
    expect(shop.books()).toEqual([
      'basket-7 sale approved, reversal approved',
      'basket-7.2r sale approved, reversal approved',
      'basket-7.3r sale approved',
    ])
    expect(shop.told.toSorted()).toEqual(
      [
        'basket-7 paid 14.00',
        'basket-7 surplus 10.00',
        'basket-7 surplus 12.00',
        'basket-7 returned 10.00',
        'basket-7 returned 12.00',
      ].toSorted(),
    )
  })

  it('is refused as an option that is no such word', () => {
    const options = { account: createFakeGateway().clientOptions, address: 'https://shop.example/p', surplus: 'void' }
    const make = () =>
      createTill({ ...options, store: memoryStore(), returnTo: () => '/', onOutcome: () => {} } as never)
    expect(make).toThrow('it must be "person" or "return"')
  })
})

describe('a surplus that is not given back yet', () => {
  it('is, once it can be', async () => {
    const { shop } = await owingShop()
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect([shop.books(), shop.told, returnsOf(shop)]).toEqual([laterReturned, toldAll, ['basket-7']])
  })

  it.each(['at the till', 'at the gateway', 'at the gateway, without a callback'])(
    'is kept where the customer was given the other order back meanwhile, %s',
    async where => {
      const { shop, warned } = await owingShop()
      if (where.endsWith('callback')) shop.gateway.faults.arm({ fault: 'callback-never', times: 9 })
      if (where === 'at the till') await shop.till.return('basket-7.2r')
      else shop.gateway.act({ action: 'reverse', orderId: orderId(shop, 'basket-7.2r') })
      for (let round = 0; round < 4; round += 1) await passes(shop, quiet)
      expect([shop.books(), shop.told]).toEqual([paidReturned, [...toldAll.slice(0, 2), 'basket-7 returned 12.00']])
      expect(returnsOf(shop)).toEqual(where === 'at the till' ? ['basket-7.2r'] : [])
      expect(warned('WARN_WISH_GONE')).toEqual([expect.stringContaining('so this one is kept')])
    },
  )

  it('waits while it is not known whether the other order goes back', async () => {
    const { shop } = await owingShop()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
    shop.gateway.faults.arm({ fault: 'callback-never', times: 9 })
    shop.gateway.faults.arm({ fault: 'status-lags', times: 6 })
    await shop.till.return('basket-7.2r')
    for (let round = 0; round < 12; round += 1) await passes(shop, quiet)
    expect([shop.books(), returnsOf(shop)]).toEqual([paidReturned, ['basket-7.2r']])
  })

  it.each(['at the till', 'at the gateway'])('is done where a person gave it back, %s', async where => {
    const { shop, warned } = await owingShop()
    // "basket-7" names the payment: a person gives the first order back at the gateway, or with the client.
    if (where === 'at the till')
      await shop.till.client.return({ clientOrderId: 'basket-7', orderId: orderId(shop, 'basket-7') })
    else shop.gateway.act({ action: 'reverse', orderId: orderId(shop, 'basket-7') })
    for (let round = 0; round < 4; round += 1) await passes(shop, quiet)
    expect([shop.books(), shop.told]).toEqual([laterReturned, toldAll])
    expect(returnsOf(shop)).toEqual(where === 'at the till' ? ['basket-7'] : [])
    expect(warned('WARN_WISH_GONE')).toEqual([])
  })

  it('is left to a person where the gateway declines, after one try', async () => {
    const { shop } = await owingShop()
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return', times: 9 })
    for (let round = 0; round < 4; round += 1) await passes(shop, quiet)
    expect([shop.told.at(-1), returnsOf(shop)]).toEqual(['basket-7 failed 10.00', ['basket-7']])
    expect((await shop.till.report()).surplus).toMatchObject({ total: 1, items: [{ reference: 'basket-7' }] })
  })
})

/** Two tills on one file of SQLite. */
async function twoTills(meanwhile?: {
  readonly at: number
  readonly act: (other: Till, shop: Shop) => Promise<unknown>
}) {
  const gateway = createFakeGateway()
  const file = `${directory()}/shop.db`
  const open = () => {
    const store = sqliteStore(file, { clock: gateway.clientOptions.clock })
    onTestFinished(() => store.close())
    return store as unknown as Store<never>
  }
  const [mine, theirs] = [open(), open()]
  let calls = Number.NEGATIVE_INFINITY
  const step = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    calls += 1
    if (calls === meanwhile?.at) await meanwhile.act(other, shop)
    return call()
  }
  const watched: DocumentStore = {
    read: key => step(() => mine.read(key)),
    write: (key, entry, options) => step(() => mine.write(key, entry, options)),
    postpone: (key, version, due) => mine.postpone(key, version, due),
    take: options => mine.take(options),
    list: options => mine.list(options),
    close: async () => {},
  }
  const { shop } = await owingShop({ gateway, store: watched as Store<never> })
  const other = createTill({
    account: gateway.clientOptions,
    store: theirs,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    onOutcome: () => {},
    surplus: 'return',
    clock: gateway.clientOptions.clock,
    wait: quickWait,
  })
  onTestFinished(() => other.close())
  await gateway.clock.advance(quiet)
  calls = 0
  return { shop, other, calls: () => calls }
}

describe('two processes on one file', () => {
  it('give a surplus back once', async () => {
    const { shop, other } = await twoTills()
    await Promise.all([shop.till.tick(), other.tick(), shop.till.tick()])
    for (let round = 0; round < 3; round += 1) {
      await passes(shop, quiet)
      await other.tick()
    }
    expect([shop.books(), returnsOf(shop)]).toEqual([laterReturned, ['basket-7']])
  })

  it('never give both orders back, whenever the other one returns what was paid', async () => {
    const firsts: (string | undefined)[] = []
    // Those are the calls around the reservation; before them and after them it is the same as at the first and the last of them.
    for (let at = 14; at <= 19; at += 1) {
      const { shop, calls } = await twoTills({ at, act: other => other.return('basket-7.2r') })
      await shop.till.tick()
      expect(calls()).toBeGreaterThanOrEqual(at)
      await passes(shop, quiet)
      const [first, ...more] = returnsOf(shop)
      firsts.push(first)
      // Who returns what was paid after the surplus was given back wants the customer to have both.
      expect(more).toEqual(first === 'basket-7' ? ['basket-7.2r'] : [])
    }
    expect(new Set(firsts)).toEqual(new Set(['basket-7', 'basket-7.2r']))
  }, 200_000)
})

describe('a process that dies while it tells a surplus', () => {
  const told: string[] = []
  const deaths = Array.from({ length: 14 }, (_, at) => at + 4).flatMap(at => [
    { at, when: 'before' } as const,
    { at, when: 'after' } as const,
  ])

  it.each(deaths)('$when call $at of its store: the surplus is given back once', async death => {
    const gateway = createFakeGateway()
    const store = sqliteStore(`${directory()}/shop.db`, { clock: gateway.clientOptions.clock })
    onTestFinished(() => store.close())
    const shop = await surplusShop({ gateway, store: store as unknown as Store<never> })
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const { first, second } = await openForms(shop)
    await shop.customerPays(second)
    await shop.gateway.callbacks.idle()
    gateway.faults.arm({ fault: 'callback-never' })
    await shop.customerPays(first)
    // The customer has paid twice: the doomed till learns it, and dies somewhere on the way.
    const dying = dyingStore(store as unknown as DocumentStore, death)
    const doomed = createTill({
      account: gateway.clientOptions,
      store: dying.store as Store<never>,
      address: `${shop.origin}/payments`,
      returnTo: () => '/',
      onOutcome: outcome => void told.push(lineOf(outcome)),
      surplus: 'return',
      clock: gateway.clientOptions.clock,
      wait: quickWait,
    })
    await gateway.clock.advance(quiet)
    await Promise.race([doomed.tick(), dying.died])
    for (let round = 0; round < 6; round += 1) await passes(shop, 30 * minute)
    if (returnsOf(shop).length === 0) {
      // It died between the reservation and the request: status cannot show that, and the report says so.
      const { unknown } = await shop.till.report()
      expect(unknown.items).toMatchObject([{ reference: 'basket-7', requests: [{ operation: 'return' }] }])
      expect(dying.isDead()).toBe(true)
      return
    }
    expect([shop.books(), returnsOf(shop)]).toEqual([laterReturned, ['basket-7']])
    expect([...told.splice(0), ...shop.told]).toContain('basket-7 returned 10.00')
  })
})
