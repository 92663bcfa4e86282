import {
  type AskedSettlement,
  isAwaitedStage,
  isSettled,
  notify,
  type Pace,
  type StatusRequest,
  type StatusResponse,
  settleAnswer,
} from '@tillkit/protocol'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import type { ClientWarning, Poll } from '../diagnostics/observer.js'
import { isGatewayError, waitAskedBy } from '../errors/errors.js'
import { endedBy, progressAfter, stillUnknown } from './ending.js'
import { type NextQuestion, nextQuestion } from './next-question.js'
import { type ReadQuestion, readQuestion } from './question.js'
import type { AwaitedOutcome, AwaitOutcomeOptions, OutcomeQuestion, Progress } from './types.js'
import { checkWaitOptions } from './wait-options.js'
import { unlessStopped, type Wait, type Waits } from './waits.js'

interface AwaitInput {
  readonly question: OutcomeQuestion
  readonly options: AwaitOutcomeOptions
  /** Asks for the state of an order. */
  readonly status: (request: StatusRequest, options: CallOptions) => Promise<StatusResponse>
  readonly settings: Pick<Settings, 'clock' | 'random' | 'wait' | 'profile' | 'timeout' | 'baseUrl' | 'observer'>
  readonly waits: Waits
  /** Takes warnings while the wait goes on. */
  readonly warn: (warning: ClientWarning) => void
}

/**
 * Asks status until the outcome is known, a person or the customer has to do something, or the time is up.
 *
 * @throws {TypeError} for a question or an option that cannot work, and an {@link InvalidRequestError} for a question that cannot be
 * sent as it is: asking again would not help.
 */
export async function awaitOutcome(input: AwaitInput): Promise<AwaitedOutcome> {
  const { question, options, settings, waits } = input
  checkWaitOptions(options, settings.clock())
  const read = readQuestion(question)
  const { signal } = options
  const wait = waits.begin(read.order.clientOrderId)
  const stop = (): void => wait.stop()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  try {
    return await poll(read, wait, input)
  } finally {
    signal?.removeEventListener('abort', stop)
    waits.end(wait)
  }
}

async function poll({ order, expected }: ReadQuestion, wait: Wait, input: AwaitInput): Promise<AwaitedOutcome> {
  const { options, settings, warn } = input
  let progress: Progress = { order, asked: 0, answered: 0, shownSteps: options.shownSteps ?? [] }
  let last: AskedSettlement | undefined
  const unknown = (reason: 'aborted' | 'time-is-up') =>
    stillUnknown(reason, progress, { stages: expected.stages, last })
  const stages = expected.stages.filter(isAwaitedStage)
  const tell = (settlement: AskedSettlement, more: Pick<Poll, 'outcome' | 'nextIn'>): void => {
    const answer = isSettled(settlement) ? 'settled' : settlement.kind
    notify(() => settings.observer.poll?.({ stages, count: progress.asked, answer, ...more }))
  }
  let isWarned = false
  let pace: Pace | undefined
  for (let isLast = false, isExtra = false; ; ) {
    // After a callback the outcome is near. Status may lag behind, so the schedule begins anew.
    if (wait.takeWake()) pace = undefined
    const settlement = await ask({ order: progress.order, expected }, wait.stopped, input)
    if (settlement === undefined) return unknown('aborted')
    const warning: ClientWarning | undefined = isWarned ? undefined : refusalWarning(settlement)
    if (warning !== undefined) warn(warning)
    isWarned ||= warning !== undefined
    last = settlement
    progress = progressAfter(progress, settlement)
    const ended = endedBy(settlement, progress, settings)
    const asked = settlement.kind === 'no-answer' ? waitAskedBy(settlement.cause) : 0
    const next: NextQuestion | undefined =
      ended === undefined ? nextQuestion(input, { pace, isLast, isExtra, isWoken: wait.isWoken(), asked }) : undefined
    if (next === undefined) {
      const outcome = ended ?? unknown('time-is-up')
      tell(settlement, { outcome: outcome.kind })
      return outcome
    }
    tell(settlement, { nextIn: next.pause })
    await wait.pause(next.pause, settings.wait)
    pace = next.pace
    isExtra = next.isExtra
    isLast = next.isLast && !wait.isWoken()
  }
}

/** The warning while a wait goes on although its question was refused: with a wrong key it would ask for an hour unheard. */
function refusalWarning(settlement: AskedSettlement): ClientWarning | undefined {
  if (settlement.kind !== 'no-answer') return undefined
  const { cause } = settlement
  if (!isGatewayError(cause) || cause.code !== 'ERR_AUTHENTICATION_REFUSED') return undefined
  return {
    code: 'WARN_STATUS_REFUSED',
    message: `${cause.message} The wait for the outcome goes on and asks again, for this says nothing about the order.`,
  }
}

/** Asks status once. @returns undefined once the wait is stopped, even where the question still hangs. */
async function ask(
  { order, expected }: ReadQuestion,
  stopped: AbortSignal,
  { status, options, settings: { clock, profile, timeout: usual } }: AwaitInput,
): Promise<AskedSettlement | undefined> {
  const { deadline, schedule: _schedule, shownSteps: _shown, timeout = usual, ...callOptions } = options
  const { clientOrderId, orderId } = order
  const { serialNumber } = expected
  const askedAt = clock()
  const question = {
    clientOrderId,
    ...(orderId === undefined ? {} : { orderId }),
    ...(serialNumber === undefined ? {} : { byRequestSn: serialNumber }),
  }
  // The next question is the repetition.
  const asking = { ...callOptions, timeout: timeoutUntil(deadline, timeout, askedAt), retries: 0, signal: stopped }
  const answer = await unlessStopped(() => answerOf(status(question, asking)), stopped)
  if (answer === undefined) return undefined
  const cause = 'cause' in answer ? answer.cause : undefined
  if (isGatewayError(cause) && cause.code === 'ERR_INVALID_REQUEST') throw cause
  return settleAnswer({ order, expected, profile }, { askedAt, ...answer })
}

const answerOf = (asked: Promise<StatusResponse>) =>
  asked.then(
    reply => ({ reply }),
    (cause: unknown) => ({ cause }),
  )

/** The least time for a question, in milliseconds: one that begins at the deadline may take that long past it. */
const leastForQuestion = 1_000

/** The timeout of a question: its own, but no more than what is left until the deadline, see {@link leastForQuestion}. */
function timeoutUntil(deadline: number | undefined, timeout: number, now: number): number {
  // A value that is no number is refused with the question, by its name.
  if (deadline === undefined || typeof timeout !== 'number') return timeout
  return Math.min(timeout, Math.max(Math.ceil(deadline - now), leastForQuestion))
}
