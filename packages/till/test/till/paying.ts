/** Shops for attacks on asking for a payment: a store in the middle of which something else happens, and customers who come back to a closed door. */

import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { expect, onTestFinished } from 'vitest'
import { createTill, type TillOptions } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { minute } from './acts.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, openShop, type Shop } from './shop.js'

type Calls = Pick<Store<never>, 'read' | 'write'>

/** A store on which something else happens before its calls. */
export function watched({ clientOptions: { clock } }: FakeGateway) {
  const store = memoryStore({ clock })
  const before: { [Call in keyof Calls]: (key: string) => Promise<unknown> } = {
    read: async () => {},
    write: async () => {},
  }
  const kept: Store<never> = {
    ...(store as Store<never>),
    async read(key) {
      await before.read(key)
      return store.read(key)
    },
    async write(key, entry, options) {
      await before.write(key)
      return store.write(key, entry, options)
    },
  }
  return { store: kept, before }
}

/** Another process of the shop. */
export function another(
  shop: Pick<Shop, 'gateway' | 'origin'>,
  store: Store<never>,
  onOutcome: () => unknown = () => {},
  more: Partial<TillOptions> = {},
) {
  const till = createTill({
    account: { ...readyAccount(shop.gateway), wait: quickWait },
    store,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    onOutcome: async () => void (await onOutcome()),
    clock: shop.gateway.clientOptions.clock,
    wait: quickWait,
    ...more,
  })
  onTestFinished(() => till.close())
  return till
}

/** Nothing reaches the till from outside until the shop is back. */
export function closedDoor() {
  const door = { isClosed: true }
  const before: NonNullable<Parameters<typeof openShop>[0]>['before'] = ({ url = '' }, response) => {
    if (door.isClosed && url.startsWith('/payments/')) response.writeHead(503).end('closed')
  }
  return { door, before }
}

/** A shop whose customer was declined on the form. @param isHeard Whether the merchant was told; else nothing came from outside. */
export async function declinedShop(
  isHeard: boolean,
  { gateway = createFakeGateway(), ...options }: Parameters<typeof openShop<never>>[0] = {},
) {
  const { door, before } = closedDoor()
  door.isClosed = !isHeard
  const shop = await openShop<never>({ gateway, before, ...options })
  const { address } = await shop.till.pay(basket)
  gateway.faults.arm('callback-never')
  await shop.customerPays(address, '101')
  door.isClosed = false
  await gateway.clock.advance(31 * minute)
  expect(shop.told.splice(0)).toEqual(isHeard ? ['basket-7 declined 10.00'] : [])
  return shop
}
