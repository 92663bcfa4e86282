import { isNoId } from '@tillkit/protocol'
import { invalidRequest, type RequestSubject } from '../errors/invalid-request.js'
import { type Endpoint, readEndpoint } from './addresses.js'
import type { Merchant } from './credentials.js'
import { type MerchantSettings, settingsOf } from './merchant.js'
import { unknownCallOption } from './option-names.js'
import type { CallOptions } from './options.js'
import { readCount, readFlag, type Settings } from './settings.js'

/** Checked options of a call. */
export interface CheckedCallOptions {
  /** The client's, or those of the merchant that the call is made for. */
  readonly settings: Settings
  readonly endpoint: Endpoint
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  readonly attemptId: string | undefined
  readonly freshConnection: boolean
  readonly retries: number
}

/** What options are checked for. */
export interface CallOptionsInput {
  readonly subject: RequestSubject
  readonly settings: Settings
}

/**
 * Checks the options of a call and fills in the client's.
 *
 * @throws {@link InvalidRequestError} naming the option.
 */
export function readCallOptions(options: CallOptions | undefined, input: CallOptionsInput): CheckedCallOptions {
  const { subject } = input
  if (options === undefined) return optionsOfClient(input)
  if (typeof options !== 'object' || options === null) {
    throw invalidRequest(subject, { field: 'options', problem: 'the options of the call must be an object.' })
  }
  const unknown = unknownCallOption(options)
  if (unknown !== undefined) throw invalidRequest(subject, { field: unknown.option, problem: unknown.problem })
  const { endpointId, endpointGroupId, signal, attemptId, timeout, freshConnection, retries } = options
  const isOwnEndpoint = endpointId !== undefined || endpointGroupId !== undefined
  const settings = settingsOfCall(options, { subject, settings: input.settings, isOwnEndpoint })
  const endpoint = isOwnEndpoint ? readEndpoint(options) : settings.endpoint
  if ('message' in endpoint) throw invalidRequest(subject, { field: endpoint.option, problem: endpoint.message })
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidRequest(subject, { field: 'signal', problem: '"signal" is no AbortSignal.' })
  }
  if (attemptId !== undefined && (typeof attemptId !== 'string' || isNoId(attemptId))) {
    throw invalidRequest(subject, {
      field: 'attemptId',
      problem: '"attemptId" is no text, empty, or a word for nothing.',
    })
  }
  const numbers = numbersOf({ timeout, freshConnection, retries }, { subject, settings })
  return {
    settings,
    endpoint,
    signal,
    attemptId: attemptId?.trim(),
    timeout: numbers.timeout,
    freshConnection: numbers.freshConnection,
    retries: numbers.retries,
  }
}

/** The options of calls without any of their own, which most are: of reads, which get no fresh connection, and of others. */
const withoutOwn = new WeakMap<Settings, { readonly reads: CheckedCallOptions; readonly others: CheckedCallOptions }>()

function optionsOfClient({ subject, settings }: CallOptionsInput): CheckedCallOptions {
  const found = withoutOwn.get(settings)
  if (found !== undefined) return subject.row.effect === 'reads' ? found.reads : found.others
  const { endpoint, timeout, freshConnection, retries } = settings
  const others = { settings, endpoint, signal: undefined, attemptId: undefined, timeout, freshConnection, retries }
  withoutOwn.set(settings, { reads: { ...others, freshConnection: false }, others })
  return optionsOfClient({ subject, settings })
}

function settingsOfCall(
  { merchant }: CallOptions,
  { subject, settings, isOwnEndpoint }: CallOptionsInput & { readonly isOwnEndpoint: boolean },
): Settings {
  if (merchant === undefined) return settings
  const { lacksEndpoint, settings: own } = merchantSettings(merchant, { subject, settings })
  if (!lacksEndpoint || isOwnEndpoint) return own
  throw invalidRequest(subject, {
    field: 'endpointId',
    problem:
      `"merchant" is ${JSON.stringify(own.login)} and names no endpoint, and the client's is of ` +
      `${JSON.stringify(settings.login)}. Give "endpointId" or "endpointGroupId", in "merchant" or in the call.`,
  })
}

function merchantSettings(merchant: Merchant, { subject, settings }: CallOptionsInput): MerchantSettings {
  try {
    return settingsOf(merchant, settings)
  } catch (cause) {
    const problem = `"merchant" cannot be used: ${cause instanceof Error ? cause.message : ''}`
    throw invalidRequest(subject, { field: 'merchant', problem, cause })
  }
}

type Numbers = Pick<CheckedCallOptions, 'timeout' | 'freshConnection' | 'retries'>

function numbersOf(own: Pick<CallOptions, keyof Numbers>, { subject, settings }: CallOptionsInput): Numbers {
  const read = <Value>(field: keyof Numbers, check: () => Value): Value => {
    try {
      return check()
    } catch (cause) {
      throw invalidRequest(subject, { field, problem: cause instanceof Error ? cause.message : '', cause })
    }
  }
  const { timeout, freshConnection, retries } = own
  // The client's own were checked when it was made.
  return {
    timeout: timeout === undefined ? settings.timeout : read('timeout', () => readCount('timeout', timeout)),
    freshConnection:
      freshConnection === undefined
        ? // It is for money; what is only read breaks off without harm.
          settings.freshConnection && subject.row.effect !== 'reads'
        : read('freshConnection', () => readFlag('freshConnection', freshConnection)),
    retries: retries === undefined ? settings.retries : read('retries', () => readCount('retries', retries)),
  }
}
