import { resolveSigning } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { isSentByAnotherSite } from '../http/another-site.js'
import type { Answer, GatewayAnswer, GatewayRequest } from '../http/message.js'
import { logCall } from '../log/call-log.js'
import { merchantGateway } from '../merchants/settings.js'
import { type Ending, execute } from '../operations/execute.js'
import { answerHostedForm } from '../pages/hosted-form.js'
import { answerThreeDSecurePage } from '../pages/three-d-secure/answer-page.js'
import { type ComparedSignature, errorReply, RefusedRequest, refuse } from '../replies/refusal.js'
import { type Reply, writeReplyTo } from '../replies/reply.js'
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
        return answerHostedForm(request, route.token, state)
      case 'three-d-secure':
        return answerThreeDSecurePage(request, route, state)
      case 'operation':
        return answerOperation({ request, route, serialNumber: state.ids.serialNumber(), gateway: state })
      case 'unknown':
        if (others?.has(request.url.pathname)) return others.answer(request, state)
        return answerUnknown(request, route.explanation, state)
    }
  }
}

/** Makes the function that answers where no fault strikes: the other paths alone. */
export const createControlAnswer = (state: GatewayState, others?: OtherPaths): Answer | undefined =>
  others &&
  (async request =>
    others.has(request.url.pathname)
      ? others.answer({ ...request, viaControl: true }, state)
      : {
          status: 404,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body: `Requests to the gateway go to ${state.origin()}.\n`,
        })

function answerUnknown(request: GatewayRequest, explanation: string, gateway: GatewayState): GatewayAnswer {
  const at = gateway.clock.now()
  const serialNumber = gateway.ids.serialNumber()
  const reply = errorReply({ reason: 'path', message: explanation }, { serialNumber, gateway })
  logCall({ at, path: request.url.pathname, explanation, reply }, gateway)
  return writeReplyTo({ request, settings: gateway.settings }, reply)
}

const anotherSite =
  'The page of a site sent this through a browser, as "Origin", "Sec-Fetch-Site" or "Host" says. Operations are for servers: ' +
  'nothing was done. Send the request from your own server.'

async function answerOperation(incoming: IncomingCall): Promise<GatewayAnswer> {
  const call = { ...incoming, gateway: merchantGateway(incoming.route, incoming.gateway) }
  const { request, route, gateway } = call
  const at = gateway.clock.now()
  let parameters: readonly Parameter[] = []
  let accepted: AcceptedCall | undefined
  let ending: Ending
  let explanation: string | undefined
  let compared: ComparedSignature | undefined
  try {
    if (isSentByAnotherSite(request, gateway)) refuse('another-site', anotherSite)
    parameters = readForm(request, gateway.settings)
    accepted = await checkCall(call, parameters)
    ending = await execute(accepted)
  } catch (error) {
    explanation = explanationOf(error)
    compared = error instanceof RefusedRequest ? error.compared : undefined
    ending = { kind: 'reply', reply: refusal(error, call, accepted) }
  }
  const { operation, row } = route
  const { scheme } = resolveSigning(row, gateway.settings.profile)
  const path = request.url.pathname
  const { warnings, struck: [other] = [] } = accepted ?? {}
  const { delay, fault = other } = ending
  const reply = replyIn(ending)
  const said = { warnings, explanation, compared, reply, fault }
  logCall({ at, delay, operation, path, scheme, parameters, request, ...said }, gateway)
  return written(ending, call)
}

const explanationOf = (error: unknown): string =>
  error instanceof RefusedRequest
    ? error.message
    : `The fake failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`

function refusal(error: unknown, call: IncomingCall, accepted: AcceptedCall | undefined): Reply {
  if (!(error instanceof RefusedRequest)) {
    return errorReply({ reason: 'failure', message: 'The gateway failed.' }, call)
  }
  const { reason, message } = error
  const neverSeen = call.route.row.response === 'StatusResponse' && reason === 'unknown-order'
  const code = neverSeen ? call.gateway.settings.profile.orderNeverSeen.value : undefined
  const ids = accepted === undefined ? {} : echoedIds(accepted)
  return errorReply({ reason, message, code, ids }, call)
}

/** What the call log keeps of an ending: of a page its status alone. */
function replyIn(ending: Ending): Reply | undefined {
  if (ending.kind === 'reply') return ending.reply
  return ending.kind === 'page' ? { status: ending.page.status, pairs: [] } : undefined
}

function written(ending: Ending, { request, gateway }: IncomingCall): GatewayAnswer {
  const { delay } = ending
  const wait = delay === undefined ? {} : { wait: () => gateway.schedule.wait(delay) }
  switch (ending.kind) {
    case 'page':
      return ending.page
    case 'broken':
      return { hangUp: true, ...wait }
    case 'reply': {
      const { reply, cut = false } = ending
      return { ...writeReplyTo({ request, settings: gateway.settings }, reply), ...wait, cut }
    }
  }
}

function echoedIds({ fields, gateway }: AcceptedCall) {
  if (!gateway.settings.errorsEchoIds) return {}
  const { clientOrderId, orderId } = fields
  const order = orderId === undefined ? undefined : gateway.orders.byOrderId(orderId)
  return { clientOrderId, orderId: order?.clientOrderId === clientOrderId ? order?.orderId : undefined }
}
