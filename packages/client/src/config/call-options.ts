import {
  aCount,
  aFlag,
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
import type { CallOptions, Merchant, PrepareOptions } from './options.js'
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

/** Checks of options that calls and waits have in common. */
export const commonTable = {
  endpointId: checkedLater,
  endpointGroupId: checkedLater,
  merchant: checkedLater,
  signal: aSignal,
  timeout: aCount({ unit: 'milliseconds' }),
  freshConnection: aFlag,
  retries: aCount({ least: 0 }),
}

const callTable: OptionTable<CallOptions> = commonTable

const prepareTable: OptionTable<PrepareOptions> = { ...commonTable, attemptId: anAttemptId, person: aPerson }

/** Whose options they are, and the client's settings. */
interface OptionsOf {
  readonly subject: RequestSubject
  readonly settings: Settings
}

/** Checks options and fills in the client's. @throws An {@link InvalidRequestError} that names the option. */
export type ReadOptions<Options> = (given: Options | undefined, about: OptionsOf) => CheckedCallOptions

/** Those of a call. */
export const readCallOptions: ReadOptions<CallOptions> = (given, about) => {
  if (given !== undefined) refuseMistakes(given, callTable, about)
  return readOptions(given ?? {}, about)
}

/** Those of a request that is prepared. */
export const readPrepareOptions: ReadOptions<PrepareOptions> = (given, about) => {
  if (given !== undefined) refuseMistakes(given, prepareTable, about)
  return readOptions(given ?? {}, about)
}

function refuseMistakes<Options extends object>(options: Options, table: OptionTable<Options>, { subject }: OptionsOf) {
  const mistake = optionMistake('the call', options, table)
  if (mistake !== undefined) throw invalidRequest(subject, mistake)
}

function readOptions(options: PrepareOptions, { subject, settings: ours }: OptionsOf): CheckedCallOptions {
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
  const { signal, attemptId, person, timeout = settings.timeout, retries = settings.retries } = options
  // The client's own is for money: a request that only reads breaks off without harm.
  const { freshConnection = settings.freshConnection && subject.row.effect !== 'reads' } = options
  return {
    settings,
    endpoint,
    signal,
    attemptId: attemptId?.trim(),
    person: person === undefined ? undefined : readPerson('"person"', person),
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
