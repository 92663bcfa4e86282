/**
 * Reads the arguments of the command.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { commandOptions } from './command-options.js'
import { UsageError } from './usage-error.js'

/** What the arguments ask for. What is absent is for the config file or the default to say. */
export interface CommandArguments {
  readonly task: 'listen' | 'help' | 'version' | 'schema'
  readonly port: number | undefined
  readonly host: string | undefined
  readonly config: string | undefined
  readonly publicOrigin: string | undefined
  readonly form: boolean
  readonly expose: boolean
  readonly json: boolean
  readonly certify: CertifyArguments | undefined
}

/** The shop that is to be certified: addresses of its doors. */
export interface CertifyArguments {
  readonly startPayment: string
  readonly isPaid: string
  readonly receiveCallback: string | undefined
  readonly only: string | undefined
}

/**
 * Reads the arguments.
 *
 * @throws {@link UsageError} that names the argument.
 */
export function readArguments(words: readonly string[]): CommandArguments {
  const { values } = parse(words)
  const { port, host, config, form = false, expose = false, json = false } = values
  const task = (['help', 'version', 'schema'] as const).find(name => values[name] === true) ?? 'listen'
  for (const name of ['host', 'config', 'public-origin'] as const) {
    if (values[name] === '') throw new UsageError(`--${name} is empty.`)
  }
  return {
    task,
    port: port === undefined ? undefined : readPort(port),
    host,
    config,
    publicOrigin: values['public-origin'],
    form,
    expose,
    json,
    certify: readCertify(values),
  }
}

function readCertify(values: ReturnType<typeof parse>['values']): CertifyArguments | undefined {
  const { certify: startPayment, 'is-paid': isPaid, callback: receiveCallback, only } = values
  const alone = (['is-paid', 'callback', 'only'] as const).find(name => values[name] !== undefined)
  if (startPayment === undefined && alone !== undefined)
    throw new UsageError(`--${alone} goes with --certify <address>.`)
  if (startPayment === undefined) return undefined
  if (isPaid !== undefined) return { startPayment, isPaid, receiveCallback, only }
  throw new UsageError('--certify needs --is-paid <address>: where the shop says whether an order is paid.')
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: commandOptions, strict: true, allowPositionals: false })
  } catch (error) {
    // Node.js explains how to pass such a thing as a positional argument; there are none here.
    const [sentence = ''] = error instanceof Error ? error.message.split(/\. (?=To specify)|\n/) : []
    throw new UsageError(`${sentence.replace(/\.$/, '')}. See tillkit-gateway --help.`, { cause: error })
  }
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new UsageError(`--port is ${JSON.stringify(text.slice(0, 40))}; it must be a number from 0 to 65535.`)
}
