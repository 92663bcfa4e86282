/**
 * Answers requests to hosted pages: shows them, takes what was typed, decides, and takes the customer back.
 *
 * @module
 */
import { decodeForm } from '@tillkit/signing'
import { threeDSecurePassword } from '../fixtures/cards.js'
import type { GatewayAnswer, GatewayRequest } from '../gateway-message.js'
import type { GatewayState } from '../gateway-state.js'
import { decideStage } from '../operations/new-order.js'
import { payoutVerdict } from '../operations/payouts.js'
import { notAuthenticated } from '../operations/three-d-secure.js'
import type { HostedForm } from '../order-book.js'
import { approved, declined, sandboxOutcome, type Verdict } from '../sandbox-outcome.js'
import { type Order, replaceStage } from '../transactions.js'
import { readCardInput } from './card-input.js'
import { cardPage } from './card-page.js'
import type { Typed } from './field.js'
import { messagePage } from './page.js'
import { passwordPage } from './password-page.js'
import { payoutPage, readPayoutInput } from './payout-page.js'
import { returnPage } from './return-page.js'

/** Outcome when the customer presses Cancel. */
const cancelled = declined('301', 'The customer cancelled')

/** Answers a request to a hosted page. */
export function answerHostedForm(request: GatewayRequest, token: string, state: GatewayState): GatewayAnswer {
  const form = state.orders.form(token)
  const order = form === undefined ? undefined : state.orders.byOrderId(form.orderId)
  if (form === undefined || order === undefined) {
    return messagePage({ title: 'No such page', text: 'The address is wrong. Go back to the shop.', status: 404 })
  }
  if (form.step === 'done') {
    return messagePage({
      title: 'Already done',
      text: 'This page was filled in before. Go back to the shop.',
      status: 410,
    })
  }
  if (request.method === 'GET' || request.method === 'HEAD') return show(form, order)
  if (request.method !== 'POST') return refused('The page takes GET and POST only.', 405)
  const typed = readTyped(request, state)
  if (typed === undefined) return refused('What was sent is no form, or too much of it.', 400)
  const turn: Turn = { form, order, typed }
  if (typed.cancel !== undefined) return finish(turn, cancelled, state)
  if (form.step === 'password') return takePassword(turn, state)
  return form.kind === 'card' ? takeCard(turn, state) : takeDestination(turn, state)
}

const refused = (text: string, status: number): GatewayAnswer => messagePage({ title: 'Not possible', text, status })

function show(form: HostedForm, order: Order): GatewayAnswer {
  if (form.step === 'password') return passwordPage(order)
  return form.kind === 'card' ? cardPage(order) : payoutPage(order)
}

/** @returns undefined when the body is too large or cannot be decoded. */
function readTyped({ body }: GatewayRequest, { settings }: GatewayState): Typed | undefined {
  if (body.byteLength > settings.maxBodyBytes) return undefined
  try {
    return Object.fromEntries(decodeForm(Buffer.from(body).toString('utf8')))
  } catch {
    return undefined
  }
}

/** A customer's turn: the page they are at and what they typed. */
interface Turn {
  readonly form: HostedForm
  readonly order: Order
  readonly typed: Typed
}

function takeCard(turn: Turn, state: GatewayState): GatewayAnswer {
  const read = readCardInput(turn.typed, state.clock.now())
  if ('mistakes' in read) return cardPage(turn.order, { typed: turn.typed, mistakes: read.mistakes })
  const order = { ...turn.order, card: read.card }
  const outcome = sandboxOutcome(read.cvv2)
  if (outcome !== '3ds') return finish({ ...turn, order }, outcome, state)
  state.orders.put(order)
  state.orders.putForm({ ...turn.form, step: 'password' })
  return passwordPage(order)
}

const takePassword = (turn: Turn, state: GatewayState): GatewayAnswer =>
  finish(turn, turn.typed.password?.trim() === threeDSecurePassword ? approved : notAuthenticated, state)

function takeDestination(turn: Turn, state: GatewayState): GatewayAnswer {
  const read = readPayoutInput(turn.typed)
  if ('mistakes' in read) return payoutPage(turn.order, { typed: turn.typed, mistakes: read.mistakes })
  const { accountNumber, card, phone } = read
  const order = { ...turn.order, ...(card === undefined ? {} : { card }), ...(phone === undefined ? {} : { phone }) }
  return finish({ ...turn, order }, payoutVerdict({ accountNumber }), state)
}

function finish({ form, order }: Turn, verdict: Verdict, state: GatewayState): GatewayAnswer {
  const decided = decideStage(order.stages[0], verdict, state)
  const changed = replaceStage(order, order.stages[0], decided)
  state.orders.put(changed)
  state.orders.putForm({ ...form, step: 'done' })
  state.courier.announce(changed, decided)
  return returnPage(changed, state)
}
