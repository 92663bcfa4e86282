import { type Person, readPerson } from '@tillkit/protocol'
import { type OptionsOf, option } from '../command-line/command.js'
import { inOptions } from '../command-line/words.js'
import { UsageError } from '../gateway/errors.js'

/** @param does What the person does, such as `decides`. */
export const personOptions = (does: string) => [
  option('--who <name>', `Who ${does}. Required.`),
  option('--why <reason>', 'Why: it is kept for good. No card numbers. Required.'),
]

/** Who says something and why, as it was given. */
export type PersonOptions = OptionsOf<ReturnType<typeof personOptions>>

/** Which of the two options were not given: `--who and --why are missing`; undefined: both were given. */
export function missingOf(given: PersonOptions): string | undefined {
  const absent = (['who', 'why'] as const).filter(name => !given[name]?.trim()).map(name => `--${name}`)
  if (absent.length === 0) return undefined
  return `${absent.join(' and ')} ${absent.length === 1 ? 'is' : 'are'} missing`
}

/** Reads who, and why. @throws {@link UsageError} */
export function personOf({ who = '', why = '' }: PersonOptions): Person {
  const missing = missingOf({ who, why })
  if (missing !== undefined) throw new UsageError(`${missing}: both are kept for good.`)
  try {
    return readPerson('', { who, why })
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^: /, '') : String(error)
    throw new UsageError(
      inOptions(said, personOptions(''), name => `"${name}"`),
      { cause: error },
    )
  }
}
