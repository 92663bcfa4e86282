import type * as tills from '@tillkit/till'
import type { Payment, Store } from '@tillkit/till'
import type { Surroundings } from '../command-line/surroundings.js'
import { printable } from '../command-line/wrap.js'
import { load, type StoreOptions, sameStore, storePlace, withStore } from './open-store.js'

/** The store of a shop, and tills on it. */
export interface Shop {
  readonly store: Store<unknown>
  /** The place of the store, without a password. */
  readonly shown: string
  open<Result>(
    options: { readonly account: tills.TillAccount; readonly name: string },
    work: (till: tills.Till) => Promise<Result>,
  ): Promise<Result>
}

/** Works with the store of a shop, and closes it. */
export async function withShop<Result>(
  given: {
    readonly options: StoreOptions
    readonly surroundings: Surroundings
    readonly settings: Surroundings['environment']
  },
  work: (shop: Shop) => Promise<Result>,
): Promise<Result> {
  const { options, surroundings, settings } = given
  // The settings take the place of the environment, and may name no store.
  const named = settings.TILLKIT_STORE || settings.DATABASE_URL ? settings : surroundings.environment
  const place = storePlace(options, named)
  const { createTill } = load<typeof tills>('@tillkit/till', surroundings)
  return withStore(place, surroundings, store =>
    work({
      store,
      shown: place.kind === 'sqlite' ? place.file : place.shown,
      async open(account, work) {
        const till = createTill<unknown>({
          ...account,
          store,
          ...addressFor(settings.TILLKIT_SERVER_CALLBACK_URL),
          returnTo: () => '/',
          onOutcome: 'told-elsewhere',
        })
        return work(till).finally(() => till.close())
      },
    }),
  )
}

/** Whether anything of a payment is in the store. */
export const isThere = ({ orders, timeline }: Payment): boolean => orders.length > 0 || timeline.length > 0

/**
 * The names of the tills that a store has payments of; no more are looked for once `own` is among them.
 * Keys sort by name, so one document of each till is read. A store without payments is a new one.
 */
export async function tillsIn(store: Store<unknown>, own?: string): Promise<readonly string[]> {
  const names = new Set<string>()
  let after = 'payment/'
  do {
    const [document] = (await store.list({ limit: 1, after })).items
    if (!document?.key.startsWith('payment/')) break
    const [, place, name] = /^(payment\/[^/]+\/([^/]+))\//.exec(document.key) ?? []
    if (name !== undefined) names.add(decodeURIComponent(name))
    // 0 comes right behind the slash that ends the name.
    after = place === undefined ? document.key : `${place}0`
  } while (own === undefined || !names.has(own))
  return [...names]
}

/** Why a name is hardly that of the shop. */
export const otherTills = (names: readonly string[], own: string): string =>
  `the store has payments of the till ${names.map(each => JSON.stringify(each)).join(', ')}, ` +
  `and none of ${JSON.stringify(own)}. The same reference of another till is another payment. ` +
  "Give the name of your shop's till with --name."

/** Says that there is no such payment, why that may be, and what to type. */
export async function noPayment(
  {
    reference,
    name,
    options,
  }: { readonly reference: string; readonly name: string | undefined; readonly options: StoreOptions },
  { store, shown }: Shop,
): Promise<Error> {
  const ofTill = name === undefined ? '' : ` of the till ${JSON.stringify(name)}`
  const names = await tillsIn(store, name)
  const why =
    names.length === 0
      ? 'The store has no payment at all: is it the one of your shop? Name that one with --store, or with TILLKIT_STORE.'
      : name !== undefined && !names.includes(name)
        ? otherTills(names, name).replace(/^the/, 'The')
        : 'Check the reference: it is the one that the shop gave to till.pay or till.payout. ' +
          'Or do the settings name another gateway than those of the shop? ' +
          `"tillkit report${sameStore(options)}" lists the payments that need attention.`
  return new Error(`There is no payment ${JSON.stringify(printable(reference))}${ofTill} in the store ${shown}. ${why}`)
}

/** The address of the shop's till, by that of its callbacks: what is sent from here is called back there. */
const addressFor = (callback = ''): { readonly address?: string } =>
  /^https?:\/\/.+\/callback$/.test(callback) ? { address: callback.replace(/\/callback$/, '') } : {}
