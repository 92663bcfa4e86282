import type { ClientWarning } from '@tillkit/client'
import { safeCause } from '@tillkit/client/core'
import { createScrubber, maskCardNumbers, notify } from '@tillkit/protocol'
import { codeOf, type StoreTrouble } from '../store/persist.js'

/** Least milliseconds between two warnings of one reason. */
const leastPause = 60_000

/** Says what a store fails with, at most once a minute for each reason: else nobody hears of facts that wait, or are given up. */
export function troubleTeller(
  { clock, controlKey }: { readonly clock: () => number; readonly controlKey: string },
  warn: (warning: ClientWarning) => void,
): (trouble: StoreTrouble) => void {
  const scrubber = createScrubber(() => ({ texts: [controlKey] }))
  const toldAt = new Map<string, number>()
  return trouble =>
    notify(() => {
      const { kind, cause } = trouble
      const code = knownCodeOf(cause)
      const reason = `${kind} ${code}`
      const now = clock()
      const last = toldAt.get(reason)
      if (last !== undefined && Math.abs(now - last) < leastPause) return
      toldAt.set(reason, now)
      const { what, cures }: { what: string; cures: Cures } = words[kind]
      const cure = cures[code] ?? cures.another
      const why = explained(cause, code) ?? safeCause(cause, scrubber).message
      const message =
        `${what} Document: ${JSON.stringify(trouble.key)}. The cause: ${why.replace(/\.$/, '')}. ` +
        `${cure} This is said at most once a minute.`
      warn({ code: 'WARN_STORE_FAILED', message: maskCardNumbers(message) })
    })
}

/**
 * The message of an error of any other kind may quote anything: the till tells only names and codes of it and of its causes. What a store
 * says of releases, documents and refusals is its own.
 */
function explained(cause: unknown, code: string): string | undefined {
  if (ownWords.includes(code)) return undefined
  const names: string[] = []
  for (let each = cause; each !== undefined && names.length < 3; each = causeOf(each)) {
    const { name, code: own } = (each ?? {}) as { readonly name?: unknown; readonly code?: unknown }
    const words = [name, own].filter(word => typeof word === 'string' && /^[\w-]{1,60}$/.test(word))
    names.push(words.length === 0 ? 'an error without a name' : words.join(' '))
  }
  return names.join(', because of ')
}

const causeOf = (error: unknown): unknown => (error as { readonly cause?: unknown } | null)?.cause

const ownWords: readonly string[] = ['ERR_STORE_REFUSED', 'ERR_STORE_SCHEMA', 'ERR_STORE_DOCUMENT', 'ERR_STORE_CLOSED']

/** One of few, whatever store it is: it is what is told once a minute. */
const knownCodeOf = (cause: unknown): string => /^ERR_STORE_[A-Z]+$/.exec(codeOf(cause) ?? '')?.[0] ?? 'another'

const mend = 'The cause says what to mend: tables of another release, a file that was replaced, or a damaged document.'
const ask = 'Status says it again: till.ask(reference) asks, and so does the work in the background.'

/** Says what a failure means, and what to do about it, by its code; `another` for every other code. */
const words = {
  again: {
    what: 'The store failed and is asked again. Until it answers, what was learned of a payment is in this process only.',
    cures: {
      ERR_STORE_REFUSED: 'Is its disk full, or its file read-only?',
      ERR_STORE_SCHEMA: mend,
      ERR_STORE_DOCUMENT: mend,
      another: 'Is the database up and reachable?',
    },
  },
  'given-up': {
    what: 'What was learned of a payment was not written, and no process will go by it.',
    cures: {
      ERR_STORE_CLOSED: `Close the till before its store. ${ask}`,
      ERR_STORE_REFUSED: `Its document has no room for it: a person must look. ${ask}`,
      another: `The till was closed before the store took it. ${ask}`,
    },
  },
} as const satisfies { readonly [Kind in StoreTrouble['kind']]: { readonly what: string; readonly cures: Cures } }

type Cures = { readonly another: string; readonly [code: string]: string }
