/**
 * The three uploads of 3DS results.
 *
 * @module
 */
import { inflateSync } from 'node:zlib'
import { methodTimeLimit } from '@tillkit/protocol'
import type { AcceptedCall } from '../check-request.js'
import { refuse } from '../refusal.js'
import { approved, declined } from '../sandbox-outcome.js'
import { type Order, replaceStage, type Stage, type ThreeDSecure } from '../transactions.js'
import { findOrder } from './find-order.js'
import { decision } from './new-order.js'
import { asyncReply, type OperationHandler } from './operation-handler.js'

/** Outcome when the cardholder did not prove who they are. */
export const notAuthenticated = declined('300', 'Decline, 3DS authentication failed')

/** Takes the result of the method step and goes on to the challenge. */
export const uploadMethodUrlResult: OperationHandler = call => {
  const { order, stage, threeDSecure } = findStep(call, 'method')
  const { threeDSCompInd = '' } = call.fields
  if (!['Y', 'N', 'U'].includes(threeDSCompInd)) {
    refuse('invalid-field', '"threeDSCompInd" must be "Y", "N" or "U" (section 2).')
  }
  const since = call.gateway.clock.now() - (threeDSecure.shownAt ?? stage.createdAt)
  if (threeDSCompInd === 'Y' && since >= methodTimeLimit) {
    refuse(
      'not-allowed',
      `"threeDSCompInd" is "Y" ${since} ms after the method step was shown; after ${methodTimeLimit} ms it is "N" (section 8).`,
    )
  }
  const { shownAt: _shown, ...rest } = threeDSecure
  const changed = keep(call, { order, stage, next: { ...stage, threeDSecure: { ...rest, step: 'challenge' } } })
  return asyncReply(call, changed)
}

/** Takes the CRes that ends a challenge. */
export const uploadCresResult: OperationHandler = call => {
  const found = findStep(call, 'challenge')
  const result = readCres(call.fields.cres ?? '')
  if (result.serverTransId !== undefined && result.serverTransId !== found.threeDSecure.serverTransId) {
    refuse('invalid-field', 'The CRes is of another 3DS transaction: its "threeDSServerTransID" differs.')
  }
  return finish(call, { ...found, passed: result.passed })
}

/** Takes the PaRes of 3DS 1.0.2. */
export const uploadParesResult: OperationHandler = call => {
  const found = findStep(call, 'pares')
  return finish(call, { ...found, passed: readPares(call.fields.paRes ?? '') })
}

interface FoundStep {
  readonly order: Order
  readonly stage: Stage
  readonly threeDSecure: ThreeDSecure
}

function findStep(call: AcceptedCall, step: ThreeDSecure['step']): FoundStep {
  const order = findOrder(call)
  const stage = order.stages.findLast(({ threeDSecure }) => threeDSecure !== undefined)
  const threeDSecure = stage?.threeDSecure
  if (stage === undefined || threeDSecure === undefined) {
    refuse('not-allowed', 'This order does not wait for 3DS: status shows no "tds_status".')
  }
  if (threeDSecure.step !== step) {
    refuse('not-allowed', `This order is at the 3DS step "${threeDSecure.step}", and this upload is for "${step}".`)
  }
  return { order, stage, threeDSecure }
}

function finish(call: AcceptedCall, found: FoundStep & { readonly passed: boolean }) {
  const { order, stage, threeDSecure, passed } = found
  const verified = passed ? 'AUTHENTICATED' : 'NOT_AUTHENTICATED'
  const next: Stage = {
    ...stage,
    ...decision(passed ? approved : notAuthenticated, call.gateway),
    threeDSecure: { ...threeDSecure, step: 'done', verified },
  }
  return asyncReply(call, keep(call, { order, stage, next }))
}

/** Keeps a stage that has moved on, and the serial number of the request that moved it. */
function keep(
  { serialNumber, gateway }: AcceptedCall,
  { order, stage, next }: { readonly order: Order; readonly stage: Stage; readonly next: Stage },
): Order {
  const kept = { ...next, serialNumbers: [...next.serialNumbers, serialNumber] }
  const changed = replaceStage(order, { before: stage, after: kept })
  gateway.orders.put(changed)
  gateway.courier.announce(changed, kept)
  return changed
}

function readCres(cres: string): { readonly passed: boolean; readonly serverTransId: string | undefined } {
  try {
    const message: unknown = JSON.parse(Buffer.from(cres, 'base64url').toString('utf8'))
    if (typeof message === 'object' && message !== null && 'transStatus' in message) {
      const serverTransId = 'threeDSServerTransID' in message ? String(message.threeDSServerTransID) : undefined
      return { passed: message.transStatus === 'Y', serverTransId }
    }
  } catch {
    // Not JSON; refused below.
  }
  refuse('invalid-field', 'The CRes is not the Base64 of a JSON object with "transStatus".')
}

/** Largest PaRes after inflating, in bytes. */
const largestPares = 1_000_000

/** Real ones are XML, deflated and in Base64. For the fake any text with `<status>Y</status>` in it will do. */
function readPares(paRes: string): boolean {
  try {
    const text = inflateSync(Buffer.from(paRes, 'base64'), { maxOutputLength: largestPares }).toString('utf8')
    return /<status>\s*Y\s*<\/status>/i.test(text)
  } catch {
    refuse('invalid-field', 'The PaRes is not the Base64 of deflated text.')
  }
}
