import {
  AlreadySentError,
  type GatewayError,
  InvalidRequestError,
  NotSentError,
  OpenChangeError,
} from '@tillkit/client'
import { safeCause } from '@tillkit/client/core'
import type { Attempt, AttemptEnd, Scrubber } from '@tillkit/protocol'
import type { SendPermission } from '../rules/orders/reserve.js'
import { attemptIdentity, mayHaveArrived, type RememberedAttempt } from '../state/attempt-rules.js'
import type { KnownOrder } from '../state/known.js'

/** The request that an error is about. */
interface Named {
  readonly operation: string
  readonly login: string
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
}

/** Makes the error for a request that the store did not take. */
export function notReserved(cause: unknown, about: Named, scrubber: Scrubber): NotSentError {
  const { operation, clientOrderId } = about
  const order = clientOrderId === undefined ? '' : ` of order ${JSON.stringify(clientOrderId)}`
  const safe = safeCause(cause, scrubber)
  const message = `The ${operation} request${order} was not sent: the store did not reserve it (${safe.message}).`
  return new NotSentError(message, { ...about, cause: safe })
}

/** Makes the error for a refused reservation. */
export function reservationError(
  attempt: Attempt,
  decision: Exclude<SendPermission, { kind: 'reserved' }>,
): GatewayError {
  const { operation, login, clientOrderId } = attempt
  const details = { operation, login, clientOrderId }
  const unsent = `The ${operation} request of order ${JSON.stringify(clientOrderId)} was not sent`
  const ofOrder = { ...details, field: 'clientOrderId' } as const
  switch (decision.kind) {
    case 'other-case': {
      const known = `the store has a payment ${JSON.stringify(decision.reference)}, whose name differs in case only`
      return new InvalidRequestError(`${unsent}: ${known}. Use ids that differ in more than that.`, ofOrder)
    }
    case 'skipped': {
      const why = `it would be a later order of a payment whose next order is ${JSON.stringify(decision.next)}`
      return new InvalidRequestError(`${unsent}: ${why}.`, ofOrder)
    }
    case 'over': {
      const why = 'a payment of this name was made long ago, and only its name is kept'
      return new AlreadySentError(`${unsent}: ${why}. Use a new "clientOrderId".`, ofOrder)
    }
    case 'full': {
      const why = 'the document of its payment has no room for another attempt'
      return new NotSentError(`${unsent}: ${why}. Use a new payment.`, details)
    }
    case 'open-order': {
      const earlier = decision.earlier.attempts.at(-1)
      return new AlreadySentError(`${unsent}: ${describeOpen(decision.earlier, attempt)}`, { ...ofOrder, earlier })
    }
    default:
      return earlierError(attempt, decision)
  }
}

/** Why an order of a payment may not be opened. */
function describeOpen(earlier: KnownOrder, attempt: Attempt): string {
  const { clientOrderId, stages } = earlier
  const approved = stages.some(({ outcome }) => outcome === 'approved')
  if (clientOrderId === attempt.clientOrderId && earlier.login === attempt.login) {
    const shown = approved
      ? 'it is approved. A second one would charge twice'
      : 'use the id of a later order for another try'
    return `status shows this order already; ${shown}.`
  }
  const named = `order ${JSON.stringify(clientOrderId)} of the same payment`
  return approved
    ? `${named} was approved. A second one would charge twice.`
    : `${named} is not known to have failed. Ask status about it first.`
}

type EarlierDecision = Extract<
  SendPermission,
  { readonly kind: 'already-sent' | 'other-content' | 'open-change' | 'too-much' }
>

function earlierError(attempt: Attempt, { kind, earlier }: EarlierDecision): AlreadySentError | OpenChangeError {
  const { operation, login, clientOrderId } = attempt
  const orderId = attempt.orderId ?? earlier.end?.orderId
  const details = { operation, login, clientOrderId, orderId }
  const unsent = `The ${operation} request of order ${JSON.stringify(clientOrderId)} was not sent`
  const ended = earlier.end === undefined ? 'has not ended yet' : endings[earlier.end.kind]
  if (kind === 'open-change' || kind === 'too-much') {
    const cure =
      earlier.end === undefined
        ? 'Wait for it.'
        : 'Ask status about it first; where that does not show it, a person decides.'
    const why =
      kind === 'open-change'
        ? `an earlier ${earlier.operation} of that order ${ended}, and of two open changes it could not be told which one happened. ${cure}`
        : `with the earlier ${earlier.operation} of that order, which ${ended}, it could move more than there is. ` +
          'Look what is left, and name an amount.'
    return new OpenChangeError(`${unsent}: ${why}`, { ...details, openAttempt: earlier })
  }
  const { field, id } = attemptIdentity(attempt)
  const named = `"${field}" ${JSON.stringify(id)}`
  const message =
    field === 'orderId'
      ? `${unsent}: an earlier one for the whole of that order ${ended}. ${adviseWhole(earlier)}`
      : kind === 'other-content'
        ? `${named} was used before for another request (${earlier.operation}), which ${ended}. Nothing was sent now. One that was ` +
          `made with another control key counts as another. Use a new "${field}" for every new request.`
        : `${named} was sent before and ${ended}. Nothing was sent now. Ask status with the clientOrderId to learn what ` +
          'became of it.'
  return new AlreadySentError(message, { ...details, field, earlier, moneyMayHaveMoved: mayHaveArrived(earlier) })
}

/** Advises about a change of a whole order, of which one is sent. */
function adviseWhole({ end }: RememberedAttempt): string {
  switch (end?.kind) {
    case undefined:
      return 'Wait for it.'
    case 'unknown':
      return 'Ask status about it; where that does not show it, a person decides.'
    case 'accepted':
      return (
        'Ask status with the order ids to learn what became of it. It may be sent again once status, asked just before, ' +
        'shows that it failed and no other change of the order was sent that may be the one shown.'
      )
    default:
      return (
        'It may be sent again once status, asked just before, shows the order without it. Status did not answer, named no ' +
        'stage, or shows such a stage, which another request may have made: a part is sent with an amount and "attemptId".'
      )
  }
}

const endings: { readonly [Kind in AttemptEnd['kind']]: string } = {
  accepted: 'was accepted',
  refused: 'was refused',
  'not-sent': 'was never sent',
  'no-trace': 'left no trace',
  unknown: 'ended without a known outcome',
}
