/**
 * Checks of what `client.resolve` is handed: an attempt may come out of a store, and a position from another process.
 *
 * @module
 */
import { describeValue, type RememberedAttempt, readAttempt } from '@tillkit/protocol'
import { unknownResolveOption } from '../../config/option-names.js'
import type { Settings } from '../../config/settings.js'
import { requestMistake } from '../../errors/request-mistake.js'
import type { ResolveOptions } from './resolution.js'

/**
 * Checks an attempt. What a store gives back as null is absent.
 *
 * @throws {@link InvalidRequestError} when it is none, does not say where it was sent to, or its outcome is known.
 */
export function checkedAttempt(given: RememberedAttempt): RememberedAttempt {
  const attempt = read(given)
  const ending = attempt.end?.ending
  if (ending !== undefined && ending !== 'unknown' && ending !== 'accepted') {
    throw mistake(attempt, `the attempt ended ${ending}, so there is nothing to resolve.`)
  }
  if ((attempt.endpointId === undefined) !== (attempt.endpointGroupId === undefined)) return attempt
  throw mistake(
    attempt,
    'the attempt must say where it was sent to, with one of "endpointId" and "endpointGroupId": another endpoint may never ' +
      'have seen its order. Keep every field of an attempt that is stored.',
  )
}

function read(given: RememberedAttempt): RememberedAttempt {
  try {
    return readAttempt(given)
  } catch (cause) {
    const problem = `what is to be resolved is no attempt. ${cause instanceof Error ? cause.message : ''}`
    throw mistake({ clientOrderId: undefined, orderId: undefined }, problem)
  }
}

/**
 * Checks that an attempt is one of the merchant that is asked for.
 *
 * @throws {@link InvalidRequestError} when it is not.
 */
export function checkOwner(attempt: RememberedAttempt, settings: Settings): void {
  if (attempt.login !== settings.login) {
    const found = `${JSON.stringify(attempt.login)}, and this client is for ${JSON.stringify(settings.login)}`
    throw mistake(attempt, `the attempt is of merchant ${found}. Hand over that merchant with "merchant".`)
  }
}

/** The numbers of a resolution, in milliseconds. */
export interface ResolveTimes {
  readonly quietPeriod: number
  readonly apart: number
}

/**
 * Checks the options that are not those of a call.
 *
 * @throws {@link InvalidRequestError} naming the option.
 */
export function readResolveOptions(options: ResolveOptions, attempt: RememberedAttempt): ResolveTimes {
  if (typeof options !== 'object' || options === null) {
    throw mistake(attempt, 'the options must be an object.', 'options')
  }
  const unknown = unknownResolveOption(options)
  if (unknown !== undefined) throw mistake(attempt, unknown.problem, unknown.option)
  const { position, connectionClosed = false, quietPeriod = 900_000, apart = 300_000 } = options
  for (const [option, value] of Object.entries({ quietPeriod, apart })) {
    if (Number.isSafeInteger(value) && value > 0) continue
    throw mistake(
      attempt,
      `"${option}" is ${describeValue(value)}; it must be a whole number of milliseconds from 1 on.`,
      option,
    )
  }
  if (typeof connectionClosed !== 'boolean') {
    const problem = `"connectionClosed" is ${describeValue(connectionClosed)}; it must be true or false.`
    throw mistake(attempt, problem, 'connectionClosed')
  }
  if (position === undefined) return { quietPeriod, apart }
  if (typeof position !== 'object' || position === null || !Number.isFinite(position.quietSince)) {
    throw mistake(attempt, '"position" is none. Pass what the resolution before this one returned.', 'position')
  }
  if (position.attemptId === attempt.attemptId) return { quietPeriod, apart }
  throw mistake(attempt, `"position" is of attempt ${describeValue(position.attemptId)}.`, 'position')
}

interface Ids {
  readonly clientOrderId?: string | undefined
  readonly orderId?: string | undefined
}

function mistake({ clientOrderId, orderId }: Ids, problem: string, field = 'attempt') {
  return requestMistake({ name: 'status', clientOrderId, orderId }, { field, problem })
}
