import { threeDSecurePassword } from '../fixtures/cards.js'
import type { GatewayRequest, WrittenAnswer } from '../http/message.js'
import type { Order, Verdict } from '../orders/order.js'
import type { HostedForm } from '../orders/order-book.js'
import {
  approved,
  declined,
  notAuthenticated,
  payoutVerdict,
  sandboxOutcome,
  type Undecided,
} from '../orders/outcomes.js'
import type { GatewayState } from '../state/gateway-state.js'
import { strikeUnasked } from '../state/order-actions.js'
import { decideStage } from '../state/order-changes.js'
import { cardPage, readCardInput } from './card-page.js'
import { html } from './document.js'
import { codeField, type Typed, writeField } from './field.js'
import {
  donePage,
  endedPage,
  formPage,
  noSuchPage,
  type OrderToShow,
  orderHeading,
  readVisit,
  type Visit,
} from './page.js'
import { payoutPage, readPayoutInput } from './payout-page.js'
import { returnPage } from './return-page.js'

const cancelled = declined('301', 'The customer cancelled')

export function answerHostedForm(request: GatewayRequest, token: string, gateway: GatewayState): WrittenAnswer {
  const form = gateway.orders.form(token)
  const order = form === undefined ? undefined : gateway.orders.byOrderId(form.orderId)
  if (form === undefined || order === undefined) return noSuchPage()
  const visit = readVisit(request, order, gateway)
  const answer = answerVisit(visit, { form, order, gateway })
  const typed = visit.kind === 'typed' ? visit.typed : {}
  const did = visit.kind !== 'typed' || !visit.ours ? 'opened' : typed.cancel === undefined ? 'sent' : 'cancelled'
  const page = form.step === 'password' ? 'password page' : `${form.kind} form`
  gateway.journal.add(order.orderId, { kind: 'page', page, did, httpStatus: answer.status })
  return answer
}

function answerVisit(visit: Visit, { form, order, gateway }: Omit<Turn, 'typed'>): WrittenAnswer {
  // Decided in the meantime: by the customer, or by an action on the order.
  if (form.step === 'done' || order.stages[0].verdict !== undefined) return donePage(order)
  if (gateway.clock.now() >= form.endsAt) return endedPage(order)
  if (visit.kind === 'refused') return visit.answer
  // A shop may lead the customer here by a form of its own; nothing that another site sends is taken for typed.
  if (visit.kind === 'opened' || !visit.ours) return show(form, { order, gateway })
  const { typed } = visit
  const turn: Turn = { form, order, typed, gateway }
  if (typed.cancel !== undefined) return finish(turn, cancelled)
  if (form.step === 'password') {
    return finish(turn, typed.password?.trim() === threeDSecurePassword ? approved : notAuthenticated)
  }
  return form.kind === 'card' ? takeCard(turn) : takeDestination(turn)
}

function show(form: HostedForm, shown: OrderToShow): WrittenAnswer {
  if (form.step === 'password') return passwordPage(shown)
  return form.kind === 'card' ? cardPage(shown) : payoutPage(shown)
}

interface Turn {
  readonly form: HostedForm
  readonly order: Order
  readonly typed: Typed
  readonly gateway: GatewayState
}

function takeCard(turn: Turn): WrittenAnswer {
  const read = readCardInput(turn.typed, turn.gateway.clock.now())
  if (read.kind === 'mistakes') return cardPage(turn, { typed: turn.typed, mistakes: read.mistakes })
  const order = { ...turn.order, card: read.card }
  const outcome = turn.gateway.outcomes.decide(undecided(turn.order, true), sandboxOutcome(read.cvv2))
  if (outcome !== '3ds') return finish({ ...turn, order }, outcome)
  turn.gateway.orders.put(order)
  turn.gateway.orders.putForm({ ...turn.form, step: 'password' })
  return passwordPage({ ...turn, order })
}

function takeDestination(turn: Turn): WrittenAnswer {
  const read = readPayoutInput(turn.typed)
  if (read.kind === 'mistakes') return payoutPage(turn, { typed: turn.typed, mistakes: read.mistakes })
  const { accountNumber, card, phone } = read
  const order = { ...turn.order, ...(card === undefined ? {} : { card }), ...(phone === undefined ? {} : { phone }) }
  const verdict = turn.gateway.outcomes.decide(undecided(order, false), payoutVerdict({ accountNumber }))
  return finish({ ...turn, order }, verdict)
}

function undecided({ stages, clientOrderId, currency }: Order, allows3ds: boolean): Undecided {
  const [{ operation, amount }] = stages
  return { operation, clientOrderId, amount, currency, allows3ds }
}

function finish({ form, order, gateway }: Turn, verdict: Verdict): WrittenAnswer {
  gateway.orders.putForm({ ...form, step: 'done' })
  const decided = decideStage({ order, stage: order.stages[0] }, verdict, gateway)
  return returnPage(strikeUnasked(decided, gateway), gateway)
}

const passwordPage = (shown: OrderToShow): WrittenAnswer =>
  formPage({
    title: 'Confirm your payment',
    above: html`${orderHeading(shown)}<p>Your bank asks for the password of this card.</p>\n`,
    fields: writeField(codeField('Password')),
    button: 'Confirm',
    note: html`<p class="note">Test gateway: the password is <code>${threeDSecurePassword}</code>; any other one declines.</p>`,
  })
