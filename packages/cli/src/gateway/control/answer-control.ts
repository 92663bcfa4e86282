/**
 * Answers requests to the control API.
 *
 * @module
 */

import type { GatewayRequest, GatewayState, WrittenAnswer } from '@tillkit/testing/gateway'
import { ControlError } from './control-error.js'
import { findControlRoute } from './find-control-route.js'
import { readSentInput } from './read-control-input.js'
import { refuseStranger } from './refuse-stranger.js'
import { runControl } from './run-control.js'

/** Answers a request to the control API. */
export async function answerControl(request: GatewayRequest, gateway: GatewayState): Promise<WrittenAnswer> {
  try {
    refuseStranger(request, gateway)
    const { maxBodyBytes } = gateway.settings
    if (request.body.byteLength > maxBodyBytes)
      throw new ControlError(413, `The body is larger than ${maxBodyBytes} bytes.`)
    const { name, input } = findControlRoute(request.url.pathname, request.method)
    return writeJson(200, await runControl(name, { ...readSentInput(request), ...input }, gateway))
  } catch (error) {
    if (error instanceof ControlError) return writeJson(error.status, { error: error.message })
    return writeJson(500, { error: `The fake failed: ${error instanceof Error ? error.message : String(error)}` })
  }
}

const writeJson = (status: number, value: object): WrittenAnswer => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  },
  body: `${JSON.stringify(value, undefined, 2)}\n`,
})
