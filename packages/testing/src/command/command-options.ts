/**
 * Options of the command as data: arguments are read by them, and `--help` is made of them.
 *
 * @module
 */

/** One option of the command. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  /** What stands for its value in `--help`. */
  readonly takes?: string
  /** One sentence. */
  readonly means: string
}

/** Every option by its name. */
export const commandOptions = {
  port: { type: 'string', short: 'p', takes: 'number', means: 'Port to listen on. Default: 4010; 0 for any free one.' },
  config: { type: 'string', short: 'c', takes: 'file', means: 'JSON file with merchants and settings; see --schema.' },
  form: {
    type: 'boolean',
    means: 'Answers form-encoded to clients that do not ask for JSON, as gateways do for older ones.',
  },
  host: { type: 'string', takes: 'address', means: 'Address to listen on. Default: 127.0.0.1, this machine only.' },
  expose: { type: 'boolean', means: 'Lets other machines in, as --host asks. Nothing asks them for a password.' },
  'public-origin': {
    type: 'string',
    takes: 'origin',
    means: 'Where others reach it, such as http://gateway:4010: written into redirects.',
  },
  json: { type: 'boolean', means: 'Prints one line of JSON, for programs, once it listens.' },
  certify: {
    type: 'string',
    takes: 'address',
    means: 'Tries what can go wrong on the shop that takes payments there, and ends.',
  },
  'is-paid': {
    type: 'string',
    takes: 'address',
    means: 'With --certify: where it says what is paid; holds {order}.',
  },
  callback: {
    type: 'string',
    takes: 'address',
    means: 'With --certify: where it takes callbacks.',
  },
  only: { type: 'string', takes: 'case', means: 'With --certify: the only case to try.' },
  schema: { type: 'boolean', means: 'Prints the JSON Schema of the config file.' },
  help: { type: 'boolean', short: 'h', means: 'Prints this.' },
  version: { type: 'boolean', short: 'v', means: 'Prints the version.' },
} as const satisfies Readonly<Record<string, CommandOption>>

const rows: readonly (readonly [string, CommandOption])[] = Object.entries(commandOptions)

/** What `--help` prints. */
export function helpText(): string {
  const names = rows.map(([name, { short, takes }]) => {
    const before = short === undefined ? '    ' : `-${short}, `
    return `${before}--${name}${takes === undefined ? '' : ` <${takes}>`}`
  })
  const width = Math.max(...names.map(({ length }) => length))
  const lines = rows.map(([, { means }], index) => `  ${(names[index] ?? '').padEnd(width)}  ${means}`)
  return `Usage: tillkit-gateway [options]

A payment gateway for tests, on this machine, for any language. No money moves.

${lines.join('\n')}

Ends with 0 when it is stopped by SIGINT or SIGTERM, with 2 when an option or the config file is wrong,
with 1 when it cannot listen or --certify found something. Without --config there is one merchant, with published keys.
`
}
