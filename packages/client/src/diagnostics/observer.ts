import {
  type AskedSettlement,
  type Attempt,
  type AttemptEnd,
  aFunction,
  describeValue,
  type Effect,
  type FinalOutcome,
  nearName,
  notify,
  type RawReply,
  type ResolvedSigning,
  type StageName,
} from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import type { AnyGatewayError, GatewayErrorCode } from '../errors/errors.js'

/**
 * Sees what a client does. Everything in it is safe to log. It cannot influence a call: what it throws or rejects with is
 * dropped. Nothing is computed for a function that is not there.
 */
export interface ClientObserver {
  /** Runs before a request is signed and sent. Requests that fail the input checks never get here. */
  requestStart?(request: StartedRequest): void
  /** Runs just before a request is sent. */
  signed?(signed: SignedRequest): void
  /** Runs when a request is over, with the object that `requestStart` got, filled in. */
  requestEnd?(request: EndedRequest): void
  /** Runs after the answer or the failure, with the redacted form and reply. */
  exchange?(exchange: Exchange): void
  /** Runs before a request that creates or changes is sent, and again when it has ended. */
  attempt?(attempt: Attempt, end?: AttemptEnd): void
  /**
   * Runs for requests of a till only, where its store did not take an ending in time. The call's own outcome stands;
   * the attempt stays open. `cause` is a copy of what the store rejected with: its name, code and message, without secrets of the request.
   */
  unsettled?(attempt: Attempt, cause: unknown): void
  /** Runs each time status was asked while waiting for an outcome. */
  poll?(poll: Poll): void
  /**
   * Runs when a client is made that will probably not work as it is set up, once in a wait for an outcome whose question was
   * refused for its signature, key or login, once for each field whose values are odd, and while the store of a till fails, at most once
   * a minute for each reason. Default: a warning of the process.
   */
  warning?(warning: ClientWarning): void
}

/** One request at its start. Every value is one of few, so that it may be a label of a metric: no ids, no amounts. */
export interface StartedRequest {
  /** Name of the operation, e.g. `capture`. */
  readonly operation: string
  readonly effect: Effect
  readonly scheme: ResolvedSigning['scheme']
  /** Path with a placeholder for the endpoint, e.g. `/paynet/api/v2/sale/{endpointId}`. */
  readonly path: string
  /** Host of the base address. */
  readonly serverAddress: string
  readonly serverPort: number
  /** Milliseconds since the epoch, by the client's clock. */
  readonly startedAt: number
}

/** One request that is over. */
export interface EndedRequest extends StartedRequest {
  readonly ending: Ending
  /** Absent when no answer began. */
  readonly httpStatus?: number
  /** Milliseconds, by the client's clock, from its start until its ending was concluded. */
  readonly duration: number
  /** What the call throws, redacted. Unlike the rest it names the order. */
  readonly error?: AnyGatewayError
}

/** How a request was authenticated. It holds neither a key nor what was computed with one. */
export interface SignedRequest extends Pick<StartedRequest, 'operation' | 'scheme'> {
  /** Login of the merchant that the call was made for. */
  readonly login: string
  /** SHA-256, lower-case hex, of the control value or of `oauth_signature`: correlates without revealing it. */
  readonly fingerprint: string
  /** Control items in the order they were joined, personal data masked; only for scheme `control`. */
  readonly items?: readonly { readonly name: string; readonly value: string }[]
  /** Signature base string with masked values, so not the text that was signed; only for the OAuth schemes. */
  readonly baseString?: string
}

/**
 * How a call ended. `accepted`, `refused`, `not-sent` and `unknown` are of operations that create or change; `answered`,
 * `refused`, `not-sent` and `no-answer` are of operations that read.
 */
export type Ending = 'accepted' | 'refused' | 'not-sent' | 'unknown' | 'answered' | 'no-answer'

/** One request and what came of it, redacted. */
export interface Exchange
  extends Pick<EndedRequest, 'operation' | 'scheme' | 'startedAt' | 'ending' | 'httpStatus'>,
    Pick<SignedRequest, 'login'> {
  /** Path of the address, base path and endpoint included. */
  readonly path: string
  readonly clientOrderId?: string
  /** The gateway's order id: the one it answered with, else the one the request carried. */
  readonly orderId?: string
  /** Milliseconds since the epoch. */
  readonly finishedAt: number
  /** The form under its wire names, in the order sent, redacted. */
  readonly fields: readonly Parameter[]
  readonly signed: SignedRequest
  /** Our clock minus the answer's `Date` header, in whole seconds; absent without that header. */
  readonly clockDifference?: number
  /** The reply under its wire names, redacted; absent when none could be read. */
  readonly reply?: RawReply
  /** An answer that could not be read as a reply: its beginning, redacted, at most 1000 characters. */
  readonly receivedText?: string
  readonly error?: { readonly code: GatewayErrorCode; readonly message: string }
}

/** One question for status while waiting for an outcome. It names no order. */
export interface Poll {
  /** The stages one of which is waited for. */
  readonly stages: readonly StageName[]
  /** How many times this wait has asked, this one included. */
  readonly count: number
  /** Whether status settled it, or why not. */
  readonly answer: 'settled' | Exclude<AskedSettlement['kind'], FinalOutcome>
  /** How the wait ended; absent while it goes on. */
  readonly outcome?: FinalOutcome | 'needs-customer' | 'needs-person' | 'still-unknown'
  /** Milliseconds until status is asked again at the latest; absent when it will not be. */
  readonly nextIn?: number
}

/** Something to look at. It holds no secret. */
export interface ClientWarning {
  /**
   * `WARN_CALLBACK_PORT`: the gateway does not call back on the port of `serverCallbackUrl`. `WARN_STATUS_REFUSED`: a wait
   * for an outcome asked status, and the gateway did not accept the signature, key or login. `WARN_STORE_FAILED`: the store
   * of a till failed, and is asked again; or it cannot keep what was learned, which is given up. `WARN_FIELD_DOUBTFUL`: a field of a
   * request, such as the customer's address, has a value that is hardly meant; the request is sent all the same.
   */
  readonly code: 'WARN_CALLBACK_PORT' | 'WARN_FIELD_DOUBTFUL' | 'WARN_STATUS_REFUSED' | 'WARN_STORE_FAILED'
  /** What will not work, and what to do. */
  readonly message: string
}

const hooks = {
  requestStart: true,
  signed: true,
  requestEnd: true,
  exchange: true,
  attempt: true,
  unsettled: true,
  poll: true,
  warning: true,
} as const satisfies Record<keyof ClientObserver, true>

/**
 * What is wrong with an observer. It may be an object of any class with more to it; a function under a name that is nearly right would
 * never be called.
 */
export function observerProblem(observer: unknown): string | undefined {
  if (observer === undefined) return undefined
  if (typeof observer !== 'object' || observer === null) {
    return `"observer" is ${describeValue(observer)}; it must be an object with functions.`
  }
  const names = Object.keys(hooks)
  for (const hook of names) {
    const problem = aFunction(Reflect.get(observer, hook), `observer.${hook}`)
    if (problem !== undefined) return problem
  }
  for (const [name, value] of Object.entries(observer)) {
    const near = typeof value === 'function' && !Object.hasOwn(hooks, name) ? nearName(name, names) : undefined
    if (near !== undefined) return `"observer" has no function "${name.slice(0, 60)}". Did you mean "${near}"?`
  }
  return undefined
}

/**
 * Attributes of a span or a metric, by the OpenTelemetry conventions for HTTP clients, and ours under `tillkit.`. They hold
 * no ids. Needs no OpenTelemetry package.
 *
 * @param request What an observer gets; `requestEnd` gets more than `requestStart`.
 * @see OpenTelemetry semantic conventions for HTTP, section "HTTP client span"
 */
export function spanAttributes(request: StartedRequest | EndedRequest): Readonly<Record<string, string | number>> {
  const { operation, effect, scheme, path, serverAddress, serverPort } = request
  const { ending, httpStatus, error }: Partial<EndedRequest> = request
  return {
    'http.request.method': 'POST',
    'url.template': path,
    'server.address': serverAddress,
    'server.port': serverPort,
    'tillkit.operation': operation,
    'tillkit.effect': effect,
    'tillkit.scheme': scheme,
    ...(ending === undefined ? {} : { 'tillkit.ending': ending }),
    ...(httpStatus === undefined ? {} : { 'http.response.status_code': httpStatus }),
    ...(error === undefined ? {} : { 'error.type': error.code }),
  }
}

/** Tells warnings to an observer, or to the process where the observer takes none. */
export const warningTeller =
  (observer: ClientObserver) =>
  (warning: ClientWarning): void => {
    const { code, message } = warning
    if (observer.warning === undefined) process.emitWarning(message, { type: 'TillkitWarning', code })
    else notify(() => observer.warning?.(warning))
  }
