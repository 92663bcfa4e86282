/**
 * The questions of a check: one for each scheme, none of which can move money or make anything.
 *
 * @module
 */
import { type AnyOperation, operations, type ResolvedSigning } from '@tillkit/protocol'

/** What begins every order id and login that is made up. */
export const madeUp = 'tillkit-check-'

/** A question: an operation, and a request of it. */
export interface ProbeRequest {
  readonly row: AnyOperation
  readonly request: Readonly<Record<string, string>>
}

/**
 * The question for a scheme.
 *
 * - `control`: status of an order whose id was just made up.
 * - `oauth-hmac-sha1`: an eligibility question, which moves no money even when it is complete, with neither an order id
 *   nor a card.
 * - `oauth-rsa-sha256`: a card reference for an order whose id was just made up, without the gateway's id of it.
 *
 * Nothing can come of the last two, so they count as reads: they are no attempts, and are not remembered as such.
 */
export function probeRequest(scheme: ResolvedSigning['scheme'], unique: string): ProbeRequest {
  switch (scheme) {
    case 'control':
      return { row: operations.status, request: { clientOrderId: `${madeUp}${unique}` } }
    case 'oauth-hmac-sha1':
      return { row: harmless(operations.panEligibilitySend), request: { orderDesc: 'connection check' } }
    case 'oauth-rsa-sha256':
      return { row: harmless(operations.createCardRefV4), request: { clientOrderId: `${madeUp}${unique}` } }
  }
}

const harmless = (row: AnyOperation): AnyOperation => ({ ...row, effect: 'reads', required: [], stages: [] })
