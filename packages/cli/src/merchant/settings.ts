import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import {
  type Client,
  type ClientObserver,
  clientOptionsFromEnv,
  createClientFromEnv,
  profileFromEnv,
} from '@tillkit/client'
import type { WireProfile } from '@tillkit/protocol'
import { type OptionsOf, option } from '../command-line/command.js'
import { keyVariable, readKey } from '../command-line/secrets.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { asGiven, forCommand, inOptions } from '../command-line/words.js'
import { forReader } from '../command-line/wrap.js'
import { readText } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'

/** Options of every command that asks the gateway something. */
export const merchantOptions = () =>
  [
    settingsOption(),
    option('--base-url <address>', 'Address of the gateway. Default: TILLKIT_BASE_URL.'),
    option('--login <name>', 'Merchant login. Default: TILLKIT_LOGIN.'),
    option('--endpoint <id>', 'Endpoint. Default: TILLKIT_ENDPOINT_ID.'),
    option('--group <id>', 'Endpoint group, in place of it. Default: TILLKIT_ENDPOINT_GROUP_ID.'),
    keyFileOption(),
    option(
      '--private-key-file <file>',
      'Holds the private key, for RSA-SHA256. Default: TILLKIT_PRIVATE_KEY_FILE, TILLKIT_PRIVATE_KEY.',
    ),
    option('--timeout <ms>', 'Longest time for an answer. Default: TILLKIT_TIMEOUT, else 30000.'),
    profileOption(),
  ].map(each => each.helpGroup('Merchant and gateway:'))

/** Whose requests are signed, and where they go, as it was given. */
export type MerchantOptions = OptionsOf<ReturnType<typeof merchantOptions>>

export const settingsOption = () =>
  option('--settings <file>', 'File with lines TILLKIT_…=value. It is read in place of the environment.')

export const profileOption = () =>
  option('--profile <file>', 'JSON of the entries of the wire profile that differ. Default: TILLKIT_PROFILE_FILE.')

export const keyFileOption = () =>
  option('--key-file <file>', `Holds the control key. Default: TILLKIT_CONTROL_KEY_FILE, ${keyVariable}.`)

type Environment = Surroundings['environment']

/** What each option stands for, and what else it takes the place of. */
const variables: Readonly<Record<keyof Omit<MerchantOptions, 'settings'>, readonly [string, ...string[]]>> = {
  baseUrl: ['TILLKIT_BASE_URL'],
  login: ['TILLKIT_LOGIN'],
  endpoint: ['TILLKIT_ENDPOINT_ID', 'TILLKIT_ENDPOINT_GROUP_ID'],
  group: ['TILLKIT_ENDPOINT_GROUP_ID', 'TILLKIT_ENDPOINT_ID'],
  keyFile: ['TILLKIT_CONTROL_KEY_FILE', keyVariable],
  privateKeyFile: ['TILLKIT_PRIVATE_KEY_FILE', 'TILLKIT_PRIVATE_KEY'],
  timeout: ['TILLKIT_TIMEOUT'],
  profile: ['TILLKIT_PROFILE_FILE'],
}

/**
 * A merchant, by settings that were read once. What is wrong or missing is told when it is asked for: {@link UsageError}, without a key.
 */
export interface Merchant {
  readonly settings: Environment
  readonly observer: Pick<ClientObserver, 'warning'>
  client(observer?: ClientObserver): Client
  profile(): WireProfile
  clientOptions(): ReturnType<typeof clientOptionsFromEnv>
  controlKey(): Promise<string>
  /** What the next command has to name besides, if it asks the gateway: the settings, where nothing here describes an account. */
  missing(): string
}

/** Reads the settings of a merchant. @throws {@link UsageError} for options that contradict each other, and a file that cannot be read. */
export async function merchantOf(
  given: MerchantOptions,
  { environment, complain, terminal }: Pick<Surroundings, 'environment' | 'complain' | 'terminal'>,
): Promise<Merchant> {
  const settings = await settingsOf(given, environment)
  const observer: Merchant['observer'] = {
    warning: ({ message }) => complain(forReader(`tillkit: ${forCommand(message)}\n`, terminal)),
  }
  return {
    settings,
    observer,
    client: (own = {}) =>
      described(
        given,
        () => createClientFromEnv(settings, { observer: { ...observer, ...own }, retries: 0 }) as Client,
      ),
    profile: () => described(given, () => profileFromEnv(settings)),
    clientOptions: () => described(given, () => clientOptionsFromEnv(settings)),
    async controlKey() {
      const { TILLKIT_CONTROL_KEY: key = '', TILLKIT_CONTROL_KEY_FILE: file = '' } = settings
      if (file !== '') return (await readKey(file, '--key-file')).trim()
      if (key !== '') return key
      throw new UsageError('The control key is missing: name its file with --key-file, or set TILLKIT_CONTROL_KEY.')
    },
    missing: () => (given.settings === undefined && !isAccount(settings) ? ' --settings …' : ''),
  }
}

/**
 * The settings of a merchant as variables: those of the file in place of the environment, so that keys of one account never meet the
 * address of another, and single options before both.
 */
async function settingsOf(given: MerchantOptions, environment: Environment): Promise<Environment> {
  if (given.endpoint !== undefined && given.group !== undefined) {
    throw new UsageError('--endpoint and --group were both given. Keep one of them.')
  }
  const { settings: file } = given
  const base = file === undefined ? environment : parseEnv(await readText(file, '--settings'))
  const settings: Record<string, string | undefined> = { ...base }
  for (const [name, [variable, ...others]] of Object.entries(variables)) {
    const value: unknown = Reflect.get(given, name)
    if (typeof value !== 'string') continue
    for (const other of others) delete settings[other]
    settings[variable] = /FILE$/.test(variable) ? resolve(value) : value
  }
  return settings
}

function isAccount(settings: Environment): boolean {
  try {
    clientOptionsFromEnv(settings)
    return true
  } catch {
    return false
  }
}

/** Says where settings are made that do not describe a client. */
function described<Result>(given: MerchantOptions, make: () => Result): Result {
  try {
    return make()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const where = given.settings === undefined ? 'The settings do' : `${given.settings} does`
    const said = inOptions(message.replace('The environment does', where), merchantOptions(), name =>
      Reflect.get(given, name) === undefined ? undefined : Reflect.get(variables, name)?.[0],
    )
    throw new UsageError(
      `${said}\nSet them in the environment, in a file named with --settings, or with the options of "Merchant and gateway": see --help.`,
      { cause },
    )
  }
}

/** The options as they were given, for the next command about the same account. */
export const sameAccount = (given: MerchantOptions): string => asGiven(merchantOptions(), given)
