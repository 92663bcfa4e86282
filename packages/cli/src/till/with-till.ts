import type * as tills from '@tillkit/till'
import { option } from '../command-line/command.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { type MerchantOptions, merchantOf, merchantOptions } from '../merchant/settings.js'
import { type StoreOptions, storeOptions, storePlace, withStore } from './open-store.js'
import { load } from './packages.js'

/** Which till, as it was given. */
export interface TillOptions extends MerchantOptions, StoreOptions {
  readonly name?: string
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
    { account: { ...account, controlKey }, name: options.name },
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
  { account, name }: { readonly account: tills.TillAccount; readonly name: string | undefined },
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
    const till = createTill<unknown>({
      account,
      store,
      ...(name === undefined ? {} : { name }),
      address: 'http://127.0.0.1:9/not-used',
      returnTo: () => '/',
      onOutcome: 'told-elsewhere',
    })
    const shown = place.kind === 'sqlite' ? place.file : place.shown
    return work(till, { store: shown, name: name ?? account.login }).finally(() => till.close())
  })
}
