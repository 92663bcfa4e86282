import { describeValue } from '@tillkit/protocol'
import { type OptionsOf, option } from '../command-line/command.js'
import { withoutUser } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'
import type { StartOptions } from '../gateway/start-gateway.js'

/** The options that a gateway to be run has. */
export const listening = () => [
  option('-p, --port <number>', 'Port to listen on. Default: 4010; 0 for any free one.'),
  option('-c, --config <file>', 'JSON file with merchants and settings; see --schema.'),
  option('--form', 'Answers form-encoded to clients that do not ask for JSON, as gateways do for older ones.'),
  option('--host <address>', 'Address to listen on. Default: 127.0.0.1, this machine only.'),
  option('--expose', 'Lets other machines in, as --host asks. Nothing asks them for a password.'),
  option('--public-origin <origin>', 'Where others reach it, such as http://gateway:4010: written into redirects.'),
]

/** Options of commands that run the gateway, as they were given. */
export type ListeningOptions = OptionsOf<ReturnType<typeof listening>>

export const schemaOption = () => option('--schema', 'Prints the JSON Schema of the config file.')

/** Reads them. @throws {@link UsageError} that names the option. */
export function startOptions(given: ListeningOptions): StartOptions {
  const { port, host, config, publicOrigin, form = false, expose = false } = given
  for (const [name, value] of Object.entries({ host, config, 'public-origin': publicOrigin })) {
    if (value === '') throw new UsageError(`--${name} is empty.`)
  }
  if (publicOrigin !== undefined && !/^https?:\/\/[^/?#@]+\/?$/i.test(publicOrigin)) {
    throw new UsageError(
      `--public-origin is ${describeValue(withoutUser(publicOrigin))}; it must be like https://gateway.test, without a path.`,
    )
  }
  return { port: port === undefined ? undefined : readPort('--port', port), host, config, publicOrigin, form, expose }
}

/** Reads a port. @throws {@link UsageError} that names the option. */
export function readPort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new UsageError(`${option} is ${describeValue(text)}; it must be a number from 0 to 65535.`)
}
