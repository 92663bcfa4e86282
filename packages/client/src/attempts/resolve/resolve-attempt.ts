import {
  type AnyOperation,
  type AttemptEnd,
  aCount,
  aFlag,
  describeValue,
  type OptionCheck,
  type OptionTable,
  operations,
  type RememberedAttempt,
  readAttempt,
} from '@tillkit/protocol'
import { commonTable, optionMistake, readCallOptions } from '../../config/call-options.js'
import type { CallOptions } from '../../config/options.js'
import type { Settings } from '../../config/settings.js'
import { invalidRequest } from '../../errors/messages.js'
import type { AskStatus } from '../attempt.js'
import { resolveChange } from './change.js'
import { resolveCreation } from './creation.js'
import type { FirstAnswers } from './first-answers.js'
import { openPage } from './page.js'
import type { Resolution, ResolveOptions, ResolveTimes } from './types.js'

/** What resolving needs of its client. */
export interface ResolveInput {
  readonly options: ResolveOptions
  readonly settings: Settings
  readonly askStatus: AskStatus
  readonly firstAnswers: FirstAnswers
}

/**
 * Asks what became of an attempt, and writes it down once that is known.
 *
 * @throws {@link InvalidRequestError} when what is handed over is no attempt of this client's, or an option is wrong.
 */
export async function resolveAttempt(
  given: RememberedAttempt,
  { options, settings: ours, askStatus, firstAnswers }: ResolveInput,
): Promise<Resolution> {
  const handed = checkedAttempt(given)
  const times = readResolveOptions(options, handed)
  const { clientOrderId, orderId } = handed
  const { position, connectionClosed, quietPeriod: _quiet, apart: _apart, ...rest } = options
  const callOptions = { ...rest, ...endpointOf(handed) }
  const subject = { name: 'status', row: operations.status, clientOrderId, orderId }
  const { settings } = readCallOptions(callOptions, { subject, settings: ours })
  checkOwner(handed, settings)
  if (clientOrderId === undefined || !isShownByStatus(handed, settings)) return notShownByStatus(handed)
  const page = await openPage(handed, settings)
  if (page.kind === 'cannot-tell-yet') return page
  if (page.kept?.end !== undefined && hasDoneNothing(page.kept.end)) return writtenMeanwhile(page.kept.end)
  const attempt = checkedAttempt(page.attempt)
  const input = { attempt, clientOrderId, callOptions, settings, askStatus }
  const resolution =
    attempt.effect === 'creates'
      ? await resolveCreation(input, { ...times, position, connectionClosed, page, firstAnswers })
      : await resolveChange(input)
  await page.note(resolution)
  if (resolution.kind === 'no-trace' && (await page.isAccepted().catch(() => true))) return acceptedMeanwhile
  // An answer that says nothing does not undo what was learned before.
  const isSilent = resolution.kind === 'cannot-tell-yet' && position !== undefined
  return isSilent ? { position, ...resolution } : resolution
}

const endpointOf = ({ endpointId, endpointGroupId }: RememberedAttempt): CallOptions =>
  endpointGroupId === undefined ? { endpointId } : { endpointGroupId }

function isShownByStatus({ operation, stages }: RememberedAttempt, { profile }: Settings): boolean {
  return stages.length > 0 || (whenUnknown(operation) === 'profile' && profile.statusFindsRecurringPayments.value)
}

function whenUnknown(operation: string): AnyOperation['whenUnknown'] {
  const rows: { readonly [name: string]: AnyOperation } = operations
  return Object.hasOwn(rows, operation) ? rows[operation]?.whenUnknown : undefined
}

/** What is left to do where status does not show an operation. It is not even asked. */
function notShownByStatus({ operation }: RememberedAttempt): Resolution {
  const todo = whenUnknown(operation)
  const advice =
    todo === 'repeat'
      ? 'It moves no money and made at most a card reference that is never used: send it again if you need one.'
      : todo === 'order'
        ? 'It moves no money by itself: wait for the outcome of the order; only while status still shows the same 3DS step was it not taken.'
        : 'A person must look it up at the gateway, and close the attempt.'
  return {
    kind: 'cannot-tell-yet',
    reason: 'no-status',
    explanation: `Status does not show what a ${operation} request did. ${advice}`,
    evidence: {},
    needsPerson: true,
  }
}

/** The answer to the request was on its way for all that time, and has been written while status was asked. */
const acceptedMeanwhile: Resolution = Object.freeze({
  kind: 'cannot-tell-yet',
  reason: 'no-answer',
  explanation:
    'Status had never seen the order, and meanwhile the store has it that the gateway accepted the request, or does not answer. Ask again.',
  evidence: Object.freeze({}),
  needsPerson: false,
})

const hasDoneNothing = ({ kind }: AttemptEnd): boolean => kind !== 'unknown' && kind !== 'accepted'

/** Somebody else learned it since the caller did not know: another process, or a fact that was late. No mistake of the caller's. */
const writtenMeanwhile = ({ kind, basis = 'answer' }: AttemptEnd): Resolution => ({
  kind: 'no-trace',
  explanation: `The store has it by now that the attempt ended ${kind}, on the word of ${basis === 'person' ? 'a person' : basis === 'status' ? 'status' : 'the process that sent it'}. It did nothing.`,
  evidence: {},
})

/**
 * Checks an attempt. What a store gives back as null is absent.
 *
 * @throws {@link InvalidRequestError} when it is no attempt, does not say where it was sent to, or its outcome is known.
 */
export function checkedAttempt(given: RememberedAttempt): RememberedAttempt {
  const attempt = read(given)
  if (attempt.end !== undefined && hasDoneNothing(attempt.end)) {
    throw mistake(attempt, `the attempt ended ${attempt.end.kind}, so there is nothing to resolve.`)
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
 * @param name Of the request that is not sent: a question for status, where none is said.
 * @throws {@link InvalidRequestError} when it is not.
 */
export function checkOwner(attempt: RememberedAttempt, { login }: Settings, name = 'status'): void {
  if (attempt.login === login) return
  const { clientOrderId, orderId } = attempt
  const problem = `the attempt is of merchant ${JSON.stringify(attempt.login)}, and this client is for ${JSON.stringify(login)}. Hand over that merchant with "merchant".`
  throw invalidRequest({ name, clientOrderId, orderId }, { field: 'attempt', problem })
}

/**
 * Checks the options that are not those of a call.
 *
 * @throws {@link InvalidRequestError} naming the option.
 */
export function readResolveOptions(options: ResolveOptions, attempt: RememberedAttempt): ResolveTimes {
  const found = optionMistake('resolve()', options, resolveTable)
  if (found !== undefined) throw mistake(attempt, found.problem, found.field)
  const { position, quietPeriod = 900_000, apart = 300_000 } = options
  if (position !== undefined && position.attemptId !== attempt.attemptId) {
    throw mistake(attempt, `"position" is of attempt ${describeValue(position.attemptId)}.`, 'position')
  }
  return { quietPeriod, apart }
}

const { merchant, timeout, signal, retries } = commonTable
const aTime = aCount({ unit: 'milliseconds', most: Number.MAX_SAFE_INTEGER })

const aPosition: OptionCheck = position => {
  if (position === undefined) return undefined
  const isOne =
    typeof position === 'object' && position !== null && Number.isFinite(Reflect.get(position, 'quietSince'))
  return isOne ? undefined : '"position" is no position. Pass what the resolution before this one returned.'
}

const resolveTable: OptionTable<ResolveOptions> = {
  position: aPosition,
  quietPeriod: aTime,
  apart: aTime,
  connectionClosed: aFlag,
  merchant,
  timeout,
  signal,
  retries,
}

interface Ids {
  readonly clientOrderId?: string | undefined
  readonly orderId?: string | undefined
}

function mistake({ clientOrderId, orderId }: Ids, problem: string, field = 'attempt') {
  return invalidRequest({ name: 'status', clientOrderId, orderId }, { field, problem })
}
