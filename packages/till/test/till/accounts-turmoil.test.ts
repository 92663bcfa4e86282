/** Payments of two accounts while one of them comes and goes, in an order that a seed decides. Counted in the gateway's books. */

import { expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { passes } from './acts.js'
import { byCard, openShop } from './shop.js'
import { accountOf, twoAccounts, twoMerchants } from './two-accounts.js'

/** Numbers from 0 to below 1, the same for the same seed. */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Lets some turns of the event loop pass. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

const seeds = Array.from({ length: 3 }, (_, seed) => seed)

it.each(seeds)('charges nobody twice, and says "not sent" only of what was not: seed %s', async seed => {
  const random = numbersOf(seed)
  const gateway = twoMerchants()
  await gateway.listen()
  const base = memoryStore({ clock: gateway.clientOptions.clock })
  const slow =
    <Parameters extends unknown[], Result>(call: (...given: Parameters) => Promise<Result>) =>
    async (...given: Parameters): Promise<Result> => {
      await turns(Math.floor(random() * 6))
      const result = await call(...given)
      await turns(Math.floor(random() * 6))
      return result
    }
  const store: DocumentStore = { ...base, read: slow(base.read), write: slow(base.write), list: slow(base.list) }
  const both = twoAccounts(gateway)
  const shop = await openShop({ gateway, store: store as Store<never>, accounts: both, name: 'shop' })
  let isOver = false
  const ends = { changed: 0, refused: 0 }
  const changing = (async () => {
    while (!isOver) {
      const next = random()
      const list = next < 0.5 ? [accountOf(gateway, 'euro')] : next < 0.75 ? both : [both[1], both[0]]
      await shop.till.accounts.set(list).then(
        () => (ends.changed += 1),
        error => {
          expect(error.code).toBe('ERR_ACCOUNT_IN_USE')
          ends.refused += 1
        },
      )
      await turns(Math.floor(random() * 40))
    }
  })()
  const said = new Map<string, string>()
  const pay = async (reference: string): Promise<void> => {
    await turns(Math.floor(random() * 200))
    const currency = random() < 0.3 ? 'EUR' : 'USD'
    const end = await shop.till.pay({ ...byCard, reference, currency }).then(
      ({ kind }) => kind,
      error => error.code ?? error.name,
    )
    said.set(reference, end)
  }
  await Promise.all(Array.from({ length: 16 }, (_, nth) => pay(`basket-${nth}`)))
  isOver = true
  await changing
  await shop.till.accounts.set(both)
  const sent = (reference: string): number =>
    gateway.orders.list().filter(each => each.clientOrderId === reference).length
  for (const [reference, end] of said)
    expect([reference, end, sent(reference)]).toEqual([
      reference,
      expect.stringMatching(/^(?:over|wait|go|ERR_NOT_SENT|TypeError)$/),
      end === 'ERR_NOT_SENT' || end === 'TypeError' ? 0 : 1,
    ])
  await passes(shop)
  await passes(shop)
  expect([...shop.told].sort()).toEqual(
    gateway.orders
      .list()
      .map(({ clientOrderId }) => `${clientOrderId} paid 10.00`)
      .sort(),
  )
})
