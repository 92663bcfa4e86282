/**
 * Attempts kept in memory: guards one process against sending the same order twice, and forgets on restart.
 *
 * @module
 */
import type { Attempt, AttemptEnd, AttemptsPort } from './attempt.js'
import { AlreadySentError } from './errors.js'

/** An attempt and, once it is over, how it ended. */
export interface RememberedAttempt extends Attempt {
  readonly end?: AttemptEnd
}

/**
 * Remembers attempts in this process. To refuse what a process before this one sent, hand over an {@link AttemptsPort}
 * of your own that survives a restart.
 *
 * A `creates` request is refused with an {@link AlreadySentError} when its `clientOrderId` was reserved before with other
 * content, and also with the same content unless that attempt ended `not-sent` or `refused`. A `changes` request is
 * refused when its `attemptId` was reserved before, with the same exception.
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
  const { operation, fingerprint } = attempt
  const open = before.find(isOpen)
  const isAnother = before.some(each => each.fingerprint !== fingerprint || each.operation !== operation)
  const earlier = open ?? (isAnother ? before.at(-1) : undefined)
  if (earlier === undefined) return
  const { field, id } = identityOf(attempt)
  const named = `"${field}" ${JSON.stringify(id)}`
  const ended = describeEnd(earlier.end)
  const message = isAnother
    ? `${named} was used before for another request (${earlier.operation}), which ${ended}. Nothing was sent now. Use a ` +
      `new "${field}" for every new request.`
    : `${named} was sent before and ${ended}. Nothing was sent now. Ask status with the clientOrderId to learn what ` +
      'became of it.'
  throw new AlreadySentError(message, {
    operation,
    clientOrderId: attempt.clientOrderId,
    orderId: attempt.orderId ?? open?.end?.orderId,
    field,
    earlierEnding: earlier.end?.ending,
    moneyMayHaveMoved: open !== undefined,
  })
}

/** Whether it may have arrived: only what provably did nothing may be sent again. */
const isOpen = ({ end }: RememberedAttempt): boolean => end?.ending !== 'not-sent' && end?.ending !== 'refused'

function describeEnd(end: AttemptEnd | undefined): string {
  switch (end?.ending) {
    case undefined:
      return 'has not ended yet'
    case 'accepted':
      return 'was accepted'
    case 'refused':
      return 'was refused'
    case 'not-sent':
      return 'was never sent'
    case 'unknown':
      return 'ended without a known outcome'
  }
}
