import { existsSync } from 'node:fs'
import { describeValue, maskCardNumbers } from '@tillkit/protocol'
import { readText } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'

/** Where the control key is looked for when no file is named. */
export const keyVariable = 'TILLKIT_CONTROL_KEY'

/**
 * Reads a key file; a line break at its end is none of the key. The message does not repeat what may be the key itself:
 * it names what is there, or ends as files of keys do.
 */
export async function readKey(path: string, named: string): Promise<string> {
  try {
    return (await readText(path, named)).replace(/\r?\n$/, '')
  } catch (error) {
    if (error instanceof UsageError && (/\.(?:pem|der|key|txt)$/i.test(path) || existsSync(path))) throw error
    throw new UsageError(
      `${named} takes the name of a file that can be read, never a key. What you gave is not shown, because it may be a key.`,
      { cause: error },
    )
  }
}

/** Reads the text of `name=value`. @param named The option, for the message. */
export function readPairs(given: readonly string[], named: string): readonly (readonly [string, string])[] {
  return given.map(each => {
    const border = each.indexOf('=')
    if (border < 1) {
      // What begins with = may be a value without its name, and a secret.
      const shown = border < 0 ? describeValue(maskCardNumbers(each)) : '"=…"'
      throw new UsageError(`${named} is ${shown}; it must be name=value.`)
    }
    return [each.slice(0, border), each.slice(border + 1)] as const
  })
}
