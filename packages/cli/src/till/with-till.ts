import type { Store } from '@tillkit/protocol'
import type * as tills from '@tillkit/till'
import { option } from '../command-line/command.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { UsageError } from '../gateway/errors.js'
import { type MerchantOptions, merchantOf, merchantOptions } from '../merchant/settings.js'
import { type StoreOptions, storeOptions, storePlace, withStore } from './open-store.js'
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

/** Which payments a command looks at, for a message. */
export interface LookedAt {
  /** Where the store is, without a password. */
  readonly store: string
  /** Name of the till. */
  readonly name: string
}

/**
 * Works with the till of a shop, and closes it. The till of the command takes no customers and tells nothing: what it learns is due in the
 * store, and a process of the shop tells it.
 */
export async function withTill<Result>(
  options: TillOptions,
  surroundings: Surroundings,
  work: (till: tills.Till, lookedAt: LookedAt) => Promise<Result>,
): Promise<Result> {
  const merchant = await merchantOf(options, surroundings)
  const { controlKey = await merchant.controlKey(), ...account } = merchant.clientOptions()
  const { settings } = merchant
  return openTill(
    { account: { ...account, controlKey }, name: options.name, isKnown: options.isKnown },
    { options, surroundings, settings },
    work,
  )
}

/** Works with a till that asks no gateway, for what stands in the store alone. */
export async function withoutAccount<Result>(
  options: StoreOptions & SettingsFile,
  surroundings: Surroundings,
  work: (till: tills.Till) => Promise<Result>,
): Promise<Result> {
  const { settings } = await merchantOf(
    options.settings === undefined ? {} : { settings: options.settings },
    surroundings,
  )
  const account = { baseUrl: 'http://127.0.0.1:9', endpointId: 1, login: 'nobody', controlKey: 'not used' }
  return openTill({ account, name: undefined }, { options, surroundings, settings }, work)
}

async function openTill<Result>(
  {
    account,
    name,
    isKnown = false,
  }: {
    readonly account: tills.TillAccount
    readonly name: string | undefined
    readonly isKnown?: boolean | undefined
  },
  given: {
    readonly options: StoreOptions
    readonly surroundings: Surroundings
    readonly settings: Surroundings['environment']
  },
  work: (till: tills.Till, lookedAt: LookedAt) => Promise<Result>,
): Promise<Result> {
  const { options, surroundings, settings } = given
  // The settings take the place of the environment, and may name no store.
  const named = settings.TILLKIT_STORE || settings.DATABASE_URL ? settings : surroundings.environment
  const place = storePlace(options, named)
  const { createTill } = load<typeof tills>('@tillkit/till', surroundings)
  return withStore(place, surroundings, async store => {
    if (isKnown) await checkName(store, name ?? account.login)
    const till = createTill<unknown>({
      account,
      store,
      ...(name === undefined ? {} : { name }),
      address: addressFor(settings.TILLKIT_SERVER_CALLBACK_URL),
      returnTo: () => '/',
      onOutcome: 'told-elsewhere',
    })
    const shown = place.kind === 'sqlite' ? place.file : place.shown
    return work(till, { store: shown, name: name ?? account.login }).finally(() => till.close())
  })
}

/** @throws {@link UsageError} where the store has payments, and none of them is of the till with this name. */
async function checkName(store: Store<unknown>, name: string): Promise<void> {
  const names = new Set<string>()
  const own = encodeURIComponent(name)
  let after: string | undefined
  do {
    const page = await store.list({ limit: 1_000, ...(after === undefined ? {} : { after }) })
    for (const { key } of page.items) names.add(/^payment\/[^/]+\/([^/]+)\//.exec(key)?.[1] ?? own)
    // Documents that are no payment say nothing, and a store without payments is a new one.
    if (page.items.some(({ key }) => key.startsWith('payment/') && key.split('/')[2] === own)) return
    after = page.next
  } while (after !== undefined)
  names.delete(own)
  if (names.size === 0) return
  const known = [...names].map(each => JSON.stringify(decodeURIComponent(each))).join(', ')
  throw new UsageError(
    `Nothing was sent: the store has payments of the till ${known}, and none of ${JSON.stringify(name)}. The same reference of another till is another payment. Give the name of your shop's till with --name, or its login.`,
  )
}

/** The address of the shop's till, by that of its callbacks: what is sent from here is called back there. */
const addressFor = (callback = ''): string =>
  /^https?:\/\/.+\/callback$/.test(callback) ? callback.replace(/\/callback$/, '') : 'http://127.0.0.1:9/not-used'
