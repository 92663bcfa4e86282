export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: true
  /** What stands for its value in `--help`. */
  readonly takes?: string
  /** One sentence. */
  readonly means: string
}

type Options = Readonly<Record<string, CommandOption>>

const listening = {
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
} as const satisfies Options

const schema = { type: 'boolean', means: 'Prints the JSON Schema of the config file.' } as const
const help = { type: 'boolean', short: 'h', means: 'Prints this.' } as const

/** The options of each command by their names: arguments are read by them, and `--help` is made of them. */
export const commandOptions = {
  gateway: {
    ...listening,
    keys: { type: 'boolean', means: 'Prints the keys of the merchants as well, where the config file has none.' },
    json: { type: 'boolean', means: 'Prints one line of JSON, for programs, once it listens.' },
    schema,
    help,
  },
  certify: {
    'is-paid': {
      type: 'string',
      takes: 'address',
      means: 'Where the shop says whether {order} is paid. Required.',
    },
    callback: {
      type: 'string',
      takes: 'address',
      means: 'Where the shop takes callbacks. Default: the address that it sends with its payments.',
    },
    only: { type: 'string', takes: 'case', multiple: true, means: 'A case to try, in place of all; may be repeated.' },
    ...listening,
    json: { type: 'boolean', means: 'Prints the report as one line of JSON, for programs.' },
    schema,
    help,
  },
  explain: {
    file: {
      type: 'string',
      short: 'f',
      takes: 'file',
      means: 'Reads a curl command or a base string from a file. Default: from the standard input.',
    },
    'base-string': { type: 'string', takes: 'text', means: 'A base string.' },
    control: { type: 'string', takes: 'value', means: 'A control value, with --operation and --item.' },
    operation: { type: 'string', takes: 'name', means: 'The operation of --control, such as sale or callback.' },
    item: {
      type: 'string',
      takes: 'name=value',
      multiple: true,
      means: 'What --control covers, such as amount=1042 (minor units); repeated for each item.',
    },
    theirs: { type: 'string', takes: 'text', means: 'The base string or the signature of the other side.' },
    login: { type: 'string', takes: 'name', means: 'Merchant login, where a control value covers it.' },
    'key-file': { type: 'string', takes: 'file', means: 'Holds the control key. Default: TILLKIT_CONTROL_KEY.' },
    'public-key-file': { type: 'string', takes: 'file', means: 'Holds the public key that RSA-SHA256 is judged with.' },
    json: { type: 'boolean', means: 'Prints the explanation as one line of JSON, for programs.' },
    help,
  },
} as const satisfies Readonly<Record<string, Options>>

export type CommandName = keyof typeof commandOptions

/** Options before the name of a command. */
export const generalOptions = {
  help: { type: 'boolean', short: 'h', means: 'Prints this; after a command, its options.' },
  version: { type: 'boolean', short: 'v', means: 'Prints the version.' },
} as const satisfies Options

const texts: Readonly<Record<CommandName, { readonly usage: string; readonly does: string; readonly ends: string }>> = {
  gateway: {
    usage: 'tillkit gateway [options]',
    does: 'Runs a payment gateway for tests, on this machine, for any language. No money moves.',
    ends: `Ends with 0 when it is stopped by SIGINT or SIGTERM, with 2 when an option or the config file is wrong,
with 1 when it cannot listen. Without --config there is one merchant, with published keys.`,
  },
  certify: {
    usage: 'tillkit certify <address> --is-paid <address> [options]',
    does: `Runs a gateway for your shop, tries everything that can go wrong on the shop, which takes payments at <address>,
and reports where it charges twice, calls an order paid without money, or loses a callback.`,
    ends: `The report goes to the standard output. The gateway's address and keys, which the shop has to be told, and each
case that is done go to the standard error output. Ends with 0 when nothing was found, with 1 when something was, or
when it was stopped or cannot listen, with 2 when an option, an address or the config file is wrong.`,
  },
  explain: {
    usage: 'tillkit explain [options]',
    does: `Says what is wrong with a signature: both sides line by line, the likely mistake, what to do, and the request signed
right. Nothing is sent, run or kept. The control key comes from a file or the environment, never from an argument.`,
    ends: `Examples:
  TILLKIT_CONTROL_KEY=… tillkit explain < request.sh     a curl command, whatever its operation
  tillkit explain --key-file control-key.txt -f base-string.txt --theirs 'jDmjExNiFQBRIBl7GnNJ0FTs+s8='
  tillkit explain --key-file control-key.txt --control 7e8e939c8ac1516ba5e1d142ef14147800dfec6f \\
    --operation sale --item endpointId=39 --item clientOrderId=order-7 --item amount=1042 --item email=ada@shop.test

Ends with 0 when the signature is right, with 1 when something is wrong with it, with 2 when an option is wrong or what
was given cannot be read, with 3 when nothing wrong is seen but the key or the signature to judge it is missing.`,
  },
}

/** What `--help` prints: of one command, or of all. */
export function helpText(command?: CommandName): string {
  if (command !== undefined) {
    const { usage, does, ends } = texts[command]
    return `Usage: ${usage}\n\n${does}\n\n${optionLines(commandOptions[command])}\n\n${ends}\n`
  }
  return `Usage: tillkit <command> [options]

A payment gateway for tests, on this machine, for any language. No money moves.

  gateway            Runs the gateway until it is stopped.
  certify <address>  Tries everything that can go wrong on the shop that takes payments there, and reports.
  explain            Says what is wrong with the signature of a curl command, a base string or a control value.

${optionLines(generalOptions)}
`
}

function optionLines(options: Options): string {
  const rows = Object.entries(options).map(([name, { short, takes, means }]) => {
    const before = short === undefined ? '    ' : `-${short}, `
    return [`${before}--${name}${takes === undefined ? '' : ` <${takes}>`}`, means] as const
  })
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, means]) => `  ${name.padEnd(width)}  ${means}`).join('\n')
}
