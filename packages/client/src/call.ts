/**
 * The life of one request: check, build, and then ask or act.
 *
 * @module
 */
import { type AnyOperation, operations, type Reply, type StatusRequest, type StatusResponse } from '@tillkit/protocol'
import { act } from './act.js'
import { ask } from './ask.js'
import { buildRequest } from './build-request.js'
import { readCallOptions } from './call-options.js'
import { checkId } from './check-card-numbers.js'
import { checkRequest } from './check-request.js'
import { startDeadline } from './deadline.js'
import type { PreparedCall } from './exchange-once.js'
import { recordOf, textOf } from './field-texts.js'
import { operationPlan } from './operation-plan.js'
import type { CallOptions } from './options.js'
import type { Connections } from './pool.js'
import type { Settings } from './settings.js'

/** One call. */
export interface CallInput {
  readonly row: AnyOperation
  readonly request: unknown
  readonly options: CallOptions
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
  const checked = checkRequest({ row, plan, request, profile: input.settings.profile })
  const { values } = checked
  const [clientOrderId, orderId] = [textOf(values, 'clientOrderId'), textOf(values, 'orderId')]
  const subject = { name, row, clientOrderId, orderId }
  const options = readCallOptions(input.options, { subject, settings: input.settings })
  const { settings, attemptId } = options
  if (attemptId !== undefined) {
    const given = { ...recordOf(values), extra: Object.fromEntries(checked.extra) }
    checkId(subject, { field: 'attemptId', id: attemptId, given, plan })
  }
  const built = buildRequest({ row, plan, checked, endpoint: options.endpoint, settings })
  const deadline = startDeadline(options.timeout, options.signal)
  const prepared: PreparedCall = {
    subject: { name, row, clientOrderId, orderId, login: settings.login },
    plan,
    built,
    values,
    options,
    settings,
    connections,
    deadline,
  }
  try {
    return row.effect === 'reads' ? await ask(prepared) : await act(prepared, statusOf(prepared))
  } finally {
    deadline.clear()
  }
}

/** Asks status as this call would, for the state before a change. */
function statusOf({ settings, connections }: PreparedCall) {
  return (request: StatusRequest, options: CallOptions): Promise<StatusResponse> =>
    call({ row: operations.status, request, options, settings, connections }) as Promise<StatusResponse>
}
