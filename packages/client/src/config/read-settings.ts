import {
  type AnyOperation,
  aCount,
  aFlag,
  aFunction,
  anObjectWith,
  aProfile,
  checkedLater,
  checkOptions,
  defaultProfile,
  describeValue,
  isLoopbackHost,
  nearName,
  type OperationName,
  type OptionTable,
  oneOfWords,
  operations,
  resolveSigning,
} from '@tillkit/protocol'
import { type ClientWarning, observerProblem } from '../diagnostics/observer.js'
import { unsetVariable } from '../errors/messages.js'
import { addressProblem, readBaseUrl, readEndpoint } from './addresses.js'
import { nodeCrypto } from './lazy.js'
import { readCredentials } from './merchant.js'
import type { ClientOptions } from './options.js'
import type { Settings } from './settings.js'

const clientTable: OptionTable<ClientOptions> = {
  baseUrl: checkedLater,
  allowPlainHttp: aFlag,
  endpointId: checkedLater,
  endpointGroupId: checkedLater,
  login: checkedLater,
  controlKey: checkedLater,
  privateKey: checkedLater,
  profile: aProfile,
  dispatcher: anObjectWith(['dispatch'], 'an undici Dispatcher, such as new Agent()'),
  environment: oneOfWords('test', 'production'),
  timeout: aCount({ unit: 'milliseconds' }),
  maxReplyBytes: aCount({ unit: 'bytes' }),
  clock: aFunction,
  nonce: aFunction,
  observer: observerProblem,
  freshConnection: aFlag,
  retries: aCount({ least: 0 }),
  random: aFunction,
  wait: aFunction,
  serverCallbackUrl: checkedLater,
  uses: checkedLater,
}

/** Checks the options of a client. @throws {TypeError} naming the option in quotes. It never holds key material. */
export function readSettings(options: ClientOptions): Settings {
  checkOptions('createClient', options, clientTable)
  const { allowPlainHttp = false, profile = defaultProfile } = options
  const baseUrl = readBaseUrl(options.baseUrl, allowPlainHttp)
  const endpoint = readEndpoint(options)
  if ('problem' in endpoint) throw new TypeError(`${endpoint.problem}${ifSwapped(options)}`)
  refuseLostKeys(options)
  const environment = readEnvironment(options, new URL(baseUrl.origin))
  const settings: Settings = {
    baseUrl,
    endpoint,
    ...readCredentials(options, environment),
    environment,
    merchants: new WeakMap(),
    profile,
    timeout: options.timeout ?? 30_000,
    maxReplyBytes: options.maxReplyBytes ?? 262_144,
    freshConnection: options.freshConnection ?? false,
    retries: options.retries ?? 2,
    observer: options.observer ?? {},
    serverCallbackUrl: readCallbackUrl(options.serverCallbackUrl),
    clock: options.clock ?? (() => Date.now()),
    nonce: options.nonce ?? (() => nodeCrypto().randomBytes(16).toString('hex')),
    attemptId: newAttemptId,
    random: options.random ?? (() => Math.random()),
    wait: options.wait ?? pause,
  }
  if (options.uses !== undefined) checkUses(options.uses, settings)
  return settings
}

/** Node.js puts a UUID together of twenty texts, which all live as long as it does, unless a character of it is looked at. */
function newAttemptId(): string {
  const id = nodeCrypto().randomUUID()
  id.charCodeAt(0)
  return id
}

/** Waits by a timer, which keeps the process alive. */
export const pause: NonNullable<ClientOptions['wait']> = (milliseconds, signal) =>
  process
    .getBuiltinModule('node:timers/promises')
    .setTimeout(milliseconds, undefined, { signal })
    .catch(() => {})

/** Both come in one e-mail, and a login is hardly ever a number. */
function ifSwapped({ login, endpointId, endpointGroupId }: ClientOptions): string {
  const isNumber = typeof login === 'number' || /^\d+$/.test(login ?? '')
  const wrong = endpointId === undefined ? 'endpointGroupId' : 'endpointId'
  const hasText = typeof (endpointId ?? endpointGroupId) === 'string'
  return isNumber && hasText ? ` "login" is a number: are "login" and "${wrong}" swapped?` : ''
}

function readCallbackUrl(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new TypeError('"serverCallbackUrl" is no text. Write it as a string.')
  const problem = addressProblem(value)
  if (problem !== undefined) throw new TypeError(`"serverCallbackUrl" ${problem}`)
  return value
}

/** A key that is named and has no value got lost on its way; a client for other people's merchants names none. */
function refuseLostKeys(options: ClientOptions): void {
  const named = (['controlKey', 'privateKey'] as const).filter(option => option in options)
  if (named.length === 0 || named.some(option => options[option] !== undefined)) return
  throw new TypeError(
    `"${named.join('" and "')}" ${named.length > 1 ? 'are' : 'is'} there and undefined, and no other key is, so nothing could be ` +
      `sent. ${unsetVariable} Where each call brings its own "merchant", leave the key out.`,
  )
}

function readEnvironment(
  { environment, allowPlainHttp }: ClientOptions,
  { protocol, hostname }: URL,
): Settings['environment'] {
  const isLoopback = isLoopbackHost(hostname)
  if (isLoopback && environment === 'production') {
    throw new TypeError('"environment" is "production" while "baseUrl" is this machine, which is always a test.')
  }
  if (allowPlainHttp === true && environment === 'production') {
    throw new TypeError(
      '"allowPlainHttp" is true while "environment" is "production". Everybody on the way could read card data: use https, ' +
        'and leave "allowPlainHttp" out.',
    )
  }
  return isLoopback || protocol === 'http:' ? 'test' : environment
}

/** Checks that every operation in `uses` has the key that it is authenticated with. */
function checkUses(uses: readonly OperationName[], settings: Settings): void {
  if (!Array.isArray(uses))
    throw new TypeError('"uses" must be a list of names of operations, such as ["sale", "status"].')
  const rows: Readonly<Record<string, AnyOperation | undefined>> = operations
  for (const name of uses) {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (row === undefined) {
      const near = nearName(String(name), Object.keys(operations))
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`
      throw new TypeError(`"uses" names ${describeValue(name)}, which is no operation.${hint}`)
    }
    const { scheme } = resolveSigning(row, settings.profile)
    const option = scheme === 'oauth-rsa-sha256' ? 'privateKey' : 'controlKey'
    if (settings[option] !== undefined) continue
    throw new TypeError(`"${option}" is missing, and ${name}, which "uses" names, needs it. ${unsetVariable}`)
  }
}

/**
 * The oddities of the settings of a client. A callback to this machine, or to a gateway without TLS, is one of a test:
 * it comes on any port.
 */
export function warningsOf({ serverCallbackUrl, baseUrl, profile }: Settings): readonly ClientWarning[] {
  if (serverCallbackUrl === undefined || baseUrl.isPlainHttp) return []
  const { protocol, port, hostname } = new URL(serverCallbackUrl)
  const { value: ports, source } = profile.callbackPorts
  const actual = port === '' ? (protocol === 'https:' ? 443 : 80) : Number.parseInt(port, 10)
  if (ports.includes(actual) || isLoopbackHost(hostname)) return []
  const message =
    `"serverCallbackUrl" has port ${actual}, and the gateway calls back on ${ports.join(', ')} only (${source}): no ` +
    'callback will arrive. Use one of these, or say with defineProfile({ callbackPorts }) what yours does.'
  return [{ code: 'WARN_CALLBACK_PORT', message }]
}
