import type { ClientWarning } from '@tillkit/client'
import { safeCause } from '@tillkit/client/core'
import { createScrubber, maskCardNumbers, notify } from '@tillkit/protocol'
import type { StoreTrouble } from '../rules/kept/persist.js'

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
      const code = codeOf(cause)
      const reason = `${kind} ${code}`
      const now = clock()
      const last = toldAt.get(reason)
      if (last !== undefined && Math.abs(now - last) < leastPause) return
      toldAt.set(reason, now)
      const { what, cure } = kind === 'again' ? again(code) : givenUp(code)
      const why = explained(cause, code) ?? safeCause(cause, scrubber).message
      const message = `${what} Document: ${JSON.stringify(trouble.key)}. The cause: ${why.replace(/\.$/, '')}. ${cure} This is said at most once a minute.`
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
function codeOf(cause: unknown): string {
  const code: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined
  return typeof code === 'string' && /^ERR_STORE_[A-Z]+$/.test(code) ? code : 'another'
}

interface Words {
  readonly what: string
  readonly cure: string
}

function again(code: string): Words {
  const what =
    'The store failed and is asked again. Until it answers, what was learned of a payment is in this process only.'
  switch (code) {
    case 'ERR_STORE_REFUSED':
      return { what, cure: 'Is its disk full, or its file read-only?' }
    case 'ERR_STORE_SCHEMA':
    case 'ERR_STORE_DOCUMENT':
      return {
        what,
        cure: 'The cause says what to mend: tables of another release, a file that was replaced, or a damaged document.',
      }
    default:
      return { what, cure: 'Is the database up and reachable?' }
  }
}

function givenUp(code: string): Words {
  const what = 'What was learned of a payment was not written, and no process will go by it.'
  const ask = 'Status says it again: till.ask(reference) asks, and so does the work in the background.'
  switch (code) {
    case 'ERR_STORE_CLOSED':
      return { what, cure: `Close the till before its store. ${ask}` }
    case 'ERR_STORE_REFUSED':
      return { what, cure: `Its document has no room for it: a person must look. ${ask}` }
    default:
      return { what, cure: `The till was closed before the store took it. ${ask}` }
  }
}
