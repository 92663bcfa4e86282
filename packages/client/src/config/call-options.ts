import {
  aCount,
  aFlag,
  aFunction,
  checkedLater,
  isNoId,
  mustBe,
  type OptionCheck,
  type OptionTable,
  optionProblem,
  type Person,
  readPerson,
} from '@tillkit/protocol'
import { invalidRequest, type RequestSubject } from '../errors/messages.js'
import { readEndpoint } from './addresses.js'
import { settingsOf } from './merchant.js'
import type { CallOptions, Merchant } from './options.js'
import type { CheckedCallOptions, KnownMerchant, Settings } from './settings.js'

const anAttemptId: OptionCheck = id =>
  id === undefined || (typeof id === 'string' && !isNoId(id))
    ? undefined
    : '"attemptId" is no text, empty, or a word for nothing.'

const aPerson: OptionCheck = given => {
  if (given === undefined) return undefined
  try {
    readPerson('"person"', given as Person)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const aSignal: OptionCheck = mustBe(value => value instanceof AbortSignal, 'an AbortSignal')

/** Checks of options that calls, waits and resolutions have in common. */
export const commonTable = {
  endpointId: checkedLater,
  endpointGroupId: checkedLater,
  merchant: checkedLater,
  signal: aSignal,
  timeout: aCount({ unit: 'milliseconds' }),
  freshConnection: aFlag,
  retries: aCount({ least: 0 }),
}

const callTable: OptionTable<CallOptions> = {
  ...commonTable,
  attemptId: anAttemptId,
  person: aPerson,
  onlyWhile: aFunction,
}

/** Checks the options of a call and fills in the client's. */
export function readCallOptions(
  given: CallOptions | undefined,
  { subject, settings: ours }: { readonly subject: RequestSubject; readonly settings: Settings },
): CheckedCallOptions {
  const options = given === undefined ? {} : given
  const mistake = given === undefined ? undefined : optionMistake('the call', options, callTable)
  if (mistake !== undefined) throw invalidRequest(subject, mistake)
  const { merchant } = options
  const { settings, lacksEndpoint } =
    merchant === undefined ? { settings: ours, lacksEndpoint: false } : merchantSettings(merchant, ours, subject)
  const namesEndpoint = options.endpointId !== undefined || options.endpointGroupId !== undefined
  if (lacksEndpoint && !namesEndpoint) {
    throw invalidRequest(subject, {
      field: 'endpointId',
      problem:
        `"merchant" is ${JSON.stringify(settings.login)} and names no endpoint, and the client's is of ` +
        `${JSON.stringify(ours.login)}. Give "endpointId" or "endpointGroupId", in "merchant" or in the call.`,
    })
  }
  const endpoint = namesEndpoint ? readEndpoint(options) : settings.endpoint
  if ('problem' in endpoint) throw invalidRequest(subject, endpoint)
  const { signal, attemptId, person, onlyWhile, timeout = settings.timeout, retries = settings.retries } = options
  // The client's own is for money: a request that only reads breaks off without harm.
  const { freshConnection = settings.freshConnection && subject.row.effect !== 'reads' } = options
  return {
    settings,
    endpoint,
    signal,
    attemptId: attemptId?.trim(),
    person: person === undefined ? undefined : readPerson('"person"', person),
    onlyWhile,
    timeout,
    freshConnection,
    retries,
  }
}

/** The first mistake in options, as an invalid request names it: `field` is `options` where they are no object. */
export function optionMistake<Options extends object>(owner: string, options: Options, table: OptionTable<Options>) {
  const found = optionProblem(owner, options, table)
  if (found === undefined) return undefined
  return { field: found.option === owner ? 'options' : found.option, problem: found.problem }
}

function merchantSettings(merchant: Merchant, settings: Settings, subject: RequestSubject): KnownMerchant {
  try {
    return settingsOf(merchant, settings)
  } catch (cause) {
    const problem = `"merchant" cannot be used: ${cause instanceof Error ? cause.message : ''}`
    throw invalidRequest(subject, { field: 'merchant', problem, cause })
  }
}
