/**
 * A check of an inbox, and what checks ask of it.
 *
 * @module
 */
import type { Inbox, InboxClaim } from '@tillkit/protocol'
import { show } from './reservation-problems.js'

/** What a check works with. */
export interface InboxCheckContext {
  readonly inbox: Inbox
  /** Another inbox on the same store. */
  readonly another: Inbox
  /** Lets that many milliseconds pass on the store's clock. */
  readonly pass: (milliseconds: number) => Promise<void>
  readonly concurrency: number
  /** A key that no other check has; keys of its own begin with it. */
  readonly key: string
}

/** One sentence of the contract, and what is wrong where an inbox does not keep it. */
export interface InboxCheck {
  /** Third person: "refuses …". */
  readonly name: string
  readonly run: (context: InboxCheckContext) => Promise<string | undefined>
}

/** Long enough that no check outlasts it, and one that is over soon; in milliseconds. */
export const long = { lease: 600_000 }
export const short = { lease: 60 }
export const afterShort = 90

/** A claim that has to be given. @throws where it is not. */
export async function claimed(inbox: Inbox, key: string, options = long): Promise<InboxClaim> {
  const answer = await inbox.claim(key, options)
  if (answer.claimed) return answer.claim
  throw new Error(`"claim" gave ${show(answer)}; expected a claim.`)
}

/** @returns What is wrong where a claim is not refused for that reason. */
export async function refusal(inbox: Inbox, key: string, reason: 'held' | 'completed'): Promise<string | undefined> {
  const answer = await inbox.claim(key, long)
  if (!answer.claimed && answer.reason === reason) return undefined
  return `"claim" gave ${show(answer)}; expected ${show({ claimed: false, reason })}.`
}
