import { parseArgs } from 'node:util'
import { describeValue } from '@tillkit/protocol'
import { UsageError } from '../gateway/errors.js'
import type { StartOptions } from '../gateway/start-gateway.js'
import { type CommandName, commandOptions, generalOptions, helpText } from './options.js'

export type CommandArguments =
  | { readonly kind: 'help'; readonly command: CommandName | undefined }
  | { readonly kind: 'version' }
  | { readonly kind: 'schema' }
  | { readonly kind: 'gateway'; readonly gateway: StartOptions; readonly json: boolean }
  | {
      readonly kind: 'certify'
      readonly shop: { readonly startPayment: string; readonly isPaid: string; readonly receiveCallback?: string }
      /** Names of the cases to run; undefined for all. */
      readonly only: readonly string[] | undefined
      readonly gateway: StartOptions
      readonly json: boolean
    }

/**
 * Reads the arguments, without the program's name.
 *
 * @throws {@link UsageError} that names the argument.
 */
export function readArguments(words: readonly string[]): CommandArguments {
  const [name, ...rest] = words
  if (name === undefined) throw new UsageError(`Which command?\n\n${helpText().trimEnd()}`)
  if (name === 'gateway') return readGateway(rest)
  if (name === 'certify') return readCertify(rest)
  if (!name.startsWith('-')) {
    throw new UsageError(`There is no command ${describeValue(name)}. There are: gateway, certify. See tillkit --help.`)
  }
  const { help } = parse(() => parseArgs({ args: [...words], options: generalOptions }), 'tillkit').values
  return help === true ? { kind: 'help', command: undefined } : { kind: 'version' }
}

function readGateway(words: readonly string[]): CommandArguments {
  const { values } = parse(() => parseArgs({ args: [...words], options: commandOptions.gateway }), 'tillkit gateway')
  if (values.help === true) return { kind: 'help', command: 'gateway' }
  if (values.schema === true) return { kind: 'schema' }
  return { kind: 'gateway', gateway: startOptions(values), json: values.json ?? false }
}

function readCertify(words: readonly string[]): CommandArguments {
  const read = () => parseArgs({ args: [...words], options: commandOptions.certify, allowPositionals: true })
  const { values, positionals } = parse(read, 'tillkit certify')
  if (values.help === true) return { kind: 'help', command: 'certify' }
  if (values.schema === true) return { kind: 'schema' }
  const [startPayment, more] = positionals
  const { 'is-paid': isPaid, callback, only } = values
  if (startPayment === undefined) {
    throw new UsageError('Which shop? tillkit certify <address>: where it takes payments. See tillkit certify --help.')
  }
  if (more !== undefined) {
    throw new UsageError(`One shop at a time: ${describeValue(more)} is too much. See tillkit certify --help.`)
  }
  if (isPaid === undefined) {
    throw new UsageError('--is-paid <address> is missing: where the shop says whether an order is paid.')
  }
  return {
    kind: 'certify',
    shop: { startPayment, isPaid, ...(callback === undefined ? {} : { receiveCallback: callback }) },
    only,
    gateway: startOptions(values),
    json: values.json ?? false,
  }
}

type Texts = Partial<Record<'port' | 'host' | 'config' | 'public-origin', string | undefined>>
type Flags = Partial<Record<'form' | 'expose', boolean | undefined>>

function startOptions(values: Texts & Flags): StartOptions {
  for (const name of ['host', 'config', 'public-origin'] as const) {
    if (values[name] === '') throw new UsageError(`--${name} is empty.`)
  }
  const { port, host, config, form = false, expose = false } = values
  const publicOrigin = values['public-origin']
  return { port: port === undefined ? undefined : readPort(port), host, config, publicOrigin, form, expose }
}

function parse<Read>(read: () => Read, command: string): Read {
  try {
    return read()
  } catch (error) {
    // Node.js adds how to pass such a word as a positional argument, which does not help here.
    const [sentence = ''] = error instanceof Error ? error.message.split(/\. (?=To specify)|\n/) : []
    throw new UsageError(`${sentence.replace(/\.$/, '')}. See ${command} --help.`, { cause: error })
  }
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new UsageError(`--port is ${describeValue(text)}; it must be a number from 0 to 65535.`)
}
