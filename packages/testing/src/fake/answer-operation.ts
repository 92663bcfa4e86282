import { resolveSigning } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import type { GatewayAnswer } from '../http/gateway-message.js'
import { logCall } from '../log/log-call.js'
import { merchantGateway } from '../merchants/merchant-gateway.js'
import { carryOut, type Ending } from '../operations/execute.js'
import { type AcceptedCall, checkCall, type IncomingCall, readForm } from '../verification/check-request.js'
import { RefusedRequest } from '../verification/refusal.js'
import { errorReply } from './error-reply.js'
import { writeReplyTo } from './reply-manner.js'

/** Answers a request to an operation. */
export async function answerOperation(incoming: IncomingCall): Promise<GatewayAnswer> {
  const call = { ...incoming, gateway: merchantGateway(incoming.route, incoming.gateway) }
  const { request, route, gateway } = call
  let parameters: readonly Parameter[] = []
  let accepted: AcceptedCall | undefined
  let ending: Ending
  try {
    parameters = readForm(request, gateway.settings)
    accepted = await checkCall(call, parameters)
    ending = await carryOut(accepted)
  } catch (error) {
    ending = refusal(error, call, accepted)
  }
  const { scheme } = resolveSigning(route.row, gateway.settings.profile)
  const { reply, page, explanation, fault } = ending
  logCall(
    {
      operation: route.operation,
      path: request.url.pathname,
      scheme,
      parameters,
      request,
      warnings: accepted?.warnings ?? [],
      refused: explanation !== undefined,
      explanation,
      reply: reply ?? (page === undefined ? undefined : { status: page.status, pairs: [] }),
      fault,
    },
    gateway,
  )
  return written(ending, call)
}

function written({ reply, page, cut, wait }: Ending, { request, gateway }: IncomingCall): GatewayAnswer {
  if (page !== undefined) return page
  const manner = { ...(cut === undefined ? {} : { cut }), ...(wait === undefined ? {} : { wait }) }
  return reply === undefined
    ? { hangUp: true, ...manner }
    : { ...writeReplyTo({ request, settings: gateway.settings }, reply), ...manner }
}

function refusal(error: unknown, call: IncomingCall, accepted: AcceptedCall | undefined): Ending {
  if (!(error instanceof RefusedRequest)) {
    const explanation = `The fake failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    return { explanation, reply: errorReply({ reason: 'failure', message: 'The gateway failed.' }, call) }
  }
  const { reason, message } = error
  const neverSeen = call.route.row.name === 'STATUS' && reason === 'unknown-order'
  const code = neverSeen ? call.gateway.settings.profile.orderNeverSeen.value : undefined
  const ids = accepted === undefined ? {} : echoedIds(accepted)
  return { explanation: message, reply: errorReply({ reason, message, code, ids }, call) }
}

/** Ids that an error echoes: the merchant's, and the gateway's where there is such an order. */
function echoedIds({ fields, gateway }: AcceptedCall) {
  if (!gateway.settings.errorsEchoIds) return {}
  const { clientOrderId, orderId } = fields
  const order = orderId === undefined ? undefined : gateway.orders.byOrderId(orderId)
  return { clientOrderId, orderId: order?.clientOrderId === clientOrderId ? order?.orderId : undefined }
}
