import { isLoopbackHost, type WireProfile } from '@tillkit/protocol'
import type * as tills from '@tillkit/till'
import type { Payment } from '@tillkit/till'
import { option } from '../command-line/command.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { asGiven } from '../command-line/words.js'
import { printable } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'
import { type Merchant, type MerchantOptions, merchantOf, merchantOptions } from '../merchant/settings.js'
import { type StoreOptions, storeOptions } from './open-store.js'
import { isThere, noPayment, otherTills, tillsIn, withShop } from './shop.js'

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
  option('--name <name>', 'Name of the till, if its shop gives it one. Default: till.').helpGroup('Store:'),
  ...merchantOptions(),
]

/** The options as they were given, for the next command about the same till. */
export const sameTill = (given: TillOptions): string => asGiven(tillOptions(), given)

/** Reads payments for a command, and knows whether a request has left. */
export interface Desk {
  /** Reads a payment. @throws Where the till has none of this reference: what to look at. */
  find(reference: string): Promise<Payment>
  /** Whether a request that may move money has left. */
  hasSent(): boolean
}

/** The name of a till whose shop gives it none, as `name` of `createTill` says. */
const defaultName = 'till'

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
  const { name = defaultName, isKnown = false } = options
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
  /** The name of its till, where it was taken out of the store, and is not what every till has that is given none. */
  readonly foundName: string | undefined
  /** Why the store has no such payment; undefined: it has one. */
  readonly missing: Error | undefined
  /** What a command has to name besides that asks the gateway. */
  readonly unnamed: string
}

/**
 * Looks a payment up, and asks no gateway: neither an address nor a key is needed. Where the name of its till is not given it is taken
 * out of the store.
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
    const { name: given } = options
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
        `Several tills have a payment ${JSON.stringify(printable(reference))}: ${all}. ` +
          'Say which one is meant: its name with --name, and production or test with TILLKIT_ENVIRONMENT.',
      )
    }
    const missing = found.length === 0 ? await noPayment({ reference, name: given, options }, shop) : undefined
    const [place = { name: 'none', environment: 'test' as const }] = [...found, ...places]
    const foundName = given === undefined && place.name !== defaultName ? place.name : undefined
    const unnamed = merchant.missing()
    return openAt(place, async till =>
      work({ till, payment: await till.payment(reference), foundName, missing, unnamed }),
    )
  })
}

interface Place {
  readonly name: string
  readonly environment: Environment
}

/**
 * Works with a till that asks no gateway, for what stands in the store alone.
 *
 * @param work Its second argument: what a command has to name besides that asks the gateway.
 */
export async function withoutAccount<Result>(
  options: StoreOptions & SettingsFile,
  surroundings: Surroundings,
  work: (till: tills.Till, unnamed: string) => Promise<Result>,
): Promise<Result> {
  const merchant = await merchantOf(options.settings === undefined ? {} : { settings: options.settings }, surroundings)
  const { settings } = merchant
  const account = storeOnly('test', merchant.profile())
  return withShop({ options, surroundings, settings }, shop =>
    shop.open({ account, name: 'none' }, till => work(till, merchant.missing())),
  )
}

type Environment = NonNullable<tills.TillAccount['environment']>

/** The environments that payments may stand in, by what is known of the gateway's address. */
function environmentsOf({
  TILLKIT_ENVIRONMENT: said,
  TILLKIT_BASE_URL: address = '',
}: Merchant['settings']): readonly Environment[] {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && (isLoopbackHost(url.hostname) || url.protocol === 'http:')) return ['test']
  if (said === 'test' || said === 'production') return [said]
  return url === undefined ? ['production', 'test'] : ['production']
}

/** An account that only reads the store. */
const storeOnly = (environment: Environment, profile: WireProfile): tills.TillAccount => ({
  baseUrl: 'https://not-asked.invalid',
  endpointId: 1,
  login: 'nobody',
  controlKey: 'not used',
  environment,
  profile,
})
