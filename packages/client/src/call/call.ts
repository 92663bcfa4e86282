/**
 * The life of one request: check, build, and then ask or act.
 *
 * @module
 */
import { type AnyOperation, changesPart, operations, type Reply, type StatusResponse } from '@tillkit/protocol'
import { readCallOptions } from '../config/call-options.js'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import { invalidRequest, type RequestSubject } from '../errors/invalid-request.js'
import { buildRequest } from '../request/build-request.js'
import { checkId } from '../request/card-numbers.js'
import { textOf } from '../request/form.js'
import { operationPlan } from '../request/operation-plan.js'
import { recordOf } from '../request/request-shape.js'
import { type ValidRequest, validateRequest } from '../request/validate-request.js'
import type { Connections } from '../transport/connections.js'
import { startDeadline } from '../transport/deadline.js'
import type { CallContext } from './exchange.js'
import { read } from './read.js'
import { type StatusAskerOf, sendOnce } from './send-once.js'

/** One call. */
export interface CallInput {
  readonly row: AnyOperation
  readonly request: unknown
  readonly options: CallOptions | undefined
  readonly settings: Settings
  readonly connections: Connections
}

/**
 * Runs one call from its input to its reply.
 *
 * @throws An {@link AnyGatewayError} for every ending but an answer with the record that was asked for.
 */
export async function call(input: CallInput): Promise<Reply> {
  const { row, request, connections } = input
  const plan = operationPlan(row, input.settings.profile)
  const { name } = plan
  const checked = validateRequest({ row, plan, request, profile: input.settings.profile })
  const { clientOrderId, orderId } = checked
  const subject = { name, row, clientOrderId, orderId }
  const options = readCallOptions(input.options, { subject, settings: input.settings })
  const { settings, attemptId } = options
  if (attemptId === undefined) checkPart(subject, { checked, settings })
  else {
    const given = { ...recordOf(checked.values), extra: Object.fromEntries(checked.extra) }
    checkId(subject, { field: 'attemptId', id: attemptId, given, plan })
  }
  const built = buildRequest({ row, plan, checked, endpoint: options.endpoint, settings })
  const deadline = startDeadline(options.timeout, options.signal)
  const prepared: CallContext = {
    subject: { name, row, clientOrderId, orderId, login: settings.login },
    plan,
    built,
    checked,
    options,
    settings,
    connections,
    deadline,
  }
  try {
    const conclusion = await (row.effect === 'reads' ? read(prepared) : sendOnce(prepared, askerOf))
    if ('error' in conclusion) throw conclusion.error
    return conclusion.reply
  } finally {
    deadline.clear()
  }
}

/** Two equal parts are both legitimate, so what remembers attempts must be told which requests are one. */
function checkPart(
  subject: Omit<RequestSubject, 'login'>,
  { checked, settings }: { readonly checked: ValidRequest; readonly settings: Settings },
): void {
  const { effect, stages } = subject.row
  const amount = textOf(checked.values, 'amount')
  if (settings.attempts === undefined || !changesPart({ effect, stages, amount })) return
  throw invalidRequest(subject, {
    field: 'attemptId',
    problem:
      'a request with an amount changes a part of the order, and such a part may be sent more than once. Say which one it is: ' +
      `client.${subject.name}(request, { attemptId: 'parcel-2' }), with your own id of what it is for. The same id is never ` +
      'sent twice.',
  })
}

const askerOf: StatusAskerOf =
  ({ settings, connections }) =>
  (request, options) =>
    call({ row: operations.status, request, options, settings, connections }) as Promise<StatusResponse>
