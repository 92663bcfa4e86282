/**
 * A merchant's program pays one payment, by what the till says.
 *
 * @module
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AnyGatewayError, Client, SentDescription } from '@tillkit/client'
import { type AttemptEnd, mayRepeat } from '@tillkit/protocol'
import type { Till } from '@tillkit/till'
import { isUnresolved } from '../../src/state/attempt-rules.js'
import type { Intake } from './intake.js'
import type { Belief } from './messages.js'
import { kinds, type Movement, movementKey, type Payment, times } from './payments.js'
import { type Stand, tell } from './stand.js'

interface Tools {
  readonly till: Till
  /** A client past the till, where that mistake is planted. */
  readonly forgetful: Client | undefined
  readonly at: Stand
  /** The gateway sends callbacks to it. */
  readonly door: string
  readonly intake: Intake
  /** How long a call may take, in milliseconds. */
  readonly timeout: number
}

/** One movement of a payment, with everything that is needed to ask for it. */
interface Wish {
  readonly payment: Payment
  readonly movement: Movement
  readonly clientOrderId: string
  readonly key: string
}

/** Brings a payment to its end. */
export async function pay(payment: Payment, tools: Tools): Promise<void> {
  let orderId = ''
  for (const movement of kinds[payment.kind] as readonly Movement[]) {
    const clientOrderId = `${payment.reference}${movement.order}`
    const wish = { payment, movement, clientOrderId, key: movementKey(payment.reference, movement) }
    const taken = await carryOut(wish, { orderId, tools })
    orderId = taken?.orderId || orderId
    if (payment.by === 'status') await untilFinal(wish, { orderId, tools, serialNumber: taken?.serialNumber })
    else await untilTold(wish, tools)
  }
  const { reference } = payment
  await tell({ kind: 'belief', belief: { reference, clientOrderId: reference, key: '', what: 'over' } })
}

const beliefOf = ({ payment, clientOrderId, key }: Wish, what: Belief['what']): Belief => ({
  reference: payment.reference,
  clientOrderId,
  key,
  what,
})

interface Doing {
  readonly orderId: string
  readonly tools: Tools
}

/** The facts known of a request that was taken. */
type Taken = Pick<AttemptEnd, 'orderId' | 'serialNumber'>

/** Sends a request until it is known that it was taken. */
async function carryOut(wish: Wish, { orderId, tools }: Doing): Promise<Taken | undefined> {
  const { at } = tools
  const { context } = wish.movement
  const begin = () => at.begin({ context, reference: wish.payment.reference, key: wish.key })
  for (;;) {
    await begin()
    let open: SentDescription | undefined
    let isUnanswered = false
    try {
      const reply = await send(wish, { orderId, tools })
      await at.report(beliefOf(wish, 'accepted'))
      return reply
    } catch (thrown) {
      const error = thrown as AnyGatewayError
      if (error.code === 'ERR_NOT_SENT') {
        await tell({ kind: 'trouble', reason: error.message })
        await pause(50)
        continue
      }
      if (error.code === 'ERR_ALREADY_SENT') open = error.earlier
      else if (error.code === 'ERR_OPEN_CHANGE') open = error.openAttempt
      else if (error.code === 'ERR_OUTCOME_UNKNOWN') open = error.attempt
      else throw thrown
      if (open === undefined) throw thrown
      isUnanswered = error.code === 'ERR_OUTCOME_UNKNOWN'
    }
    if (open.clientOrderId !== wish.clientOrderId) {
      // The order before is not known to have failed: what status said of it could not be written.
      const { clientOrderId = '', end } = open
      await tools.till.client.status({ clientOrderId, ...(end?.orderId === undefined ? {} : { orderId: end.orderId }) })
      await pause(50)
      continue
    }
    if (open.end?.kind === 'accepted') {
      await at.report(beliefOf(wish, 'known'))
      return open.end
    }
    if (open.end !== undefined && open.end.kind !== 'unknown') throw new Error(`It is stuck: ${JSON.stringify(open)}`)
    await tell({ kind: 'belief', belief: beliefOf(wish, isUnanswered ? 'unanswered' : 'unresolved') })
    if (tools.forgetful !== undefined) return send(wish, { orderId, tools }, tools.forgetful as Till['client'])
    const learned = await resolve(open, { wish, tools })
    if (learned !== undefined) return { orderId: learned }
  }
}

function send(
  { movement, clientOrderId, payment }: Wish,
  { orderId, tools: { till, door } }: Doing,
  client = till.client,
): Promise<Taken> {
  const { operation, amount, part } = movement
  const money = { amount: amount ?? '', currency: 'EUR' }
  if (operation === 'sale' || operation === 'preauth') {
    return client[operation]({
      clientOrderId,
      ...money,
      orderDesc: `List of ${payment.reference}`,
      ...customer,
      ...(payment.by === 'status' ? {} : { notifyUrl: `${door}/${payment.by}` }),
      cvv2: movement.cvv2 ?? '123',
    })
  }
  const ids = { clientOrderId, orderId }
  if (operation === 'void') return client.void(ids)
  if (part === undefined) return client[operation](ids)
  return client[operation]({ ...ids, ...money, extra: { merchant_order: part } }, { attemptId: part })
}

const customer = {
  email: 'ada@shop.example',
  phone: '+442079460000',
  ipAddress: '203.0.113.7',
  address1: '12 St James Square',
  city: 'London',
  zipCode: 'SW1Y 4LB',
  country: 'GB',
  creditCardNumber: '4111111111111111',
  cardPrintedName: 'ADA KING',
  expireMonth: '12',
  expireYear: '2099',
} as const

/** Asks what became of a request, and in the end a person. @returns The order's id where it happened. */
async function resolve({ attemptId }: SentDescription, { wish, tools }: { wish: Wish; tools: Tools }) {
  const { till, intake, at } = tools
  const { payment, clientOrderId: order, key } = wish
  const { reference } = payment
  // A person is asked once nothing can be on its way any more.
  const patience = Date.now() + 2 * tools.timeout + times.quietPeriod
  for (;;) {
    await at.begin({ context: 'resolve', reference, key })
    await till.ask(reference)
    const attempt = await intake.attempt({ reference, attemptId })
    const { kind, orderId = '' } = attempt?.end ?? {}
    if (kind === 'accepted') {
      await at.report(beliefOf(wish, 'happened'))
      return orderId
    }
    if (kind === 'no-trace' || kind === 'not-sent') {
      await at.report(beliefOf(wish, 'no-trace'))
      return undefined
    }
    if (attempt !== undefined && isUnresolved(attempt) && Date.now() > patience) {
      const { decision, serialNumber, orderId = '' } = await tell({ kind: 'person', key })
      if (decision === undefined) throw new Error('No person decided.')
      await at.begin({ context: 'decide', reference, key })
      const person = { who: 'ada', why: 'looked up at the gateway', order, request: attempt.reservation }
      const shown = attempt.effect === 'creates' ? { orderId } : { serialNumber: serialNumber ?? '' }
      const said = decision === 'accepted' ? ({ kind: 'arrived', ...shown } as const) : ({ kind: 'failed' } as const)
      const { kind } = await till.decide(reference, { ...said, ...person })
      if (kind === 'done') {
        await at.report({ ...beliefOf(wish, 'decided'), word: decision })
        return decision === 'accepted' ? orderId : undefined
      }
    }
    await pause(300)
  }
}

/** Waits until the handler was told how a movement ended. What a death has left behind is taken up from time to time. */
async function untilTold({ movement, payment, clientOrderId, key }: Wish, { at, intake }: Tools): Promise<void> {
  const { reference, kind } = payment
  const ofOrder = (kinds[kind] as readonly Movement[]).filter(each => each.order === movement.order)
  const wanted = ofOrder.indexOf(movement) + 1
  const which = movement.outcome === 'declined' ? '-declined' : movement.part === undefined ? '' : '-part'
  const context = `callback${which}`
  await at.begin({ context, reference, key })
  for (let looks = 1; (await intake.toldStages({ reference, clientOrderId })) < wanted; looks += 1) {
    await pause(25)
    if (looks % 40 === 0) await intake.resume().catch(() => {})
  }
}

/** Asks status until its word is final. */
async function untilFinal(
  wish: Wish,
  { orderId, serialNumber, tools: { till, at } }: Doing & { readonly serialNumber: string | undefined },
): Promise<void> {
  const { movement, clientOrderId, payment } = wish
  const { reference } = payment
  const context = movement.outcome === 'declined' ? 'status-declined' : 'status'
  for (;;) {
    await at.begin({ context, reference, key: wish.key })
    try {
      const { status, transactionType, amount } = await till.client.status({
        clientOrderId,
        orderId,
        ...(serialNumber === undefined || !mayRepeat(movement.stage) ? {} : { byRequestSn: serialNumber }),
      })
      const isFinal = ['approved', 'declined', 'filtered', 'error'].includes(status)
      if (isFinal) {
        await at.report({ ...beliefOf(wish, 'status'), word: status, stage: transactionType, amount })
        return
      }
    } catch (thrown) {
      const { code } = thrown as AnyGatewayError
      if (code !== 'ERR_NOT_SENT' && code !== 'ERR_TRANSPORT' && code !== 'ERR_GATEWAY_FAILURE') throw thrown
    }
    await pause(25)
  }
}
