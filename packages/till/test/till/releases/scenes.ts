/**
 * Payments as one release leaves them, and what the next one does with them.
 *
 * @module
 */

import { createFakeClock, createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { createTill, type Till } from '@tillkit/till'
import { documentKey } from '../../../src/store/keys.js'
import { memoryStore } from '../../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../../src/store/store.js'
import { placeOf } from '../place.js'
import { quickWait } from '../quick-wait.js'
import { readyAccount } from '../ready-account.js'

/** One shop, with customers who come in without a network. */
export interface Scenery {
  readonly till: Till
  readonly gateway: ReturnType<typeof createFakeGateway>
  readonly store: Store
  readonly told: string[]
  buys(reference: string, options?: { readonly cvv2?: string; readonly hold?: boolean }): Promise<void>
  /** Time passes, and the till works. */
  passes(milliseconds?: number): Promise<void>
}

const minute = 60_000

export const basket = { amount: '10.00', currency: 'EUR', email: 'joan@customer.example' }
export const payout = { amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300', checked: true }
export const part = { amount: '3.00', key: 'parcel-2' }

/** Opens a shop. @param more `view` is put around the store; `breaks` says what the handler throws at. */
export function openScenery({
  gateway = createFakeGateway({ clock: createFakeClock({ base: () => Date.UTC(2026, 0, 5) }) }),
  store = memoryStore({ clock: gateway.clientOptions.clock }),
  breaks = () => false,
  wishes = false,
}: {
  readonly gateway?: Scenery['gateway']
  readonly store?: Store
  readonly breaks?: () => boolean
  readonly wishes?: boolean
} = {}): Scenery {
  const told: string[] = []
  const till = createTill({
    account: readyAccount(gateway),
    store: store as DocumentStore as Store<never>,
    name: 'releases',
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    clock: gateway.clientOptions.clock,
    wait: quickWait,
    onOutcome({ kind, payment, stage }, { afterwards }) {
      if (breaks()) throw new Error('The handler is broken.')
      if (wishes && kind === 'held') afterwards.capture()
      told.push(`${payment.reference} ${kind} ${stage.amount}`)
    },
  })
  const passes = async (milliseconds = minute) => {
    await gateway.clock.advance(milliseconds)
    await till.tick()
  }
  return {
    till,
    gateway,
    store,
    told,
    passes,
    async buys(reference, { cvv2 = '123', hold = false } = {}) {
      const { address } = await till.pay({ ...basket, reference, hold })
      // The way back leads to a shop that no network has.
      await payAsCustomer(address, { gateway, cvv2 }).catch(() => {})
      await passes()
    },
  }
}

/** Acts of a release on a payment before it is replaced. The name of the scene is its reference. */
export const scenes: { readonly [reference: string]: (scenery: Scenery) => Promise<unknown> } = {
  open: ({ till }) => till.pay({ ...basket, reference: 'open' }),
  paid: ({ buys }) => buys('paid'),
  declined: ({ buys }) => buys('declined', { cvv2: '101' }),
  held: ({ buys }) => buys('held', { hold: true }),
  async captured({ buys, till, passes }) {
    await buys('captured', { hold: true })
    await till.capture('captured')
    await passes()
  },
  async partly({ buys, till, passes }) {
    await buys('partly')
    await till.return('partly', part)
    await passes()
  },
  async unanswered({ till, gateway }) {
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'saleForm' })
    await till.pay({ ...basket, reference: 'unanswered' })
  },
  async checked({ till, passes }) {
    await till.payout({ ...payout, reference: 'checked' })
    await passes(5 * minute)
  },
}

/** The document that a store keeps of a payment. */
export async function storedIn({ store, till }: Pick<Scenery, 'store' | 'till'>, reference: string) {
  const { stored } = await store.read(documentKey({ clientOrderId: reference }, placeOf(till, 'releases')))
  if (stored === undefined) throw new Error(`There is no payment ${reference}.`)
  return stored
}
