import { parseArgs } from 'node:util'
import { describeValue } from '@tillkit/protocol'
import { UsageError } from '../gateway/errors.js'
import type { StartOptions } from '../gateway/start-gateway.js'
import { type CommandName, commandOptions, generalOptions, helpText } from './options.js'

export type CommandArguments =
  | { readonly kind: 'help'; readonly command: CommandName | undefined }
  | { readonly kind: 'version' }
  | { readonly kind: 'schema' }
  | { readonly kind: 'gateway'; readonly gateway: StartOptions; readonly keys: boolean; readonly json: boolean }
  | {
      readonly kind: 'certify'
      readonly shop: { readonly startPayment: string; readonly isPaid: string; readonly receiveCallback?: string }
      /** Names of the cases to run; undefined for all. */
      readonly only: readonly string[] | undefined
      readonly gateway: StartOptions
      readonly json: boolean
    }
  | { readonly kind: 'explain'; readonly explain: ExplainArguments; readonly json: boolean }

/** What `tillkit explain` is asked. */
export interface ExplainArguments {
  /** A base string or a control value. Undefined where it is in a file, or in the standard input. */
  readonly text: string | undefined
  readonly file: string | undefined
  readonly operation: string | undefined
  readonly items: Readonly<Record<string, string>>
  readonly theirs: string | undefined
  readonly login: string | undefined
  readonly keyFile: string | undefined
  readonly publicKeyFile: string | undefined
}

/** Reads the arguments, without the program's name. @throws {@link UsageError} that names the argument. */
export function readArguments([name, ...args]: readonly string[]): CommandArguments {
  if (name === undefined) throw new UsageError(`Which command?\n\n${helpText().trimEnd()}`)
  if (name.startsWith('-')) {
    const { values } = parse(() => parseArgs({ args: [name, ...args], options: generalOptions }), 'tillkit')
    return values.help === true ? { kind: 'help', command: undefined } : { kind: 'version' }
  }
  if (!isCommand(name)) {
    const known = Object.keys(commandOptions).join(', ')
    throw new UsageError(`There is no command ${describeValue(name)}. There are: ${known}. See tillkit --help.`)
  }
  const given = { args, options: commandOptions[name], allowPositionals: name === 'certify' }
  const { positionals, ...read } = parse(() => parseArgs(given), `tillkit ${name}`)
  const values = read.values as Values
  const { help, schema, keys = false, json = false } = values
  if (help === true) return { kind: 'help', command: name }
  if (schema === true) return { kind: 'schema' }
  if (name === 'explain') return { kind: name, explain: explainArguments(values), json }
  if (name === 'gateway') return { kind: name, gateway: startOptions(values), keys, json }
  return { kind: name, shop: shopOf(positionals, values), only: values.only, gateway: startOptions(values), json }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commandOptions, name)

/** What can be given of the options of any command. */
interface Values extends Texts, Flags {
  readonly only?: string[] | undefined
  readonly item?: string[] | undefined
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

function explainArguments(values: Values): ExplainArguments {
  const { file, control, operation, item = [], theirs, login } = values
  const given = Object.entries({ '--file': file, '--base-string': values['base-string'], '--control': control })
  const named = given.filter(([, value]) => value !== undefined)
  if (named.length > 1) {
    throw new UsageError(`One thing at a time: ${named.map(([name]) => name).join(' and ')} were given.`)
  }
  for (const [name, value] of named) if (value === '') throw new UsageError(`${name} is empty.`)
  const items = item.map(each => {
    const border = each.indexOf('=')
    if (border < 1) throw new UsageError(`--item is ${describeValue(each)}; it must be name=value.`)
    return [each.slice(0, border), each.slice(border + 1)] as const
  })
  return {
    text: control ?? values['base-string'],
    file,
    operation,
    items: Object.fromEntries(items),
    theirs,
    login,
    keyFile: values['key-file'],
    publicKeyFile: values['public-key-file'],
  }
}

type ExplainText =
  | 'file'
  | 'base-string'
  | 'control'
  | 'operation'
  | 'theirs'
  | 'login'
  | 'key-file'
  | 'public-key-file'
type GatewayText = 'port' | 'host' | 'config' | 'public-origin' | 'is-paid' | 'callback'
type Texts = Partial<Record<GatewayText | ExplainText, string | undefined>>
type Flags = Partial<Record<'form' | 'expose' | 'keys' | 'json' | 'schema' | 'help', boolean | undefined>>

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
