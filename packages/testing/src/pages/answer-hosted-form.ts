/**
 * Answers requests to hosted pages.
 *
 * @module
 */
import type { GatewayAnswer, GatewayRequest } from '../gateway-message.js'
import type { GatewayState } from '../gateway-state.js'

/** Answers a request to a hosted page. */
export function answerHostedForm(_request: GatewayRequest, _token: string, _state: GatewayState): GatewayAnswer {
  return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'There is no such page.\n' }
}
