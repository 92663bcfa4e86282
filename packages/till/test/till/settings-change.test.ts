/** Settings that a person edits between two starts: the payments are found, and nothing is charged again. Counted in the gateway's books. */
import { describe, expect, it } from 'vitest'
import type { TillAccount } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { minute, passes } from './acts.js'
import { byCard, openShop } from './shop.js'
import { accountOf, twoMerchants } from './two-accounts.js'

/** Pays with the first account of a shop, and starts it again with others. */
async function startedAgain(before: readonly ('euro' | 'dollar')[], after: readonly ('euro' | 'dollar')[]) {
  const gateway = twoMerchants()
  const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
  const open = (logins: readonly ('euro' | 'dollar')[]) => {
    const accounts = logins.map((login): TillAccount => accountOf(gateway, login))
    return openShop({ gateway, store, accounts: accounts as [TillAccount] })
  }
  const first = await open(before)
  await first.till.pay(byCard)
  await passes(first, minute)
  await passes(first, minute)
  expect((await first.till.payment('basket-7')).state).toBe('paid')
  await first.till.close()
  return open(after)
}

describe('a till that is started again', () => {
  it.each([
    ['with its accounts in another order', ['euro', 'dollar'], ['dollar', 'euro']],
    ['with a new account in front', ['euro'], ['dollar', 'euro']],
  ] as const)('%s has the same payments', async (_, before, after) => {
    const shop = await startedAgain(before, after)
    expect((await shop.till.payment('basket-7')).state).toBe('paid')
    await expect(shop.till.pay(byCard)).resolves.toMatchObject({ payment: { state: 'paid' } })
    expect(shop.books()).toEqual(['basket-7 sale approved'])
    await shop.till.return('basket-7')
    await passes(shop, minute)
    await passes(shop, minute)
    expect(shop.books()).toEqual(['basket-7 sale approved, reversal approved'])
  })

  it('with another account alone, after a new contract, charges nobody again', async () => {
    const shop = await startedAgain(['euro'], ['dollar'])
    expect((await shop.till.payment('basket-7')).state).toBe('paid')
    // A new reference for it would charge twice.
    await expect(shop.till.pay({ ...byCard, account: 'dollar' })).rejects.toMatchObject({
      code: 'ERR_OTHER_PAYMENT',
      message: expect.not.stringContaining('new reference'),
    })
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })
})
