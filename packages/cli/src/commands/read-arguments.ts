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

/** Reads the arguments, without the program's name. @throws {@link UsageError} that names the argument. */
export function readArguments([name, ...args]: readonly string[]): CommandArguments {
  if (name === undefined) throw new UsageError(`Which command?\n\n${helpText().trimEnd()}`)
  if (name.startsWith('-')) {
    const { values } = parse(() => parseArgs({ args: [name, ...args], options: generalOptions }), 'tillkit')
    return values.help === true ? { kind: 'help', command: undefined } : { kind: 'version' }
  }
  if (name !== 'gateway' && name !== 'certify') {
    throw new UsageError(`There is no command ${describeValue(name)}. There are: gateway, certify. See tillkit --help.`)
  }
  const given = { args, options: commandOptions[name], allowPositionals: name === 'certify' }
  const { positionals, ...read } = parse(() => parseArgs(given), `tillkit ${name}`)
  const values = read.values as Values
  const { help, schema, json = false } = values
  if (help === true) return { kind: 'help', command: name }
  if (schema === true) return { kind: 'schema' }
  if (name === 'gateway') return { kind: name, gateway: startOptions(values), json }
  return { kind: name, shop: shopOf(positionals, values), only: values.only, gateway: startOptions(values), json }
}

/** What can be given of the options of any command. */
interface Values extends Texts, Flags {
  readonly only?: string[] | undefined
}

function shopOf([startPayment, more]: readonly string[], { 'is-paid': isPaid, callback }: Values) {
  if (startPayment === undefined) {
    throw new UsageError('Which shop? tillkit certify <address>: where it takes payments. See tillkit certify --help.')
  }
  if (more !== undefined) {
    throw new UsageError(`One shop at a time: ${describeValue(more)} is too much. See tillkit certify --help.`)
  }
  if (isPaid === undefined) {
    throw new UsageError('--is-paid <address> is missing: where the shop says whether an order is paid.')
  }
  return { startPayment, isPaid, ...(callback === undefined ? {} : { receiveCallback: callback }) }
}

type Texts = Partial<Record<'port' | 'host' | 'config' | 'public-origin' | 'is-paid' | 'callback', string | undefined>>
type Flags = Partial<Record<'form' | 'expose' | 'json' | 'schema' | 'help', boolean | undefined>>

function startOptions(values: Values): StartOptions {
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
