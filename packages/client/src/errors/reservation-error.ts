import {
  type Attempt,
  type AttemptEnd,
  attemptIdentity,
  mayHaveArrived,
  type RememberedAttempt,
  type Reservation,
} from '@tillkit/protocol'
import { AlreadySentError, OpenChangeError } from './errors.js'

/** Makes the error for a refused reservation. */
export function reservationError(
  attempt: Attempt,
  { kind, earlier }: Exclude<Reservation, { kind: 'reserved' }>,
): AlreadySentError | OpenChangeError {
  const { operation, login, clientOrderId } = attempt
  const orderId = attempt.orderId ?? earlier.end?.orderId
  const details = { operation, login, clientOrderId, orderId }
  const ended = earlier.end === undefined ? 'has not ended yet' : endings[earlier.end.kind]
  if (kind === 'open-change') {
    const message =
      `The ${operation} request of order ${JSON.stringify(clientOrderId)} was not sent: an earlier ${earlier.operation} of ` +
      `that order ${ended}, and of two open changes it could not be told which one happened. ` +
      (earlier.end === undefined ? 'Wait for it.' : 'Resolve it first: client.resolve(error.openAttempt).')
    return new OpenChangeError(message, { ...details, openAttempt: earlier })
  }
  const { field, id } = attemptIdentity(attempt)
  const named = `"${field}" ${JSON.stringify(id)}`
  const message =
    field === 'orderId'
      ? `The ${operation} request of order ${JSON.stringify(clientOrderId)} was not sent: an earlier one for the whole of that order ${ended}. ${adviseWhole(earlier)}`
      : kind === 'other-content'
        ? `${named} was used before for another request (${earlier.operation}), which ${ended}. Nothing was sent now. Use a ` +
          `new "${field}" for every new request.`
        : `${named} was sent before and ${ended}. Nothing was sent now. Ask status with the clientOrderId to learn what ` +
          'became of it.'
  return new AlreadySentError(message, {
    ...details,
    field,
    earlier,
    moneyMayHaveMoved: mayHaveArrived(earlier),
  })
}

/** What to do about a change of a whole order, of which one is sent. */
function adviseWhole({ end }: RememberedAttempt): string {
  switch (end?.kind) {
    case undefined:
      return 'Wait for it.'
    case 'unknown':
      return 'Resolve it: client.resolve(error.earlier).'
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
