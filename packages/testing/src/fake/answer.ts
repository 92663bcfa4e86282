import { resolveSigning } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import type { Answer, GatewayAnswer, GatewayRequest } from '../http/message.js'
import { logCall } from '../log/call-log.js'
import { merchantGateway } from '../merchants/settings.js'
import { type Ending, execute } from '../operations/execute.js'
import { answerHostedForm } from '../pages/hosted-form.js'
import { answerThreeDSecurePage } from '../pages/three-d-secure/answer-page.js'
import { errorReply, RefusedRequest, refusalReasons } from '../replies/refusal.js'
import { replyPairs, writeReplyTo } from '../replies/reply.js'
import type { AcceptedCall, GatewayState } from '../state/gateway-state.js'
import { checkCall, type IncomingCall, readForm } from '../verification/check-request.js'
import { findRoute } from '../verification/route.js'

/** Paths that the gateway itself does not serve, and what answers requests to them. */
export interface OtherPaths {
  has(path: string): boolean
  answer(request: GatewayRequest, gateway: GatewayState): Promise<GatewayAnswer>
}

/** Makes the function that answers requests. It never rejects. */
export function createAnswer(state: GatewayState, others?: OtherPaths): Answer {
  return async request => {
    const route = findRoute(request.url.pathname, state.settings)
    switch (route.kind) {
      case 'health':
        return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok\n' }
      case 'hosted-form':
        return answerHostedForm({ request, token: route.token, gateway: state })
      case 'three-d-secure':
        return answerThreeDSecurePage({ ...route, request, gateway: state })
      case 'operation':
        return answerOperation({ request, route, serialNumber: state.ids.serialNumber(), gateway: state })
      case 'unknown':
        if (others?.has(request.url.pathname)) return others.answer(request, state)
        return answerUnknown({ request, explanation: route.explanation }, state)
    }
  }
}

function answerUnknown(
  { request, explanation }: { readonly request: GatewayRequest; readonly explanation: string },
  state: GatewayState,
): GatewayAnswer {
  const { status, code } = refusalReasons.path
  const serialNumber = state.ids.serialNumber()
  const { profile } = state.settings
  const type = profile.replyTypes.value.ServerErrorResponse
  const pairs = replyPairs({ type, serialNumber, errorCode: code, errorMessage: explanation }, profile)
  logCall(
    {
      operation: undefined,
      path: request.url.pathname,
      scheme: undefined,
      parameters: [],
      warnings: [],
      refused: true,
      explanation,
      reply: { status, pairs },
    },
    state,
  )
  return writeReplyTo({ request, settings: state.settings }, { status, pairs })
}

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
    ending = await execute(accepted)
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
  const neverSeen = call.route.row.response === 'StatusResponse' && reason === 'unknown-order'
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
