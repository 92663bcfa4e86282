/**
 * Answers a request to an operation: checks it, carries it out, writes the reply, keeps a record.
 *
 * @module
 */
import { resolveSigning } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { type AcceptedCall, checkCall, type IncomingCall, readForm } from './check-request.js'
import type { GatewayAnswer, GatewayRequest } from './gateway-message.js'
import type { GatewayState } from './gateway-state.js'
import { answerByHandler } from './handler-reply.js'
import { logCall } from './log-call.js'
import { operationHandlers } from './operations/table.js'
import { type RefusalReason, RefusedRequest, refusalReasons, refuse } from './refusal.js'
import { type ReplyPairs, replyPairs, writeReply } from './reply-body.js'
import type { OperationRoute } from './route.js'

/** What a request came to. */
interface Ending {
  /** Absent when the connection breaks. */
  readonly reply?: { readonly status: number; readonly pairs: ReplyPairs }
  readonly explanation?: string
}

/** Answers a request to an operation. */
export async function answerOperation(
  request: GatewayRequest,
  route: OperationRoute,
  state: GatewayState,
): Promise<GatewayAnswer> {
  const call: IncomingCall = { request, route, serialNumber: state.ids.serialNumber() }
  let parameters: readonly Parameter[] = []
  let accepted: AcceptedCall | undefined
  let ending: Ending
  try {
    parameters = readForm(request, state.settings)
    accepted = await checkCall(call, parameters, state)
    ending = await carryOut(accepted, state)
  } catch (error) {
    ending = refusal(error, call, state)
  }
  const { scheme } = resolveSigning(route.row, state.settings.profile)
  const { reply, explanation } = ending
  logCall(
    {
      operation: route.operation,
      path: request.url.pathname,
      scheme,
      parameters,
      warnings: accepted?.warnings ?? [],
      refused: explanation !== undefined,
      explanation,
      reply,
    },
    state,
  )
  return reply === undefined ? { hangUp: true } : writeReply(reply.status, reply.pairs)
}

async function carryOut(call: AcceptedCall, state: GatewayState): Promise<Ending> {
  const fault = state.faults.strike(call.operation)
  if (fault === 'drop') return {}
  const own = await answerByHandler(call, state)
  if (own === 'hang-up') return {}
  const reply = own ?? { status: 200, pairs: builtIn(call, state) }
  if (fault === 'commit-then-drop') return {}
  if (fault !== 'server-error-after-commit') return { reply }
  return {
    reply: errorReply('failure', 'The gateway failed. Whether it acted is not known.', call.serialNumber, state),
  }
}

function builtIn(call: AcceptedCall, state: GatewayState): ReplyPairs {
  const handlers: Readonly<Record<string, (typeof operationHandlers)['sale'] | undefined>> = operationHandlers
  const handler = Object.hasOwn(handlers, call.operation) ? handlers[call.operation] : undefined
  if (handler !== undefined) return handler(call, state)
  refuse(
    'failure',
    `The fake does not know how to answer "${call.operation}": give it a handler with gateway.handle().`,
  )
}

function refusal(error: unknown, { route, serialNumber }: IncomingCall, state: GatewayState): Ending {
  if (!(error instanceof RefusedRequest)) {
    const explanation = `The fake failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    return { explanation, reply: errorReply('failure', 'The gateway failed.', serialNumber, state) }
  }
  const { profile } = state.settings
  const reason =
    route.row.name === 'STATUS' && error.reason === 'unknown-order' ? profile.orderNeverSeen.value : undefined
  return { explanation: error.message, reply: errorReply(error.reason, error.message, serialNumber, state, reason) }
}

/** An error record. It carries no order id: only an order that exists has one. */
function errorReply(
  reason: RefusalReason,
  message: string,
  serialNumber: string,
  state: GatewayState,
  code?: string,
): NonNullable<Ending['reply']> {
  const { status, code: ownCode } = refusalReasons[reason]
  const type = status === 400 ? 'validation-error' : 'error'
  const record = { type, serialNumber, errorCode: code ?? ownCode, errorMessage: message }
  return { status, pairs: replyPairs(record, state.settings.profile) }
}
