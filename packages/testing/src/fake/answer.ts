/**
 * The gateway itself: a request goes in, an answer comes out. Both adapters carry requests here.
 *
 * @module
 */

import type { Answer, GatewayAnswer, GatewayRequest } from '../http/gateway-message.js'
import { logCall } from '../log/log-call.js'
import { answerHostedForm } from '../pages/hosted-form.js'
import { answerThreeDSecurePage } from '../pages/three-d-secure/answer-page.js'
import { refusalReasons } from '../verification/refusal.js'
import { answerOperation } from './answer-operation.js'
import type { GatewayState } from './gateway-state.js'
import { replyPairs } from './reply-body.js'
import { writeReplyTo } from './reply-manner.js'
import { findRoute } from './route.js'

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
