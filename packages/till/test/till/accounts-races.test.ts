/** Accounts are changed meanwhile: in this process, and in another one that still has the old ones. Counted in the gateway's books. */

import { describe, expect, it } from 'vitest'
import type { TillAccount } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { passes } from './acts.js'
import { heldStore } from './held-store.js'
import { basket, byCard, openShop } from './shop.js'
import { accountOf, booksOf, twoAccounts, twoMerchants } from './two-accounts.js'

const dollars = { ...byCard, reference: 'basket-8', currency: 'USD' }
const sale = {
  ...{ clientOrderId: 'basket-8', amount: '10.00', currency: 'USD', email: 'joan@customer.example' },
  ...{
    creditCardNumber: '4444444444444448',
    cardPrintedName: 'JOAN BAKER',
    expireMonth: '12',
    expireYear: '2099',
    cvv2: '123',
  },
}

/** A dispatcher that holds every sale until it is let go. */
function heldDispatcher({ dispatcher }: Pick<ReturnType<typeof twoMerchants>, 'dispatcher'>) {
  let goOn = () => {}
  const gone = new Promise<void>(resolve => {
    goOn = resolve
  })
  let reach = () => {}
  const reached = new Promise<void>(resolve => {
    reach = resolve
  })
  const held: NonNullable<TillAccount['dispatcher']> = {
    reportsStart: true,
    dispatch(options, handler) {
      if (!options.path.includes('/sale/')) return dispatcher.dispatch(options, handler)
      reach()
      void gone.then(() => dispatcher.dispatch(options, handler))
      return true
    },
  }
  return { dispatcher: held, reached, goOn: () => goOn() }
}

async function openBoth(
  accountsOf: (gateway: ReturnType<typeof twoMerchants>) => readonly TillAccount[] = twoAccounts,
) {
  const gateway = twoMerchants()
  await gateway.listen()
  const base = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
  const held = heldStore(base)
  const shop = await openShop({
    gateway,
    store: held.store as Store<never>,
    accounts: accountsOf(gateway),
    name: 'shop',
  })
  const [euro, dollar] = twoAccounts(gateway)
  return { gateway, base, shop, stop: held.stop, euro, dollar, accounts: shop.till.accounts }
}

const logins = ({ accounts }: Pick<Awaited<ReturnType<typeof openBoth>>, 'accounts'>) =>
  accounts.list().map(({ login }) => login)

describe('a payment that begins while its account goes', () => {
  it('stops that, where it is paid after the store was looked through', async () => {
    const { shop, gateway, stop, euro, accounts } = await openBoth()
    const looked = stop('list')
    const set = accounts.set([euro]).catch(error => error)
    await looked.reached
    // The page that was read does not have it.
    await shop.till.pay(dollars)
    looked.goOn()
    expect(await set).toMatchObject({ code: 'ERR_ACCOUNT_IN_USE', openPayments: 1 })
    expect(logins({ accounts })).toEqual(['euro', 'dollar'])
    await passes(shop)
    expect(shop.told).toEqual(['basket-8 paid 10.00'])
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
  })

  it('stops that, where its request is on its way, and ends as it began', async () => {
    const held: { by?: ReturnType<typeof heldDispatcher> } = {}
    const { shop, gateway, euro, accounts } = await openBoth(gateway => {
      held.by = heldDispatcher(gateway)
      return [accountOf(gateway, 'euro'), accountOf(gateway, 'dollar', { dispatcher: held.by.dispatcher })]
    })
    const paid = shop.till.pay(dollars)
    await held.by?.reached
    await expect(accounts.set([euro])).rejects.toMatchObject({ code: 'ERR_ACCOUNT_IN_USE', openPayments: 1 })
    held.by?.goOn()
    await paid
    await passes(shop)
    expect(shop.told).toEqual(['basket-8 paid 10.00'])
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
  })

  it('is not sent, where its account had gone before it was reserved', async () => {
    const { shop, gateway, stop, euro, accounts } = await openBoth()
    const begun = stop('read')
    const paid = shop.till.pay({ ...dollars, account: 'dollar' }).catch(error => error)
    await begun.reached
    await accounts.set([euro])
    begun.goOn()
    expect(await paid).toBeInstanceOf(TypeError)
    expect(booksOf(gateway)).toEqual([])
    expect((await shop.till.payment('basket-8')).state).toBe('new')
  })

  it.each([
    ['till.pay', 'basket-8'],
    // The client is asked for another request: it gets an order of its own.
    ['till.client', 'basket-8.2r'],
  ])('is not sent by %s, where its account goes while it is reserved, and is paid once later', async (by, order) => {
    const { shop, gateway, stop, euro, dollar, accounts } = await openBoth()
    const reserved = stop('write')
    const paid = (by === 'till.pay' ? shop.till.pay(dollars) : shop.till.client.sale(sale)).catch(error => error)
    await reserved.reached
    await accounts.set([euro])
    reserved.goOn()
    expect(await paid).toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
    expect(booksOf(gateway)).toEqual([])
    // Another account does not take the payment over.
    await expect(shop.till.pay({ ...dollars, account: 'euro' })).rejects.toMatchObject({ code: 'ERR_OTHER_PAYMENT' })
    await accounts.set([euro, dollar])
    await shop.till.pay(dollars)
    await passes(shop)
    expect(shop.told).toEqual(['basket-8 paid 10.00'])
    expect(booksOf(gateway)).toEqual([`dollar ${order} sale approved`])
  })
})

describe('a payout whose recipient was checked, and whose account goes', () => {
  it('is not sent, and is sent once when the account is back', async () => {
    const { shop, gateway, stop, euro, dollar, accounts } = await openBoth()
    const payout = {
      ...{ reference: 'share-1', amount: '10.00', currency: 'USD', account: 'dollar', checked: true },
      ...{ accountNumber: 'NL91ABNA0417164300' },
    }
    await shop.till.payout(payout)
    await passes(shop)
    expect(shop.told).toEqual(['share-1 verified 10.00'])
    const reserved = stop('write')
    const paid = shop.till.payout(payout).catch(error => error)
    await reserved.reached
    await accounts.set([euro])
    reserved.goOn()
    expect(await paid).toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
    expect(gateway.calls('payoutPay')).toHaveLength(0)
    await accounts.set([euro, dollar])
    await shop.till.payout(payout)
    await passes(shop)
    expect(shop.told).toEqual(['share-1 verified 10.00', 'share-1 sent 10.00'])
    expect(gateway.calls('payoutPay')).toHaveLength(1)
  })
})

describe('a return under way whose account goes', () => {
  it('is not sent, and is sent once when the account is back', async () => {
    const { shop, gateway, stop, euro, dollar, accounts } = await openBoth()
    await shop.till.pay(dollars)
    await passes(shop)
    const reserved = stop('write')
    const returned = shop.till.return('basket-8').catch(error => error)
    await reserved.reached
    await accounts.set([euro])
    reserved.goOn()
    expect(await returned).toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
    await accounts.set([dollar, euro])
    await shop.till.return('basket-8')
    await passes(shop)
    expect(shop.told).toEqual(['basket-8 paid 10.00', 'basket-8 returned 10.00'])
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved, reversal approved'])
  })
})

describe('a request under way whose key is replaced', () => {
  it('ends as it began', async () => {
    const held: { by?: ReturnType<typeof heldDispatcher> } = {}
    const { shop, gateway, euro, dollar, accounts } = await openBoth(gateway => {
      held.by = heldDispatcher(gateway)
      return [accountOf(gateway, 'euro'), accountOf(gateway, 'dollar', { dispatcher: held.by.dispatcher })]
    })
    const paid = shop.till.pay(dollars)
    await held.by?.reached
    // The gateway does not know the new key.
    await accounts.set([euro, { ...dollar, controlKey: 'K-DOLLAR-0002', previousControlKeys: ['K-DOLLAR-0001'] }])
    held.by?.goOn()
    await paid
    await accounts.set([euro, dollar])
    await passes(shop)
    await passes(shop)
    expect(shop.told).toEqual(['basket-8 paid 10.00'])
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
    expect(gateway.calls('sale').map(({ verdict }) => verdict)).toEqual(['accepted'])
  })
})

describe('two changes at once', () => {
  it('come one after the other: the later one counts', async () => {
    const { stop, euro, dollar, accounts } = await openBoth()
    const looked = stop('list')
    const first = accounts.set([euro])
    await looked.reached
    const second = accounts.set([dollar, euro])
    await Promise.resolve()
    expect(logins({ accounts })).toEqual(['euro', 'dollar'])
    looked.goOn()
    await Promise.all([first, second])
    expect(logins({ accounts })).toEqual(['dollar', 'euro'])
  })

  it('are each all or nothing: one that is refused stops no other', async () => {
    const { shop, gateway, euro, dollar, accounts } = await openBoth()
    await shop.till.pay(dollars)
    const ends = await Promise.allSettled([accounts.set([euro]), accounts.set([dollar]), accounts.set([euro])])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
    expect(logins({ accounts })).toEqual(['dollar'])
    await passes(shop)
    expect(shop.told).toEqual(['basket-8 paid 10.00'])
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
  })
})

describe('a change that does not come about', () => {
  it('changes nothing where the store fails', async () => {
    const { gateway, base, euro, dollar } = await openBoth()
    const store: Store<never> = {
      ...base,
      list: () => Promise.reject(new StoreError('ERR_STORE_UNREADABLE', 'The connection was cut.')),
    }
    const shop = await openShop({ gateway, store, accounts: [euro, dollar], name: 'shop-2', before: () => {} })
    await expect(shop.till.accounts.set([euro])).rejects.toMatchObject({ code: 'ERR_STORE_UNREADABLE' })
    expect(logins(shop.till)).toEqual(['euro', 'dollar'])
    // Nothing goes, and so the store is not looked through.
    await shop.till.accounts.set([dollar, euro])
    expect(logins(shop.till)).toEqual(['dollar', 'euro'])
    Object.assign(store, { list: base.list })
  })

  it('changes nothing once the till is closed', async () => {
    const { shop, stop, euro, dollar, accounts } = await openBoth()
    const looked = stop('list')
    const set = accounts.set([euro]).catch(error => error)
    await looked.reached
    await shop.till.close()
    looked.goOn()
    expect((await set).message).toContain('this till was closed')
    await expect(accounts.set([euro, dollar])).rejects.toThrow('this till was closed')
    await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
  })
})

describe('another process of the till that still has the old accounts', () => {
  it('ends what it takes with them, and nobody takes it twice', async () => {
    const { shop, gateway, base, euro, accounts } = await openBoth()
    const old = await openShop({ gateway, store: base, accounts: twoAccounts(gateway), name: 'shop' })
    await accounts.set([euro])
    gateway.faults.arm({ fault: 'callback-never', times: 1 })
    const { address } = await old.till.pay({ ...basket, reference: 'basket-8', currency: 'USD' })
    // This one opens no second order of it, whatever it is asked with, and asks nobody who could not know.
    for (const account of ['euro', undefined])
      await expect(
        shop.till.pay({ ...basket, reference: 'basket-8', currency: 'USD', ...(account && { account }) }),
      ).rejects.toThrow()
    await expect(shop.till.pay({ ...basket, reference: 'basket-8' })).rejects.toMatchObject({
      code: 'ERR_OTHER_PAYMENT',
    })
    await old.customerPays(address)
    // Either may look first: it is told once, by the one that has the account.
    await gateway.clock.advance(180_000)
    await shop.till.tick()
    await gateway.clock.advance(180_000)
    await old.till.tick()
    await shop.till.tick()
    expect([shop.told, old.told]).toEqual([[], ['basket-8 paid 10.00']])
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
    expect(new Set(gateway.calls().map(({ path }) => path.slice(-2)))).toEqual(new Set(['42']))
  })

  it('has an order asked about by its own account or by nobody', async () => {
    const { shop, gateway, base, stop, euro, accounts } = await openBoth()
    const old = await openShop({ gateway, store: base, accounts: twoAccounts(gateway), name: 'shop' })
    const looked = stop('list')
    const set = accounts.set([euro])
    await looked.reached
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    gateway.faults.arm({ fault: 'callback-never', operation: 'sale' })
    await old.till.pay(dollars)
    // The run has an account, and not yet read what it is about.
    const begun = stop('read', 1)
    const asked = shop.till.ask('basket-8')
    await begun.reached
    looked.goOn()
    await set
    begun.goOn()
    await asked
    expect(gateway.calls('status')).toEqual([])
    await passes(old)
    expect(old.told).toEqual(['basket-8 paid 10.00'])
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
  })

  it('has its callbacks refused here, and taken there', async () => {
    const { shop, gateway, base, euro, accounts } = await openBoth()
    const old = await openShop({ gateway, store: base, accounts: twoAccounts(gateway), name: 'shop' })
    await accounts.set([euro])
    await old.till.pay(dollars)
    await gateway.callbacks.idle()
    expect(old.told).toEqual(['basket-8 paid 10.00'])
    expect(shop.told).toEqual([])
  })
})
