import type { AttemptEnd } from '@tillkit/protocol'
import type { PaymentDocument } from '../../state/document.js'
import { type KnownAttempt, quietFrom } from '../../state/known.js'
import { attemptEnded } from '../orders/happened.js'

/** The end of a request, as a person has found it out. */
export interface PersonsEnd extends Pick<AttemptEnd, 'orderId' | 'serialNumber'> {
  /** `accepted`: the gateway took it. The others: it did nothing. */
  readonly kind: Exclude<AttemptEnd['kind'], 'unknown'>
  readonly note: string
}

/** Whether the process that sent a request may still wait for its answer: nobody else may say that it did nothing. */
export const isUnderWay = ({ end, ...times }: KnownAttempt, at: number): boolean =>
  end === undefined && at < quietFrom(times)

/**
 * Writes down what a person has found out about a request. What the gateway is known to have accepted stays accepted.
 *
 * @param at What the store's clock says, in milliseconds.
 * @returns undefined where the process that sent it may still wait for its answer: nothing of it may be sent again then.
 */
export function attemptDecided(
  document: PaymentDocument | undefined,
  attempt: KnownAttempt,
  { at, ...end }: PersonsEnd & { readonly at: number },
): PaymentDocument | undefined {
  if (end.kind !== 'accepted' && isUnderWay(attempt, at)) return undefined
  return attemptEnded(document, attempt, { ...end, basis: 'person', at })
}
