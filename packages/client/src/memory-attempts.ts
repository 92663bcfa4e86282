/**
 * Attempts kept in memory: guards one process against sending the same order twice, and forgets on restart.
 *
 * @module
 */
import type { Attempt, AttemptEnd, AttemptsPort } from './attempt.js'
import { InvalidRequestError } from './errors.js'

/** An attempt and, once it is over, how it ended. */
export interface RememberedAttempt extends Attempt {
  readonly end?: AttemptEnd
}

/**
 * Remembers attempts in this process. For attempts that survive a crash use a journal.
 *
 * A `creates` request is refused when its `clientOrderId` was reserved before with other content, and also with the
 * same content unless that attempt ended `not-sent` or `refused`. A `changes` request is refused when its `attemptId`
 * was reserved before, with the same exception.
 */
export function memoryAttempts(): AttemptsPort & { list(): readonly RememberedAttempt[] } {
  const remembered = new Map<string, RememberedAttempt[]>()
  return {
    async reserve(attempt) {
      const key = keyOf(attempt)
      const before = remembered.get(key) ?? []
      refuseRepetition(attempt, before)
      remembered.set(key, [...before, attempt])
    },
    async settled(attempt, end) {
      const key = keyOf(attempt)
      const all = remembered.get(key) ?? []
      const open = all.findLastIndex(each => each.attemptId === attempt.attemptId)
      if (open >= 0) remembered.set(key, all.with(open, { ...attempt, end }))
    },
    list: () => [...remembered.values()].flat(),
  }
}

const keyOf = (attempt: Attempt): string => {
  const { field, id } = identityOf(attempt)
  return JSON.stringify([attempt.baseUrl, attempt.login, field, id])
}

/** What identifies an attempt: the order it creates; of a change, and of an operation without such an id, itself. */
function identityOf({ effect, clientOrderId, attemptId }: Attempt) {
  return effect === 'creates' && clientOrderId !== undefined
    ? ({ field: 'clientOrderId', id: clientOrderId } as const)
    : ({ field: 'attemptId', id: attemptId } as const)
}

function refuseRepetition(attempt: Attempt, before: readonly RememberedAttempt[]): void {
  const { operation, clientOrderId, orderId } = attempt
  const refuse = (field: string, message: string) => {
    throw new InvalidRequestError(message, { operation, clientOrderId, orderId, field })
  }
  const { field, id } = identityOf(attempt)
  const other = before.find(each => each.fingerprint !== attempt.fingerprint || each.operation !== operation)
  if (other !== undefined) {
    refuse(
      field,
      `"${field}" ${JSON.stringify(id)} was used before for another request (${other.operation}). Nothing was sent. ` +
        `Use a new "${field}" for every new request.`,
    )
  }
  const open = before.find(each => each.end?.ending !== 'not-sent' && each.end?.ending !== 'refused')
  if (open !== undefined) {
    refuse(
      field,
      `"${field}" ${JSON.stringify(id)} was sent before and ${describeEnd(open.end)}. Nothing was sent now. Ask status ` +
        'with the clientOrderId to learn what became of it.',
    )
  }
}

const describeEnd = (end: AttemptEnd | undefined): string => {
  if (end === undefined) return 'has not ended yet'
  return end.ending === 'accepted' ? 'was accepted' : 'its outcome is unknown'
}
