import {
  defaultProfile,
  defineProfile,
  nearName,
  type ProfileOverrides,
  quote,
  type WireProfile,
} from '@tillkit/protocol'
import { importPrivateKey } from '@tillkit/signing'
import { sentence } from '../errors/messages.js'
import type { ClientOptions } from './options.js'
import { readSettings } from './read-settings.js'

/** Options that go with variables: every one that is no identifier and no key. */
export type EnvClientOptions = Omit<
  ClientOptions,
  'baseUrl' | 'endpointId' | 'endpointGroupId' | 'login' | 'controlKey' | 'privateKey'
>

/** Environment variables by name. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

type EnvOption = keyof typeof variables
type KeyOption = 'controlKey' | 'privateKey'

/** Variables of the options that a client may be given in the environment. */
const variables = {
  baseUrl: 'TILLKIT_BASE_URL',
  allowPlainHttp: 'TILLKIT_ALLOW_PLAIN_HTTP',
  endpointId: 'TILLKIT_ENDPOINT_ID',
  endpointGroupId: 'TILLKIT_ENDPOINT_GROUP_ID',
  login: 'TILLKIT_LOGIN',
  controlKey: 'TILLKIT_CONTROL_KEY',
  privateKey: 'TILLKIT_PRIVATE_KEY',
  environment: 'TILLKIT_ENVIRONMENT',
  serverCallbackUrl: 'TILLKIT_SERVER_CALLBACK_URL',
  timeout: 'TILLKIT_TIMEOUT',
  profile: 'TILLKIT_PROFILE_FILE',
} as const satisfies { readonly [Option in keyof ClientOptions]?: string }

const passphraseVariable = 'TILLKIT_PRIVATE_KEY_PASSPHRASE'
const fileOf = (variable: string): string => `${variable}_FILE`
const allVariables: readonly string[] = [
  ...Object.values(variables),
  fileOf(variables.controlKey),
  fileOf(variables.privateKey),
  passphraseVariable,
]

type Found = { readonly [Option in EnvOption]?: ClientOptions[Option] }

/**
 * Reads the options of a client from the variables of `createClientFromEnv`, for what makes its clients itself, such as a till.
 *
 * @example
 * ```ts
 * const till = createTill({ account: clientOptionsFromEnv(), store, address, returnTo, onOutcome })
 * ```
 *
 * @param env Default: the environment of the process. Empty variables count as not set.
 * @param options What else the client is given: it counts before a variable.
 * @throws {TypeError} that lists every variable that is missing, misspelt or damaged. It never holds the value of a key. The control key is
 * required: callbacks are verified with it.
 */
export function clientOptionsFromEnv(
  env: EnvironmentVariables = process.env,
  options: EnvClientOptions = {},
): Pick<ClientOptions, EnvOption> & { readonly controlKey: string } {
  // Without it an error was thrown.
  const { controlKey = '', ...found } = readVariables(env, options, ['controlKey'])
  return { ...found, controlKey }
}

/**
 * Reads the options of a client from variables.
 *
 * @param keys The keys of which one at least is needed.
 * @throws {TypeError} As {@link clientOptionsFromEnv} does.
 */
export function readVariables(
  env: EnvironmentVariables,
  options: EnvClientOptions,
  keys: readonly KeyOption[] = ['controlKey', 'privateKey'],
): Pick<ClientOptions, EnvOption> {
  const problems: string[] = []
  const found: Found = Object.fromEntries(
    Object.keys(variables).flatMap(option => {
      try {
        const value = readOne(option as EnvOption, env)
        return value === undefined ? [] : [[option, value] as const]
      } catch (cause) {
        problems.push(messageOf(cause))
        return []
      }
    }),
  )
  problems.push(...missing(found, { env, keys }), ...misspelt(env))
  const allowPlainHttp = options.allowPlainHttp ?? found.allowPlainHttp
  for (const [option, value] of Object.entries(found)) {
    // What the address may be depends on another option.
    const beside = option === 'baseUrl' && allowPlainHttp === true ? { allowPlainHttp } : {}
    problems.push(...problemsOf(option, value, beside))
  }
  if (problems.length > 0) {
    const list = problems.map(problem => `\n- ${problem}`).join('')
    throw new TypeError(`The environment does not describe a client:${list}`)
  }
  // What is required was found, or it would be among the problems.
  return found as Found & Pick<ClientOptions, 'baseUrl' | 'login'>
}

/**
 * Reads the wire profile from the file that `TILLKIT_PROFILE_FILE` names: JSON with what `defineProfile` takes.
 *
 * @param env Default: the environment of the process.
 * @returns `defaultProfile` where the variable is not set.
 * @throws {TypeError} that says what is wrong with the file.
 */
export function profileFromEnv(env: EnvironmentVariables = process.env): WireProfile {
  const path = textOf(variables.profile, env)
  if (path === undefined) return defaultProfile
  const wrong = (problem: string, cause?: unknown) =>
    new TypeError(`${variables.profile} is ${JSON.stringify(path)}: ${problem}`, { cause })
  let overrides: unknown
  try {
    // Editors of Windows begin a file with a byte order mark.
    overrides = JSON.parse(
      process
        .getBuiltinModule('node:fs')
        .readFileSync(path, 'utf8')
        .replace(/^\uFEFF/, ''),
    )
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
    // What JSON.parse says quotes the file, which may be a key by mistake.
    throw code === undefined ? wrong('it is not JSON.') : wrong(`this file cannot be read (${code}).`, cause)
  }
  if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
    throw wrong('it must hold one object, such as { "minorUnits": "hundredths" }.')
  }
  try {
    return defineProfile(overrides as ProfileOverrides, path)
  } catch (cause) {
    throw wrong(messageOf(cause), cause)
  }
}

/** Says it by the variable's name; options in `besides` were not read from variables. */
export function nameVariables(message: string, besides: readonly string[] = []): string {
  return Object.entries(variables)
    .filter(([option]) => !besides.includes(option))
    .reduce((text, [option, name]) => text.replaceAll(`"${option}"`, name), message)
}

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

function readOne(option: EnvOption, env: EnvironmentVariables): unknown {
  const text =
    option === 'controlKey' || option === 'privateKey'
      ? keyText(variables[option], env)
      : textOf(variables[option], env)
  if (text === undefined) return undefined
  if (option === 'profile') return profileFromEnv(env)
  if (option === 'timeout') return /^\d+$/.test(text) ? Number.parseInt(text, 10) : text
  if (option === 'allowPlainHttp') return text === 'true' || (text === 'false' ? false : text)
  return option === 'privateKey' ? readKey(text, env) : text
}

/** @throws {TypeError} for a value in quotes: some readers of such files take them off, others hand them on. */
function textOf(variable: string, env: EnvironmentVariables): string | undefined {
  const text = env[variable]
  if (text === undefined || text === '') return undefined
  if (!/^(["'`]).*\1\s*$/s.test(text)) return text
  throw new TypeError(`${variable} is in quotes, and they are part of its value here. Take them off.`)
}

function keyText(variable: string, env: EnvironmentVariables): string | undefined {
  const inline = textOf(variable, env)
  const path = textOf(fileOf(variable), env)
  if (path === undefined) return inline
  if (inline !== undefined) throw new TypeError(`${variable} and ${fileOf(variable)} are both set. Keep one of them.`)
  try {
    return process.getBuiltinModule('node:fs').readFileSync(path, 'utf8').trim()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
    const place = isSurelyPath(path) ? `: ${process.getBuiltinModule('node:path').resolve(path)}` : ''
    throw new TypeError(
      `${fileOf(variable)} does not name a file that can be read${code}${place}. It takes the path, not the key.`,
    )
  }
}

/** Whether a text is shown: a key may stand in the place of its path. */
function isSurelyPath(text: string): boolean {
  if (/\p{C}/u.test(text)) return false
  if (/\.(?:pem|der|key|txt)$/i.test(text)) return true
  const { existsSync } = process.getBuiltinModule('node:fs')
  const folder = process.getBuiltinModule('node:path').dirname(text)
  return existsSync(text) || (!['.', '/'].includes(folder) && existsSync(folder))
}

/**
 * Files of variables know no line breaks: they hold them as the two characters \n, which another program may have escaped again,
 * or hold Base64 of the whole file. A key in PEM has no backslash of its own.
 */
function readKey(text: string, env: EnvironmentVariables): ReturnType<typeof importPrivateKey> {
  const passphrase = textOf(passphraseVariable, env)
  const pem = /^\s*LS0tLS1CRUdJTi/.test(text) ? Buffer.from(text, 'base64').toString() : text
  try {
    return importPrivateKey(pem.replace(/(?:\\+r)?\\+n/g, '\n'), passphrase === undefined ? {} : { passphrase })
  } catch (cause) {
    const reason =
      cause instanceof Error
        ? cause.message.replace('Pass "passphrase" to importPrivateKey', `Set ${passphraseVariable}`)
        : ''
    const path = textOf(fileOf(variables.privateKey), env)
    const what =
      path === undefined
        ? `${variables.privateKey} cannot be used.`
        : `${fileOf(variables.privateKey)} names a file that cannot be used: ${process.getBuiltinModule('node:path').resolve(path)}.`
    throw new TypeError(`${what} ${sentence(reason)}`)
  }
}

function missing(
  found: Found,
  { env, keys }: { readonly env: EnvironmentVariables; readonly keys: readonly KeyOption[] },
): readonly string[] {
  const isSet = (option: EnvOption) => env[variables[option]] || env[fileOf(variables[option])]
  const { endpointId, endpointGroupId } = variables
  const names = keys.map(key => variables[key])
  const needed: readonly (readonly [options: readonly EnvOption[], problem: string])[] = [
    [['baseUrl'], `${variables.baseUrl} is not set.`],
    [['login'], `${variables.login} is not set.`],
    [['endpointId', 'endpointGroupId'], `${endpointId} is not set, nor is ${endpointGroupId}.`],
    [
      keys,
      `${names.join(' is not set, nor is ')}${names.length === 1 ? ' is not set; it' : '; either'} may be a file: ` +
        `${names.map(fileOf).join(', ')}.`,
    ],
  ]
  const unset = needed.flatMap(([options, problem]) => (options.some(isSet) ? [] : problem))
  const hasBoth = found.endpointId !== undefined && found.endpointGroupId !== undefined
  return hasBoth ? [...unset, `${endpointId} and ${endpointGroupId} are both set. Keep one of them.`] : unset
}

function misspelt(env: EnvironmentVariables): readonly string[] {
  return Object.keys(env)
    .filter(name => name.toUpperCase().startsWith('TILLKIT_') && !allVariables.includes(name))
    .flatMap(name => {
      const near = nearName(name, allVariables)
      return near === undefined
        ? []
        : [`${/^\w+$/.test(name) ? name : quote(name)} is no variable of this package. Did you mean ${near}?`]
    })
}

/** Every option is checked alone, beside others that are right, by the same check as those of `createClient`. */
function problemsOf(option: string, value: unknown, beside: object): readonly string[] {
  const endpoint = option === 'endpointGroupId' ? {} : { endpointId: 1 }
  try {
    readSettings({ baseUrl: 'https://gate.example/', login: 'login', ...endpoint, ...beside, [option]: value })
    return []
  } catch (cause) {
    return [nameVariables(messageOf(cause))]
  }
}
