/**
 * Files of settings: lines `TILLKIT_…=value`, the wire profile, and the config file of the gateway command.
 *
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { clientOptionsFromEnv, createClientFromEnv, profileFromEnv } from '@tillkit/client'
import { defaultProfile, defineProfile } from '@tillkit/protocol'
import { testPrivateKey } from '@tillkit/testing'
import fc from 'fast-check'
import { readConfig, readOperations } from '../../../../packages/cli/src/gateway/config.js'
import configSchema from '../../../../packages/cli/src/gateway/config.schema.json' with { type: 'json' }
import { UsageError } from '../../../../packages/cli/src/gateway/errors.js'
import { alteredJson, asJson, bracketsWithoutEnd, oddValue, repeated } from '../inputs.js'
import { attempt, type Parser, promiseSame, secret } from '../parser.js'

const variables: Readonly<Record<string, readonly string[]>> = {
  TILLKIT_BASE_URL: ['https://gate.example/paynet', 'http://127.0.0.1:4010/paynet', 'gate.example', 'https://a:b@c/'],
  TILLKIT_ALLOW_PLAIN_HTTP: ['true', 'false', 'yes'],
  TILLKIT_ENDPOINT_ID: ['39', ' 39', 'a/b'],
  TILLKIT_ENDPOINT_GROUP_ID: ['7'],
  TILLKIT_LOGIN: ['merchant', '"merchant"', ''],
  TILLKIT_CONTROL_KEY: [secret, `"${secret}"`, `${secret} # key`],
  TILLKIT_CONTROL_KEY_FILE: [secret, '/nowhere/key.txt'],
  TILLKIT_PRIVATE_KEY: [`"${testPrivateKey}"`, testPrivateKey.replaceAll('\n', '\\n'), secret],
  TILLKIT_PRIVATE_KEY_PASSPHRASE: [secret],
  TILLKIT_ENVIRONMENT: ['test', 'production', 'staging'],
  TILLKIT_SERVER_CALLBACK_URL: ['https://shop.example/callback', 'ftp://a'],
  TILLKIT_TIMEOUT: ['30000', '0', '1e3', '-1'],
  TILLKIT_PROFILE_FILE: ['/nowhere/profile.json'],
  TILLKIT_LOGINN: ['merchant'],
}
const line = fc
  .constantFrom(...Object.keys(variables))
  .chain(name => fc.tuple(fc.constant(name), fc.constantFrom(...(variables[name] ?? []))))
  .map(pair => pair.join('='))
const right = ['TILLKIT_BASE_URL=https://gate.example/paynet', 'TILLKIT_ENDPOINT_ID=39', 'TILLKIT_LOGIN=merchant']
const lines = fc
  .tuple(fc.subarray([...right, `TILLKIT_CONTROL_KEY=${secret}`]), fc.array(line, { maxLength: 4 }))
  .map(all => Buffer.from(all.flat().join('\n')))

const isTypeError = (error: unknown): boolean => error instanceof TypeError && error.constructor === TypeError

async function examineSettings(input: Buffer): Promise<void> {
  const environment = parseEnv(input.toString('utf8'))
  const read = await attempt(() => clientOptionsFromEnv(environment), isTypeError, { lines: true })
  await attempt(() => createClientFromEnv(environment), isTypeError, { lines: true })
  if (read === undefined || Object.values(environment).some(each => each?.includes("'") || each?.includes('\r'))) return
  const again = Object.entries(environment).map(([name, value]) => `${name}='${value}'`)
  promiseSame(clientOptionsFromEnv(parseEnv(again.join('\n'))), read, 'reads other settings than it wrote')
}

/** Gives the bytes as a file to `use`, which reads them at its own pace. */
async function inFile(input: Buffer, use: (path: string) => void | Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const path = join(directory, 'settings.json')
  try {
    writeFileSync(path, input)
    await use(path)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const examineProfile = (input: Buffer): Promise<void> =>
  inFile(input, async path => {
    const read = await attempt(() => profileFromEnv({ TILLKIT_PROFILE_FILE: path }), isTypeError, { lines: true })
    if (read === undefined) return
    const entries = Object.entries(read).map(([name, entry]) => [name, (entry as { readonly value: unknown }).value])
    const again = defineProfile(Object.fromEntries(entries))
    for (const [name, value] of entries)
      promiseSame(Reflect.get(again, String(name)).value, value, 'reads another profile than it wrote')
  })

const examineConfig = (input: Buffer): Promise<void> =>
  inFile(input, async path => {
    const isUsage = (error: unknown): boolean => error instanceof UsageError
    const read = await attempt(() => readConfig(path), isUsage, { lines: true })
    if (read === undefined) return
    await attempt(() => readOperations(read.operations ?? []), isUsage)
    await inFile(Buffer.from(JSON.stringify(read)), async again =>
      promiseSame(await readConfig(again), read, 'reads another config than it wrote'),
    )
  })

const config = {
  port: 4010,
  prefix: '/paynet',
  merchants: [{ login: 'merchant', controlKey: secret, endpoints: [39, { id: '40' }], groups: [7] }],
  operations: [
    {
      name: 'tip',
      path: 'tip',
      effect: 'creates',
      response: 'AsyncResponse',
      signing: { scheme: 'control', items: ['login'] },
    },
  ],
  profile: { captureEndsHold: true },
}
const configNames = [
  ...Object.keys(configSchema.properties),
  'login',
  'controlKey',
  'endpoints',
  'signing',
  'items',
  'name',
]
const profileValues = Object.fromEntries(
  Object.entries(defaultProfile).map(([name, entry]) => [name, (entry as { readonly value: unknown }).value]),
)
const profileNames = Object.keys(profileValues)
const overrides = fc
  .subarray(profileNames, { maxLength: 6 })
  .map(some => Object.fromEntries(some.map(name => [name, profileValues[name]])))

const json = {
  'brackets without end': bracketsWithoutEnd(),
  'brackets that close': (length: number) => Buffer.from('['.repeat(length / 2) + ']'.repeat(length / 2)),
  'a long text': repeated('x', { before: '{"port":"', after: '"}' }),
  'many members': (length: number) =>
    Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: length / 10 }, (_, at) => [`n${at}`, 1])))),
}

/** Lines of variables. */
export const settings: Parser = {
  name: 'settings',
  written: lines,
  tokens: [secret, '=', '#', '"', "'", '`', 'export ', 'TILLKIT_', 'TILLKIT_CONTROL_KEY=', '\\n', '$A'],
  examine: examineSettings,
  growing: {
    'a long value': repeated('x', { before: `${right.join('\n')}\nTILLKIT_CONTROL_KEY=` }),
    'many lines': length => Buffer.from(Array.from({ length: length / 14 }, (_, at) => `OTHER_A${at}=x`).join('\n')),
    'quotation marks in a value': repeated('"', { before: 'TILLKIT_LOGIN=' }),
    'an address of many parts': repeated('/a', { before: 'TILLKIT_BASE_URL=https://gate.example' }),
    spaces: repeated(' ', { before: 'TILLKIT_LOGIN="a', after: 'x' }),
  },
}

/** The entries of the wire profile that differ. */
export const profile: Parser = {
  name: 'profile',
  written: asJson(alteredJson(fc.oneof(overrides, oddValue), profileNames)),
  tokens: ['{', '}', '[', ']', ':', ',', 'null', 'true', ...profileNames.map(name => JSON.stringify(name))],
  examine: examineProfile,
  growing: json,
}

/** The config file of `tillkit gateway`. */
export const gatewayConfig: Parser = {
  name: 'gateway-config',
  written: asJson(alteredJson(fc.constant(config), configNames)),
  tokens: ['{', '}', '[', ']', ':', ',', 'null', 'true', '"merchants"', '"controlKey"', '"operations"'],
  examine: examineConfig,
  growing: json,
}
