import { isGatewayError } from '@tillkit/client'
import {
  echoesIds,
  finalOutcome,
  type OpenQuestion,
  type StatusResponse,
  type StatusWord,
  serialNumberOf,
  stageOf,
  type WantedDecision,
} from '@tillkit/protocol'
import type { Account } from '../payment/accounts.js'

type About<Kind extends OpenQuestion['kind']> = Extract<OpenQuestion, { readonly kind: Kind }>

/**
 * Asks status what it says to what a person wants to decide. The client writes down what it learns.
 *
 * @returns undefined where status can say nothing to it.
 */
export async function statusWordOn(
  question: OpenQuestion,
  wanted: WantedDecision,
  account: Account,
): Promise<StatusWord | undefined> {
  if (question.kind === 'disputed') return ofDispute(question, account)
  if (question.kind !== 'unknown') return undefined
  return wanted.kind === 'arrived' ? ofNamedId(question, wanted, account) : ofRequest(question, account)
}

/** Answers that leave it open whether the gateway knows an order of this id; all others say that it does, or are about a change. */
const ofNoOrder: ReadonlySet<string> = new Set([
  'no-word',
  'connection-open',
  'quiet-period',
  'one-answer',
  'another-address',
])

/** Answers from which nothing follows. */
const ofNothing: ReadonlySet<string> = new Set(['no-answer', 'other-order', 'no-store', 'attempt-unknown'])

/** Whether status shows a request that was not answered. */
async function ofRequest({ attempt }: About<'unknown'>, { client }: Account): Promise<StatusWord> {
  const resolution = await client.resolve(attempt)
  const { explanation } = resolution
  // It is written down: the question is answered without the person.
  if (resolution.kind !== 'cannot-tell-yet') return { kind: 'shown', explanation }
  const { reason } = resolution
  if (ofNothing.has(reason)) return { kind: 'no-answer', explanation }
  if (attempt.effect === 'creates') return { kind: ofNoOrder.has(reason) ? 'not-shown' : 'shown', explanation }
  return { kind: 'not-shown', explanation }
}

/** Whether status knows a request under the very id that a person names. */
async function ofNamedId(
  { attempt, order, clientOrderId }: About<'unknown'>,
  { orderId: named, serialNumber }: Extract<WantedDecision, { readonly kind: 'arrived' }>,
  { client, profile }: Account,
): Promise<StatusWord> {
  const isCreation = attempt.effect === 'creates'
  const not = (explanation: string): StatusWord => ({ kind: 'not-shown', explanation })
  if (isCreation !== (named !== undefined))
    return not(
      isCreation ? 'Name the "orderId" that the gateway gave it.' : 'Name the "serialNumber" that the gateway gave it.',
    )
  const orderId = named ?? order.orderId
  if (orderId === undefined) return not("The gateway's id of the order is not known.")
  if (order.orderId !== undefined && order.orderId !== orderId) return not('The store has the order under another id.')
  if (order.attempts.some(each => serialNumber !== undefined && each.end?.serialNumber === serialNumber))
    return not('Another request of the order has that serial number.')
  const ids = { clientOrderId, orderId }
  const asked = await answered(
    client.status({ ...ids, ...(serialNumber === undefined ? {} : { byRequestSn: serialNumber }) }),
  )
  if ('kind' in asked) return asked
  const { reply } = asked
  if (!echoesIds(reply, ids)) return not('The reply was about another order.')
  if (serialNumber !== undefined) {
    if (serialNumberOf({ reply, askedAt: 0, bySerialNumber: serialNumber }, profile) !== serialNumber)
      return not('The reply does not say that it is about that serial number.')
    const stage = stageOf(reply, profile)
    if (!attempt.stages.some(each => each === stage))
      return not(`Under that serial number it knows a ${stage ?? 'request without a stage'}.`)
  }
  return { kind: 'confirmed', explanation: `Status says ${JSON.stringify(reply.status)}.` }
}

/** What status says now of a stage about which the gateway contradicted itself. */
async function ofDispute(
  { order, stage, clientOrderId }: About<'disputed'>,
  { client, profile }: Account,
): Promise<StatusWord> {
  const { orderId } = order
  const ids = { clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
  const { serialNumber } = stage
  const asked = await answered(
    client.status({ ...ids, ...(serialNumber === undefined ? {} : { byRequestSn: serialNumber }) }),
  )
  if ('kind' in asked) return { ...asked, kind: 'no-answer' }
  const { reply } = asked
  const outcome = finalOutcome(reply.status, profile)
  const explanation = `Status says ${JSON.stringify(reply.status)}.`
  if (!echoesIds(reply, ids)) return { kind: 'no-answer', explanation: 'The reply was about another order.' }
  const isAbout = stageOf(reply, profile) === stage.stage
  if (isAbout && outcome === undefined) return { kind: 'no-answer', explanation }
  return { kind: 'shown', explanation, ...(isAbout ? { outcome, amount: reply.amount } : {}) }
}

async function answered(asking: Promise<StatusResponse>): Promise<StatusWord | { readonly reply: StatusResponse }> {
  try {
    return { reply: await asking }
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const kind = error.code === 'ERR_REQUEST_REFUSED' ? 'not-shown' : 'no-answer'
    return { kind, explanation: error.message }
  }
}
