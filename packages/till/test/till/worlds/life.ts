/**
 * The events of a world: processes come and go, merchants ask for payments, customers pay, callbacks come, the gateway corrects
 * itself.
 *
 * @module
 */

import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { type FakeGateway, signedCallback, testCard } from '@tillkit/testing'
import type { Chance } from '../../../../client/test/worlds/chance.js'
import { createTill, type PayRequest, type Till, type TillAccount } from '../../../src/index.js'
import { readDocument } from '../../../src/rules/kept/entry.js'
import { documentKey } from '../../../src/store/keys.js'
import type { DocumentStore, Store } from '../../../src/store/store.js'
import { dyingStore } from '../dying-store.js'
import { placeOf } from '../place.js'
import { readyAccount } from '../ready-account.js'
import type { Books } from './books.js'
import { changeSomething, payOut } from './changes.js'
import { walk } from './walk.js'

/** A mistake that is planted, to see that it is found. */
export interface Planted {
  /** Around what one process sees of the store. */
  readonly view?: (store: DocumentStore) => DocumentStore
  /** Around the gateway as one process sees it. */
  readonly account?: (account: TillAccount) => TillAccount
  /** The kind that the merchant hears, given the kind that was said. */
  readonly hears?: (kind: Books['told'][number]['kind']) => Books['told'][number]['kind']
}
const minute = 60_000

/** The merchant's address. */
export const shop = 'https://shop.example'

/** A process with a till in it. */
export interface Process {
  readonly till: Till
  readonly isDead: () => boolean
}
/** One world. */
export interface World {
  readonly gateway: FakeGateway
  readonly chance: Chance
  readonly books: Books
  readonly store: Store
  readonly planted: Planted
  readonly replaces: boolean
  readonly payments: readonly Payment[]
  readonly payouts: readonly { readonly reference: string; readonly checked: boolean }[]
  /** Callbacks that were not delivered yet. */
  readonly mail: { readonly status: string; readonly orderId: string }[]
  read: number
  /** Whether customers come back and go through 3DS, and the merchant changes payments and pays out. */
  readonly hasMore: boolean
  readonly watch?: Watch | undefined
}
/** Somebody who watches a world. */
export interface Watch {
  /** Around all that one process sees of the store. */
  view(store: DocumentStore, world: Pick<World, 'gateway'>): DocumentStore
  /** Called after each thing that happened. */
  look(world: Pick<World, 'gateway'>): void
  /** Called at its end. */
  over(world: Pick<World, 'gateway' | 'store'>): Promise<void>
}
/** A payment that the merchant asks for. */
export interface Payment {
  readonly reference: string
  readonly hold: boolean
  readonly byCard: boolean
}
/** Starts a process with a till in it. */
export function startProcess(
  { gateway, chance, store, books, planted, replaces, watch }: World,
  isLast = false,
): Process {
  const { clock } = gateway
  const dying = dyingStore(store, {
    at: isLast || chance.of(0.4) ? Number.POSITIVE_INFINITY : chance.between(0, 40),
    when: chance.pick(['before', 'after']),
  })
  const own = planted.view?.(dying.store) ?? dying.store
  const view = isLast ? own : laggingStore(own, { gateway, chance })
  const account = { ...readyAccount(gateway), wait: clock.wait, random: chance.number }
  const till = createTill({
    account: planted.account?.(account) ?? account,
    store: (watch?.view(view, { gateway }) ?? view) as Store<never>,
    address: `${shop}/payments`,
    returnTo: ({ reference }) => `/orders/${reference}`,
    replaceOpenForm: replaces,
    clock: clock.now,
    wait: clock.wait,
    async onOutcome({ kind, payment: { reference }, order: { clientOrderId }, stage: { stage } }) {
      if (dying.isDead()) return
      if (!isLast && chance.of(0.1)) throw new Error('The handler failed.')
      const at = clock.now()
      books.look()
      books.told.push({ reference, clientOrderId, kind: planted.hears?.(kind) ?? kind, stage, at })
    },
  })
  return { till, isDead: dying.isDead }
}

/** A store on a slow line: what is written may arrive, or be acknowledged, minutes later. */
function laggingStore(
  store: DocumentStore,
  { gateway: { clock }, chance }: Pick<World, 'gateway' | 'chance'>,
): DocumentStore {
  const odds = chance.pick([0, 0, 0.05, 0.2])
  const lag = () => (chance.of(odds) ? clock.wait(chance.between(1, chance.of(0.5) ? 1_000 : 6 * minute)) : undefined)
  return {
    ...store,
    async write(key, entry, options) {
      await lag()
      const written = await store.write(key, entry, options)
      await lag()
      return written
    },
  }
}

/** Something happens. */
export async function oneThing(world: World, till: Till): Promise<void> {
  const { chance, mail, books, gateway } = world
  const thing = chance.pick([
    'pay',
    'pay',
    'pay',
    'customer',
    'customer',
    'customer',
    'mail',
    'mail',
    'tick',
    'correct',
    ...(world.hasMore ? (['walk', 'walk', 'change', 'change', 'payout'] as const) : []),
  ] as const)
  switch (thing) {
    case 'pay': {
      const payment = chance.pick(world.payments)
      for (let calls = chance.pick([1, 1, 2, 3]); calls > 0; calls -= 1) void askToPay(world, till, payment)
      return
    }
    case 'customer':
      return customerActs(world)
    case 'mail': {
      collectMail(world)
      if (mail.length === 0) return
      const [parcel] = chance.of(0.2) ? [chance.pick(mail)] : mail.splice(chance.between(0, mail.length - 1), 1)
      // Some are lost.
      if (parcel !== undefined && chance.of(0.7)) void deliver(world, till, parcel)
      return
    }
    case 'tick':
      void till.tick().catch(() => 0)
      return
    case 'walk': {
      const address = chance.pick([...books.given.keys(), ...books.shopPages])
      if (address !== undefined)
        void walk(address, { gateway, till, chance, shop, cvv2: chance.pick(['123', '321', '101']) }).catch(() => {})
      return
    }
    case 'change':
      void changeSomething(chance.pick(world.payments).reference, { till, chance, books })
      return
    case 'payout':
      void payOut(chance.pick(world.payouts), { till, chance, books })
      return
    case 'correct':
      if (chance.of(0.25)) correctOne(world)
  }
}

async function askToPay(world: World, till: Till, { reference, hold, byCard }: Payment): Promise<void> {
  const { books, chance, gateway } = world
  const amount = chance.of(0.8) ? '10.00' : '12.00'
  const common = { reference, amount, currency: 'EUR', email: 'joan@customer.example', hold }
  const card = {
    creditCardNumber: testCard,
    cardPrintedName: 'JOAN BAKER',
    expireMonth: '12',
    expireYear: '2099',
    cvv2: chance.pick(world.hasMore ? ['123', '101', '321'] : ['123', '101']),
  }
  const request: PayRequest = byCard ? { ...common, ...card } : common
  const asking = { reference, from: gateway.clock.now(), until: Number.POSITIVE_INFINITY }
  books.askings.push(asking)
  try {
    const { kind, address } = await till.pay(request)
    if (address.startsWith(shop)) books.shopPages.add(address)
    else if (kind === 'go') await giveForm(world, till, { reference, address })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const isExpected =
      /^ERR_(OTHER_AMOUNT|PAYMENT_OVER|NEEDS_PERSON|TOO_MANY_ORDERS|TRANSPORT|REQUEST_REFUSED|NOT_SENT|STORE_UNREADABLE|STORE_UNKNOWN)/.test(
        code,
      )
    if (!isExpected) books.seen.push(`pay of ${reference} failed: ${code} ${String(error)}`)
  } finally {
    asking.until = gateway.clock.now()
  }
}

/** Writes down that a customer has the address of a form, and whose form that is by the store. */
async function giveForm(
  { books, store }: World,
  till: Till,
  { reference, address }: { readonly reference: string; readonly address: string },
) {
  const { stored } = await store.read(documentKey({ clientOrderId: reference }, placeOf(till)))
  const orders = stored === undefined ? [] : readDocument(stored).orders
  const order = orders.find(({ attempts }) => attempts.some(({ end }) => end?.redirectUrl === address))
  if (order === undefined) books.seen.push(`${reference}: a form was given whose address the store does not have`)
  else books.given.set(address, order.clientOrderId ?? '')
}

async function customerActs({ books, chance, gateway }: World): Promise<void> {
  const addresses = [...books.given.keys()]
  if (addresses.length === 0) return
  const address = new URL(chance.pick(addresses))
  const { dispatcher } = gateway
  const fields = new URLSearchParams({
    credit_card_number: testCard,
    card_printed_name: 'JOAN BAKER',
    expire_month: '12',
    expire_year: '2099',
    cvv2: chance.pick(['123', '123', '101']),
  })
  await new Promise<void>(resolve => {
    dispatcher.dispatch(
      {
        origin: address.origin,
        path: address.pathname,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: fields.toString(),
      },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: () => resolve(),
      },
    )
  })
}

function collectMail(world: World): void {
  const all = world.gateway.callbacks.list()
  world.mail.push(...all.slice(world.read))
  world.read = all.length
}

/** Brings a callback to a till. @returns What the till answers. */
export async function deliver(
  { gateway }: Pick<World, 'gateway'>,
  till: Till,
  { status, orderId }: World['mail'][number],
): Promise<number | undefined> {
  const { controlKey } = gateway.clientOptions
  const clientOrderId = gateway.orders.find(orderId)?.clientOrderId ?? ''
  const { pathname, search } = signedCallback({ controlKey, status, orderId, clientOrderId }).url(
    `${shop}/payments/callback`,
  )
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: `${pathname}${search}` })
  return (await till.answer(request))?.status
}

function correctOne({ gateway, chance }: World): void {
  const orders = gateway.orders.list().filter(({ actions }) => actions.includes('correct'))
  if (orders.length === 0) return
  const { orderId, stages } = chance.pick(orders)
  const status = stages[0]?.status === 'approved' ? 'declined' : 'approved'
  // It is the latest stage that is corrected.
  if (stages.at(-1)?.status === status) return
  gateway.act({ action: 'correct', orderId, status })
}
