import { type CommandLine, json, type OptionsOf, option, repeated } from '../command-line/command.js'
import { keyVariable, readKey, readPairs } from '../command-line/secrets.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { columnsOf, wrap, wrapBaseString } from '../command-line/wrap.js'
import { describeExplained, explainedAsJson } from '../explain/describe-explained.js'
import { explainPasted } from '../explain/explain-pasted.js'
import { readText } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'
import { merchantOf, profileOption } from '../merchant/settings.js'

const explainOptions = () => [
  option('-f, --file <file>', 'Reads a curl command or a base string from a file. Default: from the standard input.'),
  option('--base-string <text>', 'A base string.'),
  option('--control <value>', 'A control value, with --operation and --item.'),
  option('--operation <name>', 'The operation of --control, such as sale or callback.'),
  repeated('--item <name=value>', 'What --control covers, such as amount=1042 (minor units); repeated for each item.'),
  option('--theirs <text>', 'The base string or the signature of the other side.'),
  option('--login <name>', 'Merchant login, where a control value covers it.'),
  option('--key-file <file>', `Holds the control key. Default: ${keyVariable}.`),
  option('--public-key-file <file>', 'Holds the public key that RSA-SHA256 is judged with.'),
  profileOption(),
  json('the explanation'),
]

type ExplainCommandOptions = OptionsOf<ReturnType<typeof explainOptions>>

/** `tillkit explain`: what is wrong with a signature. */
export function addExplain(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'explain',
    {
      summary: 'Says what is wrong with a signature or a control value.',
      does:
        'Says what is wrong with a signature: both sides line by line, the likely mistake, and what to do. ' +
        'Nothing is sent, run or kept. The control key comes from a file or the environment, never from an argument.',
      examples: [
        'tillkit explain --key-file control-key.txt < request.sh   # a curl command',
        "tillkit explain --key-file control-key.txt -f base-string.txt \\\n  --theirs 'jDmjExNiFQBRIBl7GnNJ0FTs+s8='",
        'tillkit explain --key-file control-key.txt --operation sale \\\n' +
          '  --control 7e8e939c8ac1516ba5e1d142ef14147800dfec6f \\\n' +
          '  --item endpointId=39 --item clientOrderId=order-7 \\\n  --item amount=1042 --item email=ada@shop.test',
      ],
      ends: {
        done: 'The signature is right.',
        failed: 'Something is wrong with it.',
        usage: 'An option is wrong, or what was given cannot be read.',
        'not-known': 'Nothing wrong is seen, but the key or the signature to judge it is missing.',
        interrupted: 'You ended it with Ctrl+C while it waited for what you paste.',
      },
    },
    explainOptions(),
  )
  command.runs(options => explain(options, surroundings))
}

const endings = { right: 'done', wrong: 'failed', unjudged: 'not-known' } as const

async function explain(options: ExplainCommandOptions, surroundings: Surroundings) {
  const { say, input, environment, terminal } = surroundings
  const { file, control, baseString, operation, item = [], theirs, login, keyFile, publicKeyFile } = options
  checkOneThing({ '--file': file, '--base-string': baseString, '--control': control })
  const items = Object.fromEntries(readPairs(item, '--item'))
  const controlKey = keyFile === undefined ? environment[keyVariable] : await readKey(keyFile, '--key-file')
  const publicKey = publicKeyFile === undefined ? undefined : await readKey(publicKeyFile, '--public-key-file')
  const pasted = 'Paste a curl command or a base string'
  const text = control ?? baseString ?? (file === undefined ? await input(pasted) : await readText(file, '--file'))
  const profile = (await merchantOf(options, surroundings)).profile()
  const keysOf = () => ({ login, controlKey, publicKey, profile })
  const explained = explainPasted({ text, theirs, operation, items, keysOf })
  if (explained.kind === 'unclear') {
    const where = `A control key is read from --key-file or from ${keyVariable}.`
    throw new UsageError(/control key is missing/.test(explained.text) ? `${explained.text} ${where}` : explained.text)
  }
  const columns = columnsOf(terminal)
  const fold = {
    sentence: (text: string) => wrap(text, columns),
    baseString: (text: string) => wrapBaseString(text, columns - 2),
  }
  say(`${options.json === true ? explainedAsJson(explained) : describeExplained(explained, fold)}\n`)
  return endings[explained.verdict]
}

function checkOneThing(given: Readonly<Record<string, string | undefined>>): void {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  if (named.length > 1) {
    throw new UsageError(`One thing at a time: ${named.map(([name]) => name).join(' and ')} were given.`)
  }
  for (const [name, value] of named) if (value === '') throw new UsageError(`${name} is empty.`)
}
