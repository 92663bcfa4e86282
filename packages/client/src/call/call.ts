import { type AnyOperation, notify, type Reply } from '@tillkit/protocol'
import { type ReadOptions, readCallOptions } from '../config/call-options.js'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import { waitAskedBy } from '../errors/errors.js'
import type { FieldProblem } from '../errors/messages.js'
import { clientClosed, conclude, endOf } from '../reply/conclude.js'
import type { CallResult, Sent } from '../reply/types.js'
import { attemptOf } from '../request/describe-request.js'
import { doubtsAbout } from '../request/doubts.js'
import { refuseCardNumber } from '../request/field-rules.js'
import { buildRequest, recordOf, wireRequest } from '../request/form.js'
import { signRequest } from '../request/sign-request.js'
import type { CallContext, CheckedCall } from '../request/types.js'
import { operationPlan, validateRequest } from '../request/validate-request.js'
import { send } from '../transport/connections.js'
import { Deadline } from '../transport/deadline.js'
import type { Connections } from '../transport/types.js'
import { observe } from './observe.js'

/** One call. */
export interface CallInput<Options extends CallOptions = CallOptions> {
  readonly row: AnyOperation
  readonly request: unknown
  readonly options: Options | undefined
  readonly settings: Settings
  readonly connections: Connections
  /** Is told what is odd about a request that is sent all the same. */
  readonly doubt?: { readonly known: ReadonlySet<string>; readonly tell: (doubt: FieldProblem) => void }
}

/** Runs one call. @throws An {@link AnyGatewayError} for every ending but an answer with the record that was asked for. */
export async function call(input: CallInput): Promise<Reply> {
  const context = startCall(checkCall(input, readCallOptions))
  try {
    const result = await sendChecked(context)
    if ('error' in result) throw result.error
    return result.reply
  } finally {
    context.deadline.clear()
  }
}

/** Sends a request. One that only reads is sent again where it may be. */
export const sendChecked = (context: CallContext): Promise<CallResult> =>
  context.subject.row.effect === 'reads' ? read(context) : exchange(context)

/** Starts the deadline of a call. */
export function startCall(checked: CheckedCall, { startWithin, timeout, kept }: StartOptions = {}): CallContext {
  const { signal, timeout: most } = checked.options
  const { clock } = checked.settings
  const limits = { timeout: Math.min(most, timeout ?? most), startWithin }
  return { ...checked, kept, deadline: new Deadline({ ...limits, signal, clock }) }
}

interface StartOptions extends Pick<CallContext, 'kept'> {
  /** Within how many milliseconds its first byte must leave. */
  readonly startWithin?: number | undefined
  /** Most that it may take, in milliseconds, where that is less than its options say. */
  readonly timeout?: number | undefined
}

/** Validates and builds: nothing has been sent when this throws. */
export function checkCall<Options extends CallOptions>(
  { row, request: given, options: asked, settings: ours, connections, doubt }: CallInput<Options>,
  readOptions: ReadOptions<Options>,
): CheckedCall {
  const plan = operationPlan(row, ours.profile)
  const request = validateRequest(plan, given)
  const options = readOptions(asked, { subject: request.subject, settings: ours })
  const { settings, attemptId, endpoint } = options
  if (attemptId !== undefined) {
    const record = { ...recordOf(request.values), extra: Object.fromEntries(request.extra) }
    refuseCardNumber(plan, record, 'attemptId', attemptId)
  }
  const built = buildRequest({ plan, request, endpoint, settings })
  if (doubt !== undefined) for (const each of doubtsAbout(request.values, settings, doubt.known)) doubt.tell(each)
  return {
    subject: { ...request.subject, login: settings.login },
    plan,
    built,
    request,
    options,
    settings,
    connections,
  }
}

/** The longest wait before the first repetition, which doubles with each, and before any, in milliseconds. */
const [firstWait, longestWait] = [250, 8_000]

/**
 * Sends a request that only reads, and again while its answer does not come, is HTTP 5xx or cannot be read; never after a
 * refusal, and no sooner than the answer asks for. Each try is signed anew, and all share the deadline.
 */
async function read(context: CallContext): Promise<CallResult> {
  const { options, settings, connections, deadline } = context
  for (let tries = 0; ; tries += 1) {
    const result = await exchange(context)
    const mayBeRepeated = result.kind === 'no-answer' || result.kind === 'not-sent'
    const isLast = tries >= options.retries || deadline.isOver() || connections.isClosed()
    if (isLast || !mayBeRepeated) return result
    const asked = waitAskedBy(result.error)
    if (asked >= deadline.left()) return result
    // Evenly spread up to the limit, so that many clients that failed together do not come back together.
    const wait = Math.floor(settings.random() * Math.min(longestWait, firstWait * 2 ** tries))
    await settings.wait(asked + wait, deadline.signal())
    if (deadline.isOver() || connections.isClosed()) return result
  }
}

/** Exchanges one request and its answer: signs, sends, and concludes what may be said of it. It throws where nothing was sent. */
async function exchange(context: CallContext): Promise<CallResult> {
  const { subject, built, options, settings, connections, deadline } = context
  const signing = signRequest(context)
  // To wait for what is there already would take a turn of the queue for each call.
  const authenticated = signing instanceof Promise ? await signing : signing
  const { scrubber } = authenticated
  const wire = wireRequest(subject, built, authenticated)
  if (connections.isClosed()) throw clientClosed(subject)
  const startedAt = settings.clock()
  const { observer, maxReplyBytes } = settings
  const attempt = attemptOf(context, startedAt)
  const observation = isObserved(observer) ? observe(context, authenticated, startedAt) : undefined
  if (attempt !== undefined && observer.attempt !== undefined) notify(() => observer.attempt?.(attempt()))
  observation?.signed()
  const { freshConnection } = options
  const transmission = await send({ request: wire, connections, maxReplyBytes, deadline, freshConnection })
  const at = timeNow(settings, startedAt)
  const result = concludeInAnyCase(context, { transmission, attempt, at, scrubber })
  if (attempt !== undefined && observer.attempt !== undefined)
    notify(() => observer.attempt?.(attempt(), endOf(result, at)))
  observation?.ended(result)
  return result
}

const isObserved = ({ requestStart, requestEnd, exchange: seen, signed }: Settings['observer']): boolean =>
  (requestStart ?? requestEnd ?? seen ?? signed) !== undefined

/** The time, or the last known one: a clock that fails must not lose an ending. */
export function timeNow({ clock }: Settings, before: number): number {
  try {
    return clock()
  } catch {
    return before
  }
}

/** Should reading an answer fail in an unforeseen way, it counts as an answer that broke off, and not as a refusal. */
function concludeInAnyCase(context: CallContext, sent: Sent): CallResult {
  try {
    return conclude(context, sent)
  } catch (cause) {
    const { transmission } = sent
    const isConnectionClosed = transmission.kind !== 'closed' && transmission.isConnectionClosed
    return conclude(context, {
      ...sent,
      transmission: { kind: 'failed', phase: 'receiving', cause, isConnectionClosed },
    })
  }
}
