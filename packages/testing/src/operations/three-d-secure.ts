import { methodTimeLimit } from '@tillkit/protocol'
import { replaceStage, type ThreeDSecure } from '../orders/order.js'
import { readMessage, readXml, xidOf } from '../pages/three-d-secure/messages.js'
import { methodExcess } from '../pages/three-d-secure/method.js'
import { endThreeDSecure, type ThreeDSecureStage } from '../pages/three-d-secure/stage.js'
import { refuse } from '../replies/refusal.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { orderReply } from '../state/order-changes.js'
import { findOrder, type OperationHandler } from './handler.js'

/** Takes the result of the method step and goes on to the challenge. */
export const uploadMethodUrlResult: OperationHandler = call => {
  const { order, stage, threeDSecure } = findStep(call, 'method')
  const { threeDSCompInd = '' } = call.fields
  if (!['Y', 'N', 'U'].includes(threeDSCompInd)) {
    refuse('invalid-field', '"threeDSCompInd" must be "Y", "N" or "U" (section 2).')
  }
  const { clock, settings } = call.gateway
  const since = methodExcess(threeDSecure, clock.now())
  if (threeDSCompInd === 'Y' && since !== undefined) {
    const begin = { 'method-page': 'the method page was loaded', 'status-reply': 'status first showed the method step' }
    refuse(
      'not-allowed',
      `"threeDSCompInd" is "Y" ${since} ms after ${begin[settings.profile.methodTimeStart.value]}; ` +
        `after ${methodTimeLimit} ms it is "N" (section 8).`,
    )
  }
  if (threeDSCompInd === 'Y' && threeDSecure.methodCompleted === undefined) {
    refuse(
      'not-allowed',
      '"threeDSCompInd" is "Y", but the 3DS method did not complete: no browser loaded its page, or the page did not notify the shop. ' +
        'Post "threeDSMethodData" to the address that status shows, from a hidden frame; ' +
        'or send "N" ten seconds after that (sections 2 and 8).',
    )
  }
  const { methodStartedAt: _started, methodCompleted: _completed, ...rest } = threeDSecure
  const serialNumbers = [...stage.serialNumbers, call.serialNumber]
  const after = { ...stage, serialNumbers, threeDSecure: { ...rest, step: 'challenge' } as const }
  const changed = replaceStage(order, { before: stage, after })
  call.gateway.orders.put(changed)
  return orderReply(call, changed)
}

export const uploadCresResult: OperationHandler = call => {
  const found = findStep(call, 'challenge')
  const result = readCres(call.fields.cres ?? '')
  if (result.serverTransId !== undefined && result.serverTransId !== found.threeDSecure.serverTransId) {
    refuse('invalid-field', 'The CRes is of another 3DS transaction: its "threeDSServerTransID" differs.')
  }
  return finish(call, found, result.passed)
}

export const uploadParesResult: OperationHandler = call => {
  const found = findStep(call, 'pares')
  return finish(call, found, readPares(call.fields.paRes ?? '', found.threeDSecure))
}

function findStep(call: AcceptedCall, step: ThreeDSecure['step']): ThreeDSecureStage {
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

const finish = (call: AcceptedCall, found: ThreeDSecureStage, passed: boolean) =>
  orderReply(call, endThreeDSecure(found, { passed, gateway: call.gateway }, call.serialNumber))

function readCres(cres: string): { readonly passed: boolean; readonly serverTransId: string | undefined } {
  const message = readMessage(cres)
  if (message === undefined || !('transStatus' in message)) {
    refuse('invalid-field', 'The CRes is not the Base64 of a JSON object with "transStatus".')
  }
  const serverTransId = 'threeDSServerTransID' in message ? String(message.threeDSServerTransID) : undefined
  return { passed: message.transStatus === 'Y', serverTransId }
}

/** Real ones are XML. For the fake any text with `<status>Y</status>` in it will do, if it names no other transaction. */
function readPares(paRes: string, { serverTransId }: ThreeDSecure): boolean {
  const text = readXml(paRes) ?? refuse('invalid-field', 'The PaRes is not the Base64 of deflated text.')
  const xid = /<xid>\s*([^<]*?)\s*<\/xid>/i.exec(text)?.[1]
  if (xid !== undefined && xid !== xidOf(serverTransId)) {
    refuse('invalid-field', 'The PaRes is of another 3DS transaction: its "xid" differs.')
  }
  return /<status>\s*Y\s*<\/status>/i.test(text)
}
