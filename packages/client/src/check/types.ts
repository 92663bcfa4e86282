import type { ResolvedSigning } from '@tillkit/protocol'
import type { Merchant } from '../config/options.js'

/** Options of `client.check`. */
export interface CheckOptions {
  /** Of each question, in milliseconds. Default: the client's. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Schemes to try. Default: all that the keys allow. */
  readonly schemes?: readonly ResolvedSigning['scheme'][] | undefined
  /** Another merchant to check, with its own login and keys. Default: the client's. */
  readonly merchant?: Merchant | undefined
}

/** What is checked. `baseUrl`, `controlKey` and `privateKey` are the options of those names. */
export type CheckSubject = 'baseUrl' | 'clock' | 'endpoint' | 'login' | 'controlKey' | 'privateKey'

/** `cannot-tell`: the gateway's answers allow more than one explanation. `not-checked`: nothing was asked about it. */
export type CheckVerdict = 'ok' | 'wrong' | 'cannot-tell' | 'not-checked'

/** What was found out about one subject. */
export interface CheckFinding {
  readonly subject: CheckSubject
  readonly verdict: CheckVerdict
  /** Why, and what to do: one or a few sentences. */
  readonly explanation: string
}

/** What a question was sent with: as configured, or with one thing wrong on purpose. */
export type ProbeVariant = 'as-configured' | 'wrong-key' | 'unknown-login' | 'unknown-endpoint'

/**
 * What came of a question. `refused` and `authentication-refused` are the gateway's own records; `unreadable` is an answer
 * that is not one of the gateway's, such as a page of a proxy.
 */
export type ProbeAnswer =
  | 'record'
  | 'refused'
  | 'authentication-refused'
  | 'gateway-failure'
  | 'unreadable'
  | 'broke-off'
  | 'not-sent'

/** One question and what came of it. */
export interface CheckProbe {
  readonly scheme: ResolvedSigning['scheme']
  readonly sent: ProbeVariant
  readonly answer: ProbeAnswer
  /** Absent when no answer began. */
  readonly httpStatus?: number
  readonly errorCode?: string
  /** What the gateway said, redacted. */
  readonly errorMessage?: string
  /** Our clock minus the answer's `Date` header, in whole seconds. */
  readonly clockDifference?: number
  /** What the client made of it; absent for a record. */
  readonly message?: string
}

/** The outcome of a check. It holds no secret and may be logged. */
export interface CheckReport {
  /**
   * `wrong` when any finding is; `ok` when the `baseUrl`, the login and every key that was given are; `cannot-tell`
   * otherwise.
   */
  readonly verdict: Exclude<CheckVerdict, 'not-checked'>
  readonly findings: readonly CheckFinding[]
  /** The questions that were asked, in order. */
  readonly probes: readonly CheckProbe[]
  /**
   * Error code with which status answered for an order that cannot exist; absent where the answers do not prove one. The client does not
   * keep it: write it into your profile, `defineProfile({ orderNeverSeen })`.
   */
  readonly orderNeverSeen?: string
  /** All of it for people, a line for each finding. */
  readonly text: string
}
