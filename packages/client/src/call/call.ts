import { type AnyOperation, changesPart, operations, type Reply, type StatusResponse } from '@tillkit/protocol'
import type { AskStatus } from '../attempts/attempt.js'
import { readCallOptions } from '../config/call-options.js'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import { invalidRequest, type RequestSubject } from '../errors/messages.js'
import type { CallResult } from '../reply/types.js'
import { refuseCardNumber } from '../request/field-rules.js'
import { buildRequest, recordOf, textOf } from '../request/form.js'
import type { CallContext, ValidRequest } from '../request/types.js'
import { operationPlan, validateRequest } from '../request/validate-request.js'
import { startDeadline } from '../transport/deadline.js'
import type { Connections } from '../transport/types.js'
import { exchange } from './exchange.js'

/** One call. */
export interface CallInput {
  readonly row: AnyOperation
  readonly request: unknown
  readonly options: CallOptions | undefined
  readonly settings: Settings
  readonly connections: Connections
}

/**
 * Runs one call from its input to its reply: validates, builds, signs, reserves, sends, reads and concludes.
 *
 * @throws An {@link AnyGatewayError} for every ending but an answer with the record that was asked for.
 */
export async function call(input: CallInput): Promise<Reply> {
  const context = startCall(input)
  try {
    const result = await (input.row.effect === 'reads' ? read(context) : exchange(context, askStatusFor(context)))
    if ('error' in result) throw result.error
    return result.reply
  } finally {
    context.deadline.clear()
  }
}

/** Validates and builds, and starts the deadline: nothing has been reserved or sent when this throws. */
function startCall(input: CallInput): CallContext {
  const { row, connections } = input
  const { profile } = input.settings
  const plan = operationPlan(row, profile)
  const { name } = plan
  const request = validateRequest({ row, plan, request: input.request, profile })
  const { clientOrderId, orderId, values, extra } = request
  const subject = { name, row, clientOrderId, orderId }
  const options = readCallOptions(input.options, { subject, settings: input.settings })
  const { settings, attemptId, endpoint } = options
  if (attemptId === undefined) checkPart(subject, { request, settings })
  else {
    const given = { ...recordOf(values), extra: Object.fromEntries(extra) }
    refuseCardNumber(name, { field: 'attemptId', id: attemptId, given, plan })
  }
  const built = buildRequest({ row, plan, request, endpoint, settings })
  return {
    subject: { name, row, clientOrderId, orderId, login: settings.login },
    plan,
    built,
    request,
    options,
    settings,
    connections,
    deadline: startDeadline(options.timeout, options.signal),
  }
}

/** Two equal parts are both legitimate, so what remembers attempts must be told which requests are one. */
function checkPart(
  subject: RequestSubject,
  { request, settings }: { readonly request: ValidRequest; readonly settings: Settings },
): void {
  const { effect, stages } = subject.row
  const amount = textOf(request.values, 'amount')
  if (settings.attempts === undefined || !changesPart({ effect, stages, amount })) return
  throw invalidRequest(subject, {
    field: 'attemptId',
    problem:
      'a request with an amount changes a part of the order, and such a part may be sent more than once. Say which one it is: ' +
      `client.${subject.name}(request, { attemptId: 'parcel-2' }), with your own id of what it is for. The same id is never ` +
      'sent twice.',
  })
}

/** Asks for the baseline of a change, with the settings and over the connections of its call. */
const askStatusFor =
  ({ settings, connections }: CallContext): AskStatus =>
  (request, options) =>
    call({ row: operations.status, request, options, settings, connections }) as Promise<StatusResponse>

/** The longest wait before the first repetition, in milliseconds. It doubles with each. */
const firstWait = 250

/** The longest wait before any repetition, in milliseconds. */
const longestWait = 8_000

/**
 * Sends a request that only reads, and again while its answer does not come, is HTTP 5xx or cannot be read; never after a
 * refusal. Each try is signed anew, and all share the deadline.
 *
 * @returns How the last try ended.
 * @throws An {@link AnyGatewayError} where nothing was sent.
 */
async function read(context: CallContext): Promise<CallResult> {
  const { options, settings, connections, deadline } = context
  const askStatus = askStatusFor(context)
  for (let tries = 0; ; tries += 1) {
    const result = await exchange(context, askStatus)
    const mayBeRepeated = result.kind === 'no-answer' || result.kind === 'not-sent'
    const isLast = tries >= options.retries || deadline.isOver() || connections.isClosed()
    if (isLast || !mayBeRepeated) return result
    // Evenly spread up to the limit, so that many clients that failed together do not come back together.
    const wait = Math.floor(settings.random() * Math.min(longestWait, firstWait * 2 ** tries))
    await settings.wait(wait, deadline.signal())
    if (deadline.isOver() || connections.isClosed()) return result
  }
}
