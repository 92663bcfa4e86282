import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type AnyOperation, operations, type ProfileOverrides, wireNames } from '@tillkit/protocol'
import { generateKeyPair, importPublicKey } from '@tillkit/signing'
import type { MerchantOptions } from '@tillkit/testing'
import { schemaProblems } from '../schema.js'
import schema from './config.schema.json' with { type: 'json' }
import type { GatewayOptions } from './create-gateway.js'
import { UsageError } from './errors.js'
import type { IntroducedMerchant } from './introduction.js'

/** A merchant as the config file has it. @see config.schema.json */
type ConfigMerchant = Omit<MerchantOptions, 'publicKey' | 'privateKey'> & { readonly publicKeyFile?: string }

/** An operation as the config file has it. @see config.schema.json */
interface ConfigOperation extends Pick<AnyOperation, 'name' | 'path' | 'effect' | 'response' | 'wireNames'> {
  readonly signing: {
    readonly scheme: 'control' | 'oauth-hmac-sha1' | 'oauth-rsa-sha256'
    readonly items?: readonly string[]
  }
  readonly required?: readonly string[]
  readonly stages?: AnyOperation['stages']
}

/** What a config file says. @see config.schema.json */
export interface Config extends Omit<GatewayOptions, 'merchants' | 'profile' | 'operations'> {
  readonly port?: number
  readonly host?: string
  readonly publicOrigin?: string
  readonly merchants?: readonly ConfigMerchant[]
  readonly operations?: readonly ConfigOperation[]
  readonly profile?: Pick<
    ProfileOverrides,
    'captureEndsHold' | 'cancelEndsHold' | 'saleIsSettled' | 'usedClientOrderId'
  >
}

/**
 * The rows of the operations that a config file declares, by their names.
 *
 * @throws {@link UsageError} that names an operation whose name is taken, or the field of one that has no name on the wire.
 */
export function readOperations(declared: readonly ConfigOperation[]): Readonly<Record<string, AnyOperation>> {
  const rows = declared.map(({ signing: { scheme, items = [] }, required = [], stages = [], ...row }): AnyOperation => {
    const known = { ...wireNames, ...row.wireNames, endpointId: '', login: '' }
    const unknown = [...items, ...required].find(field => !Object.hasOwn(known, field))
    if (unknown !== undefined)
      throw new UsageError(
        `The operation "${row.name}" has "${unknown}": say in its "wireNames" what that is called on the wire.`,
      )
    const signing = scheme === 'control' ? { scheme, items } : { scheme }
    return { ...row, signing, required, stages, request: row.name }
  })
  const names = rows.map(({ name }) => name)
  const taken = names.find((name, place) => Object.hasOwn(operations, name) || names.indexOf(name) < place)
  if (taken !== undefined) throw new UsageError(`The name of the operation "${taken}" is taken. Give it another one.`)
  return Object.fromEntries(rows.map(row => [row.name, row]))
}

/** Largest config file, in bytes: a mistaken path must not fill the memory. */
const largestConfig = 1_000_000

/** The schema of the config file, as `--schema` prints it. */
export const configSchema = (): string => `${JSON.stringify(schema, undefined, 2)}\n`

/** Reads and checks a config file. @throws {@link UsageError} that lists everything that is wrong with it. */
export async function readConfig(path: string): Promise<Config> {
  const value = parse(await readText(path, '--config'), path)
  const problems = schemaProblems(value, schema, 'The config')
  if (problems.length > 0) {
    const lines = problems.slice(0, 20).map(problem => `- ${problem}`)
    throw new UsageError(`${path} is not as its schema says (see --schema):\n${lines.join('\n')}`)
  }
  const { $schema: _schema, ...config } = value as Config & { readonly $schema?: string }
  return config
}

/** Reads a text file; one of Windows may begin with a byte order mark. @param named What named it, for the message. */
export async function readText(path: string, named: string): Promise<string> {
  try {
    const bytes = await readFile(path)
    if (bytes.byteLength > largestConfig) throw new UsageError(`${named} is ${path}, which is larger than 1 MB.`)
    return bytes.toString('utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof UsageError) throw error
    const reason = error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined
    throw new UsageError(`${named}: ${reason ?? 'cannot read'} ${resolve(path)}.`, { cause: error })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no file',
  EISDIR: 'this is a directory, not a file:',
  EACCES: 'you may not read',
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The end of the message of newer Node.js quotes the file, keys and all.
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const before = text.slice(0, Number(position)).split('\n')
    const place = `: look at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
    throw new UsageError(`${path} is no JSON${position === undefined ? '' : place}.`)
  }
}

/**
 * Reads the key file of a merchant, and makes the keys that the config file leaves out.
 *
 * @returns The merchant with both keys, and what the person who started the command is told of it.
 * @throws {@link UsageError} that names the merchant and the file.
 */
export async function readMerchant(
  { publicKeyFile, ...merchant }: ConfigMerchant,
  { config, newControlKey }: { readonly config: string; readonly newControlKey: () => string },
): Promise<{
  readonly options: MerchantOptions & { readonly controlKey: string }
  readonly introduced: IntroducedMerchant
}> {
  const { login, endpoints = [], groups = [], controlKey = newControlKey() } = merchant
  const places = endpoints.map(each => (typeof each === 'object' ? each : { id: each }))
  const made = publicKeyFile === undefined ? generateKeyPair() : undefined
  const publicKey = made?.publicKey ?? (await readPublicKey(publicKeyFile ?? '', { login, config }))
  return {
    options: { ...merchant, controlKey, publicKey },
    introduced: {
      login,
      endpoints: places.map(place => ({ ...place, id: String(place.id) })),
      groups: groups.map(String),
      ...(merchant.controlKey === undefined ? { controlKey } : {}),
      ...(made === undefined ? {} : { privateKey: made.privateKey }),
    },
  }
}

async function readPublicKey(file: string, { login, config }: { readonly login: string; readonly config: string }) {
  const named = `"publicKeyFile" of the merchant "${login}"`
  // A path has no line breaks; a key that was pasted here must not be shown.
  if (/-----BEGIN|\n/.test(file)) throw new UsageError(`${named} is a key; save it to a file and name that.`)
  const text = await readText(resolve(dirname(config), file), named)
  try {
    return importPublicKey(text).key
  } catch (error) {
    throw new UsageError(`${named}, ${file}: ${error instanceof Error ? error.message : 'it cannot be read.'}`)
  }
}
