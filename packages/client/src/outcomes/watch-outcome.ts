import {
  type AskedSettlement,
  type AwaitedOutcome,
  advanceWait,
  askAndSettle,
  isAwaitedStage,
  isSettled,
  notify,
  type OutcomeQuestion,
  openWait,
  type StatusRequest,
  type StatusResponse,
  startPace,
  stillUnknown,
  type WaitState,
} from '@tillkit/protocol'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import type { ClientWarning, Poll } from '../diagnostics/observer.js'
import { isGatewayError, waitAskedBy } from '../errors/errors.js'
import { type NextQuestion, nextQuestion } from './next-question.js'
import type { AwaitOutcomeOptions, OutcomeObservation } from './types.js'
import { checkWaitOptions } from './wait-options.js'
import type { Wait, Waits } from './waits.js'

interface WatchInput {
  readonly question: OutcomeQuestion | WaitState
  readonly options: AwaitOutcomeOptions
  /** Asks for the state of an order. */
  readonly status: (request: StatusRequest, options: CallOptions) => Promise<StatusResponse>
  readonly settings: Pick<Settings, 'clock' | 'random' | 'wait' | 'profile' | 'timeout' | 'baseUrl' | 'observer'>
  readonly waits: Waits
  /** Takes warnings while the wait goes on. */
  readonly warn: (warning: ClientWarning) => void
}

type Observations = AsyncGenerator<OutcomeObservation, void, undefined>

/**
 * Asks status until the outcome is known, a person or the customer has to do something, or the time is up.
 *
 * `return` and `throw` end the wait at once, also in the middle of a pause or a question: a `next` that waits gets
 * `still-unknown`. A generator alone would heed them only once the pause is over. A question that cannot be sent as it is
 * ends the wait with its {@link InvalidRequestError}: asking again would not help.
 */
export function watchOutcome(input: WatchInput): Observations {
  const left = new AbortController()
  const observations = observe(input, left.signal)
  const [end, fail] = [observations.return.bind(observations), observations.throw.bind(observations)]
  return Object.assign(observations, {
    return(value: Parameters<Observations['return']>[0]) {
      left.abort()
      return end(value)
    },
    throw(error: unknown) {
      left.abort()
      return fail(error)
    },
  })
}

async function* observe(input: WatchInput, left: AbortSignal): Observations {
  const { question, options, settings, waits } = input
  checkWaitOptions(options, settings.clock())
  const { signal, deadline } = options
  let position = openWait(question, settings.clock())
  const wait = waits.begin(position.order.clientOrderId)
  const onAbort = (): void => wait.stop()
  signal?.addEventListener('abort', onAbort)
  left.addEventListener('abort', onAbort)
  if (signal?.aborted === true || left.aborted) onAbort()
  const leave = (): void => {
    signal?.removeEventListener('abort', onAbort)
    waits.end(wait)
  }
  let last: AskedSettlement | undefined
  let count = 0
  const tellPoll = (settlement: AskedSettlement, more: Pick<Poll, 'outcome' | 'nextIn'>): void =>
    notify(() =>
      settings.observer.poll?.({
        stages: position.expected.stages.filter(isAwaitedStage),
        count,
        answer: isSettled(settlement) ? 'settled' : settlement.kind,
        ...more,
      }),
    )
  let isWarned = false
  try {
    for (let isLast = false, isExtra = false; ; ) {
      // Where a callback came the outcome is near: the schedule begins anew, should status lag behind.
      if (wait.takeWake()) position = { ...position, pace: startPace(settings.clock()) }
      const settlement = await ask(position, input, wait)
      if (settlement === undefined) {
        leave()
        yield { wait: position, outcome: stillUnknown(position, { reason: 'aborted', last }) }
        return
      }
      const warning: ClientWarning | undefined = isWarned ? undefined : refusalWarning(settlement)
      if (warning !== undefined) input.warn(warning)
      isWarned ||= warning !== undefined
      last = settlement
      count += 1
      const { outcome: ended, ...advanced } = advanceWait(position, {
        settlement,
        profile: settings.profile,
        plainHttp: settings.baseUrl.isPlainHttp,
      })
      position = advanced.wait
      isLast ||= deadline !== undefined && settings.clock() >= deadline
      const asked = settlement.kind === 'no-answer' ? waitAskedBy(settlement.cause) : 0
      const next: NextQuestion | undefined =
        ended === undefined
          ? nextQuestion(position, input, { isLast, isExtra, isWoken: wait.isWoken(), asked })
          : undefined
      if (next === undefined) {
        leave()
        const outcome = ended ?? stillUnknown(position, { reason: 'time-is-up', last })
        tellPoll(settlement, { outcome: outcome.kind })
        yield { settlement, wait: position, outcome }
        return
      }
      position = next.position
      tellPoll(settlement, { nextIn: next.pause })
      yield { settlement, wait: position, nextAt: settings.clock() + next.pause }
      await wait.pause(next.pause, settings.wait)
      isExtra = next.isExtra
      isLast = next.isLast && !wait.isWoken()
    }
  } finally {
    leave()
  }
}

/** What to say while a wait goes on although its question was refused: with a wrong key it would ask for an hour unheard. */
function refusalWarning(settlement: AskedSettlement): ClientWarning | undefined {
  if (settlement.kind !== 'no-answer') return undefined
  const { cause } = settlement
  if (!isGatewayError(cause) || cause.code !== 'ERR_AUTHENTICATION_REFUSED') return undefined
  return {
    code: 'WARN_STATUS_REFUSED',
    message: `${cause.message} The wait for the outcome goes on and asks again, for this says nothing about the order.`,
  }
}

/** Watches to the end. @returns How it ended. */
export async function awaitOutcome(input: WatchInput): Promise<AwaitedOutcome> {
  let outcome: AwaitedOutcome | undefined
  for await (const observation of watchOutcome(input)) outcome = observation.outcome
  if (outcome === undefined) throw new TypeError('The wait ended without an outcome.')
  return outcome
}

/** @returns undefined once the wait is stopped, even where the question still hangs. */
async function ask(
  { order, expected }: WaitState,
  { status, options, settings }: WatchInput,
  { stopped: signal }: Wait,
): Promise<AskedSettlement | undefined> {
  if (signal.aborted) return undefined
  const { deadline, schedule: _schedule, timeout = settings.timeout, ...callOptions } = options
  const { clock, profile } = settings
  const client = {
    // The next question is the repetition.
    status: (request: StatusRequest) =>
      status(request, { ...callOptions, timeout: timeoutUntil(deadline, timeout, clock()), retries: 0, signal }),
  }
  const settlement = await unlessStopped(askAndSettle({ client, order, expected, clock, profile }), signal)
  const cause = settlement?.kind === 'no-answer' ? settlement.cause : undefined
  if (isGatewayError(cause) && cause.code === 'ERR_INVALID_REQUEST') throw cause
  return settlement
}

async function unlessStopped<Value>(work: Promise<Value>, stopped: AbortSignal): Promise<Value | undefined> {
  // It may have been aborted while the question was being sent; that event is over.
  if (stopped.aborted) return undefined
  let stop = (): void => {}
  const over = new Promise<undefined>(resolve => {
    stop = () => resolve(undefined)
    stopped.addEventListener('abort', stop)
  })
  return Promise.race([work, over]).finally(() => stopped.removeEventListener('abort', stop))
}

/** The least time for a question, in milliseconds: one that begins at the deadline may take that long past it. */
const leastForQuestion = 1_000

/** The timeout of a question: its own, but no more than what is left until the deadline, see {@link leastForQuestion}. */
function timeoutUntil(deadline: number | undefined, timeout: number, now: number): number {
  // What is no number is refused with the question, naming it.
  if (deadline === undefined || typeof timeout !== 'number') return timeout
  return Math.min(timeout, Math.max(Math.ceil(deadline - now), leastForQuestion))
}
