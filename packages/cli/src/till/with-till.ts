import { isLoopbackHost, type Payment, type Store, type WireProfile } from '@tillkit/protocol'
import type * as tills from '@tillkit/till'
import { option } from '../command-line/command.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { asGiven } from '../command-line/words.js'
import { printable } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'
import { type Merchant, type MerchantOptions, merchantOf, merchantOptions } from '../merchant/settings.js'
import { type StoreOptions, sameStore, storeOptions, storePlace, withStore } from './open-store.js'
import { load } from './packages.js'

/** Which till, as it was given. */
export interface TillOptions extends MerchantOptions, StoreOptions {
  readonly name?: string
  /** Whether the store has to have payments of this till, if it has any: money of another one must not be moved twice. Default: false. */
  readonly isKnown?: boolean
}

/** The file that takes the place of the environment. */
export type SettingsFile = Pick<MerchantOptions, 'settings'>

/** Options of every command about a till. */
export const tillOptions = () => [
  ...storeOptions(),
  option('--name <name>', 'Name of the till, if its shop gives it one. Default: the login.').helpGroup('Store:'),
  ...merchantOptions(),
]

/** The options as they were given, for the next command about the same till. */
export const sameTill = (given: TillOptions): string => asGiven(tillOptions(), given)

/** What a command works with, besides the till. */
export interface Desk {
  /** Reads a payment. @throws Where the till has none of this reference: what to look at. */
  find(reference: string): Promise<Payment>
  /** Whether a request that may move money has left. */
  hasSent(): boolean
}

/**
 * Works with the till of a shop, and closes it. The till of the command takes no customers and tells nothing: what it learns is due in the
 * store, and a process of the shop tells it.
 */
export async function withTill<Result>(
  options: TillOptions,
  surroundings: Surroundings,
  work: (till: tills.Till, desk: Desk) => Promise<Result>,
): Promise<Result> {
  const { settings, ...merchant } = await merchantOf(options, surroundings)
  const account = merchant.clientOptions()
  const { name = account.login, isKnown = false } = options
  let isSent = false
  const observer = {
    ...merchant.observer,
    signed: ({ operation }: { readonly operation: string }) => {
      if (operation !== 'status') isSent = true
    },
  }
  return withShop({ options, surroundings, settings }, async shop => {
    const names = isKnown ? await tillsIn(shop.store, name) : []
    if (names.length > 0 && !names.includes(name)) throw new UsageError(`Nothing was sent: ${otherTills(names, name)}`)
    return shop.open({ account: { ...account, observer }, name }, till =>
      work(till, {
        hasSent: () => isSent,
        async find(reference) {
          const payment = await till.payment(reference)
          if (isThere(payment)) return payment
          throw await noPayment({ reference, name, options }, shop)
        },
      }),
    )
  })
}

/** A payment as the store has it. */
export interface StoredPayment {
  readonly till: tills.Till
  readonly payment: Payment
  /** The name of its till, where it was taken out of the store. */
  readonly foundName: string | undefined
  /** Why there is none; undefined: there is one. */
  readonly missing: Error | undefined
}

/**
 * Looks a payment up, and asks no gateway: neither an address nor a key is needed. The name of its till is given, or is the login; where
 * neither is known it is taken out of the store.
 *
 * @throws Where several tills have one of this reference.
 */
export async function withStoredPayment<Result>(
  reference: string,
  { options, surroundings }: { readonly options: TillOptions; readonly surroundings: Surroundings },
  work: (found: StoredPayment) => Promise<Result>,
): Promise<Result> {
  const merchant = await merchantOf(options, surroundings)
  const { settings } = merchant
  const profile = merchant.profile()
  return withShop({ options, surroundings, settings }, async shop => {
    const given = options.name ?? (settings.TILLKIT_LOGIN || undefined)
    const names = given === undefined ? await tillsIn(shop.store) : [given]
    const places = names.flatMap(name => environmentsOf(settings).map(environment => ({ name, environment })))
    const openAt = <Found>({ name, environment }: Place, read: (till: tills.Till) => Promise<Found>) =>
      shop.open({ account: storeOnly(environment, profile), name }, read)
    const found: Place[] = []
    for (const place of places) {
      if (await openAt(place, async till => isThere(await till.payment(reference)))) found.push(place)
    }
    if (found.length > 1) {
      const all = found.map(({ name, environment }) => `${JSON.stringify(name)} (${environment})`).join(', ')
      throw new UsageError(
        `Several tills have a payment ${JSON.stringify(printable(reference))}: ${all}. Say which one is meant: its name with --name, and production or test with TILLKIT_ENVIRONMENT.`,
      )
    }
    const missing = found.length === 0 ? await noPayment({ reference, name: given, options }, shop) : undefined
    const [place = { name: 'none', environment: 'test' as const }] = [...found, ...places]
    const foundName = given === undefined ? place.name : undefined
    return openAt(place, async till => work({ till, payment: await till.payment(reference), foundName, missing }))
  })
}

interface Place {
  readonly name: string
  readonly environment: Environment
}

/** Works with a till that asks no gateway, for what stands in the store alone. */
export async function withoutAccount<Result>(
  options: StoreOptions & SettingsFile,
  surroundings: Surroundings,
  work: (till: tills.Till) => Promise<Result>,
): Promise<Result> {
  const merchant = await merchantOf(options.settings === undefined ? {} : { settings: options.settings }, surroundings)
  const { settings } = merchant
  const account = storeOnly('test', merchant.profile())
  return withShop({ options, surroundings, settings }, shop => shop.open({ account, name: 'none' }, work))
}

type Environment = NonNullable<tills.TillAccount['environment']>

/** Where payments may stand, by what is known of the gateway's address. */
function environmentsOf({
  TILLKIT_ENVIRONMENT: said,
  TILLKIT_BASE_URL: address = '',
}: Merchant['settings']): readonly Environment[] {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && (isLoopbackHost(url.hostname) || url.protocol === 'http:')) return ['test']
  if (said === 'test' || said === 'production') return [said]
  return url === undefined ? ['production', 'test'] : ['production']
}

/** An account for what stands in the store alone. */
const storeOnly = (environment: Environment, profile: WireProfile): tills.TillAccount => ({
  baseUrl: 'https://not-asked.invalid',
  endpointId: 1,
  login: 'nobody',
  controlKey: 'not used',
  environment,
  profile,
})

/** The store of a shop, and tills on it. */
interface Shop {
  readonly store: Store<unknown>
  /** Where the store is, without a password. */
  readonly shown: string
  /** Works with a till, and closes it. */
  open<Result>(
    options: { readonly account: tills.TillAccount; readonly name: string },
    work: (till: tills.Till) => Promise<Result>,
  ): Promise<Result>
}

async function withShop<Result>(
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
          address: addressFor(settings.TILLKIT_SERVER_CALLBACK_URL),
          returnTo: () => '/',
          onOutcome: 'told-elsewhere',
        })
        return work(till).finally(() => till.close())
      },
    }),
  )
}

/** Whether anything of a payment is in the store. */
const isThere = ({ orders, timeline }: Payment): boolean => orders.length > 0 || timeline.length > 0

/**
 * The names of the tills that a store has payments of; no more are looked for once `own` is among them. Documents that are no payment say
 * nothing, and a store without payments is a new one.
 */
async function tillsIn(store: Store<unknown>, own?: string): Promise<readonly string[]> {
  const names = new Set<string>()
  let after: string | undefined
  do {
    const page = await store.list({ limit: 1_000, ...(after === undefined ? {} : { after }) })
    for (const { key } of page.items) {
      const name = /^payment\/[^/]+\/([^/]+)\//.exec(key)?.[1]
      if (name !== undefined) names.add(decodeURIComponent(name))
    }
    after = own !== undefined && names.has(own) ? undefined : page.next
  } while (after !== undefined)
  return [...names]
}

const otherTills = (names: readonly string[], own: string): string =>
  `the store has payments of the till ${names.map(each => JSON.stringify(each)).join(', ')}, and none of ${JSON.stringify(own)}. The same reference of another till is another payment. Give the name of your shop's till with --name, or its login.`

/** Says that there is no such payment, why that may be, and what to type. */
async function noPayment(
  {
    reference,
    name,
    options,
  }: { readonly reference: string; readonly name: string | undefined; readonly options: TillOptions },
  { store, shown }: Shop,
): Promise<Error> {
  const ofTill = name === undefined ? '' : ` of the till ${JSON.stringify(name)}`
  const names = await tillsIn(store, name)
  const why =
    names.length === 0
      ? 'The store has no payment at all: is it the one of your shop? Name that one with --store, or with TILLKIT_STORE.'
      : name !== undefined && !names.includes(name)
        ? otherTills(names, name).replace(/^the/, 'The')
        : `Check the reference: it is the one that the shop gave to till.pay or till.payout. Or do the settings name another gateway than those of the shop? "tillkit report${sameStore(options)}" lists the payments that need attention.`
  return new Error(`There is no payment ${JSON.stringify(printable(reference))}${ofTill} in the store ${shown}. ${why}`)
}

/** The address of the shop's till, by that of its callbacks: what is sent from here is called back there. */
const addressFor = (callback = ''): string =>
  /^https?:\/\/.+\/callback$/.test(callback) ? callback.replace(/\/callback$/, '') : 'http://127.0.0.1:9/not-used'
