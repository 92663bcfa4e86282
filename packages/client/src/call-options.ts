/**
 * Options of one call, checked before anything is reserved.
 *
 * @module
 */
import { type Endpoint, readEndpoint } from './endpoint.js'
import { unknownCallOption } from './option-names.js'
import type { CallOptions } from './options.js'
import { type RequestSubject, requestMistake } from './request-mistake.js'
import { readCount, type Settings } from './settings.js'

/** Checked options of a call. */
export interface CheckedCallOptions {
  readonly endpoint: Endpoint
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  readonly attemptId: string | undefined
}

/** What options are checked for. */
export interface CallOptionsInput {
  readonly subject: RequestSubject
  readonly settings: Pick<Settings, 'endpoint' | 'timeout'>
}

/**
 * Checks the options of a call and fills in the client's.
 *
 * @throws {@link InvalidRequestError} naming the option.
 */
export function readCallOptions(options: CallOptions, { subject, settings }: CallOptionsInput): CheckedCallOptions {
  if (typeof options !== 'object' || options === null) {
    throw requestMistake(subject, { field: 'options', problem: 'the options of the call must be an object.' })
  }
  const unknown = unknownCallOption(options)
  if (unknown !== undefined) throw requestMistake(subject, { field: unknown.option, problem: unknown.problem })
  const { endpointId, endpointGroupId, signal, attemptId } = options
  const isOwnEndpoint = endpointId !== undefined || endpointGroupId !== undefined
  const endpoint = isOwnEndpoint ? readEndpoint(options) : settings.endpoint
  if ('message' in endpoint) throw requestMistake(subject, { field: endpoint.option, problem: endpoint.message })
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw requestMistake(subject, { field: 'signal', problem: '"signal" is no AbortSignal.' })
  }
  if (attemptId !== undefined && (typeof attemptId !== 'string' || attemptId.trim() === '')) {
    throw requestMistake(subject, { field: 'attemptId', problem: '"attemptId" is empty or no text.' })
  }
  return { endpoint, timeout: timeoutOf(options, { subject, settings }), signal, attemptId }
}

function timeoutOf({ timeout }: CallOptions, { subject, settings }: CallOptionsInput): number {
  if (timeout === undefined) return settings.timeout
  try {
    return readCount('timeout', timeout)
  } catch (cause) {
    throw requestMistake(subject, { field: 'timeout', problem: cause instanceof Error ? cause.message : '', cause })
  }
}
