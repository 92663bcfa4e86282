import type { VerifiedCallback } from '@tillkit/express-middleware/core'

/**
 * The result of a verified callback, for your log. `told`, `known` and `unmatched` are answered with 200; everything else with 503, so
 * that the gateway sends it again.
 */
export interface ReportedResult {
  readonly kind: /** Your handler knows every outcome that there is. */
    | 'told'
    /** Status says nothing that your handler was not told before. */
    | 'known'
    /** No request in the store is behind its order. Its ids are kept on the list `unmatched`. */
    | 'unmatched'
    /** No request in the store is behind its order, and it is not kept: it may be the callback of another one, divided anew. */
    | 'not-kept'
    /** It names another order of the gateway than the store has, or status does. Nothing was told. */
    | 'other-order'
    /** Status says that it is not over yet, no matter what the callback says. */
    | 'not-final'
    /** Status does not show yet what the callback says: a callback can overtake status. */
    | 'not-shown'
    /** Status could not be asked. */
    | 'no-answer'
    /** Your handler is not done within the time to an answer, another delivery is about to tell it, or the till was closed before. */
    | 'busy'
    /** Your handler failed. It is told again. */
    | 'handler-failed'
    /** Another function of yours, or the store, failed. */
    | 'failed'
  /** HTTP status of the answer. */
  readonly status: 200 | 503
  readonly explanation: string
  /** The callback; absent where the work in the background looks after an order. */
  readonly callback?: VerifiedCallback
  /** The value that was thrown, if anything was. */
  readonly cause?: unknown
}

const taken: ReadonlySet<string> = new Set<ReportedResult['kind']>(['told', 'known', 'unmatched'])

/** Makes a result, with the HTTP status that its kind has. */
export function reportedResult(
  kind: ReportedResult['kind'],
  explanation: string,
  more: Pick<ReportedResult, 'cause'> = {},
): ReportedResult {
  return { kind, status: taken.has(kind) ? 200 : 503, explanation, ...more }
}
