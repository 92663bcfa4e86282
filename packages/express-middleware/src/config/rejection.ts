/**
 * Why a callback, a browser return or a state was refused. For the merchant's log; the sender is told nothing.
 *
 * @module
 */
import { maskCardNumbers } from '@tillkit/protocol'

/** Stable name of a reason, for counting and alerting. */
export type RejectionReason =
  /** Neither GET nor POST. */
  | 'method'
  /** A body that is no form. */
  | 'media-type'
  /** More bytes or parameters than a gateway would send. */
  | 'too-large'
  /** The connection ended before the body did. */
  | 'cut-off'
  /** An escape that is no UTF-8, or a zero byte in what is signed. */
  | 'undecodable'
  /** A name came twice, in the query, in the body or one in each. */
  | 'repeated-parameter'
  /** A name with brackets, or a value that a body parser turned into a list or an object. */
  | 'nested-parameter'
  /** A signed parameter is absent or empty, or holds a word for nothing in place of an id. */
  | 'missing-parameter'
  /** A signed parameter is longer than the interface allows. */
  | 'too-long'
  /** The merchant's order id came under two names, with two values. */
  | 'contradicting-order-ids'
  /** Your function found no control keys for it. */
  | 'unknown-merchant'
  | 'missing-control'
  | 'malformed-control'
  | 'control-mismatch'
  /** Your function knows no such order, although a state of yours names it. */
  | 'unknown-order'
  /** A browser return that verifies and speaks of another order than the state in its path. */
  | 'other-order'
  /** The state in the path was not signed by any of the state secrets, or is none of this package's. */
  | 'forged-state'

/** A refusal and why. */
export interface Rejection {
  readonly reason: RejectionReason
  /** One or two sentences for the log. Holds no key and no control value; what the sender wrote is quoted and cut. */
  readonly explanation: string
}

/** Longest piece of a sender's text that is quoted in a log line, in characters. */
const quotedLength = 64

/** How much of it is looked at for card numbers. */
const readLength = 1024

/** Quotes what a sender wrote without card numbers, so that it cannot forge log lines or fill the disk. */
export function quote(text: string): string {
  const masked = maskCardNumbers(text.slice(0, readLength))
  return JSON.stringify(text.length > quotedLength ? `${masked.slice(0, quotedLength)}…` : masked)
}
