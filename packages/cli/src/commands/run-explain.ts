import { describeExplained, explainedAsJson } from '../explain/describe-explained.js'
import { explainPasted } from '../explain/explain-pasted.js'
import { readText } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'
import type { CommandArguments } from './read-arguments.js'

/** What explaining needs of the process. */
export interface ExplainSurroundings {
  /** Writes the result, to the standard output. */
  readonly say: (text: string) => void
  /** Reads the standard input to its end. */
  readonly input: () => Promise<string>
  /** A variable of the environment. */
  readonly setting: (name: string) => string | undefined
}

/** Where the control key is looked for when no file is named. */
const keyVariable = 'TILLKIT_CONTROL_KEY'

const exitCodes = { right: 0, wrong: 1, unjudged: 3 } as const

/** Explains a signature. @returns The exit code. */
export async function runExplain(
  { explain, json }: Extract<CommandArguments, { readonly kind: 'explain' }>,
  { say, input, setting }: ExplainSurroundings,
): Promise<number> {
  const { file, operation, items, theirs, login, keyFile, publicKeyFile } = explain
  const controlKey = keyFile === undefined ? setting(keyVariable) : await readKey(keyFile, '--key-file')
  const publicKey = publicKeyFile === undefined ? undefined : await readKey(publicKeyFile, '--public-key-file')
  const text = explain.text ?? (file === undefined ? await input() : await readText(file, '--file'))
  const keysOf = () => ({ login, controlKey, publicKey })
  const explained = explainPasted({ text, theirs, operation, items, keysOf })
  if (explained.kind === 'unclear') {
    const where = `A control key is read from --key-file or from ${keyVariable}.`
    throw new UsageError(/control key is missing/.test(explained.text) ? `${explained.text} ${where}` : explained.text)
  }
  say(`${json ? explainedAsJson(explained) : describeExplained(explained)}\n`)
  return exitCodes[explained.verdict]
}

/** Reads a key file; a line break at its end is none of the key. The message does not repeat what may be the key itself. */
async function readKey(path: string, option: string): Promise<string> {
  try {
    return (await readText(path, option)).replace(/\r?\n$/, '')
  } catch (error) {
    throw new UsageError(`${option} takes the name of a file that can be read, never a key.`, { cause: error })
  }
}
