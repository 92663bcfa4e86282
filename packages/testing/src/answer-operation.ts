/**
 * Answers a request to an operation: checks it, carries it out, writes the reply, keeps a record.
 *
 * @module
 */
import { resolveSigning } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { type AcceptedCall, checkCall, type IncomingCall, readForm } from './check-request.js'
import type { GatewayAnswer } from './gateway-message.js'
import { answerByHandler } from './handler-reply.js'
import { logCall } from './log-call.js'
import { operationHandlers } from './operations/table.js'
import { type RefusalReason, RefusedRequest, refusalReasons, refuse } from './refusal.js'
import { type ReplyPairs, replyPairs, writeReply } from './reply-body.js'

/** What a request came to. */
interface Ending {
  /** Absent when the connection breaks. */
  readonly reply?: { readonly status: number; readonly pairs: ReplyPairs }
  readonly explanation?: string
}

/** Answers a request to an operation. */
export async function answerOperation(call: IncomingCall): Promise<GatewayAnswer> {
  const { request, route, gateway } = call
  let parameters: readonly Parameter[] = []
  let accepted: AcceptedCall | undefined
  let ending: Ending
  try {
    parameters = readForm(request, gateway.settings)
    accepted = await checkCall(call, parameters)
    ending = await carryOut(accepted)
  } catch (error) {
    ending = refusal(error, call)
  }
  const { scheme } = resolveSigning(route.row, gateway.settings.profile)
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
    gateway,
  )
  return reply === undefined ? { hangUp: true } : writeReply(reply.status, reply.pairs)
}

async function carryOut(call: AcceptedCall): Promise<Ending> {
  const fault = call.gateway.faults.strike({ operation: call.operation, effect: call.row.effect })
  if (fault === 'drop') return {}
  const own = await answerByHandler(call)
  if (own === 'hang-up') return {}
  const reply = own ?? { status: 200, pairs: builtIn(call) }
  if (fault === 'commit-then-drop') return {}
  if (fault !== 'server-error-after-commit') return { reply }
  return {
    reply: errorReply({ reason: 'failure', message: 'The gateway failed. Whether it acted is not known.' }, call),
  }
}

function builtIn(call: AcceptedCall): ReplyPairs {
  const handlers: Readonly<Record<string, (typeof operationHandlers)['sale'] | undefined>> = operationHandlers
  const handler = Object.hasOwn(handlers, call.operation) ? handlers[call.operation] : undefined
  if (handler !== undefined) return handler(call)
  refuse(
    'failure',
    `The fake does not know how to answer "${call.operation}": give it a handler with gateway.handle().`,
  )
}

function refusal(error: unknown, call: IncomingCall): Ending {
  if (!(error instanceof RefusedRequest)) {
    const explanation = `The fake failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    return { explanation, reply: errorReply({ reason: 'failure', message: 'The gateway failed.' }, call) }
  }
  const { reason, message } = error
  const neverSeen = call.route.row.name === 'STATUS' && reason === 'unknown-order'
  const code = neverSeen ? call.gateway.settings.profile.orderNeverSeen.value : undefined
  return { explanation: message, reply: errorReply({ reason, message, code }, call) }
}

/** What an error record says. */
interface ErrorText {
  readonly reason: RefusalReason
  readonly message: string
  /** Default: the fake's own for the reason. */
  readonly code?: string | undefined
}

/** An error record. It carries no order id: only an order that exists has one. */
function errorReply(
  { reason, message, code }: ErrorText,
  { serialNumber, gateway }: Pick<IncomingCall, 'serialNumber' | 'gateway'>,
): NonNullable<Ending['reply']> {
  const { status, code: ownCode } = refusalReasons[reason]
  const { profile } = gateway.settings
  const type = profile.replyTypes.value[status === 400 ? 'ValidationErrorResponse' : 'ServerErrorResponse']
  const record = { type, serialNumber, errorCode: code ?? ownCode, errorMessage: message }
  return { status, pairs: replyPairs(record, profile) }
}
