import type { ClientWithStore } from '@tillkit/client'
import {
  creationOf,
  isForm,
  type KnownOrder,
  leaveOrder,
  nextPayStep,
  openOverOther,
  orderIdFor,
  orderPlace,
  type PayStep,
  type ReadDocument,
  type RememberedAttempt,
  referenceProblem,
} from '@tillkit/protocol'
import type { Account } from './accounts.js'
import { codeOf, formElsewhere, isUnanswered, refusalOf } from './errors.js'
import { type FormOrder, learntNothing, type NextStep, type PayContext, type Round } from './pay-context.js'
import type { Beginning } from './requests.js'
import { findAtGateway, takeUp } from './restored.js'

/** Pause before the store is read again while another process sends the request, in milliseconds; and how long that may take. */
const [pause, longestPause] = [200, 15_000]

/** Each round either ends, waits, or learns something that the one before did not know. Those that wait do not count. */
const mostRounds = 30

/**
 * Takes a payment: opens its next order where that charges nobody twice, or finds what the customer has to do now.
 *
 * @throws {TillError} where nothing may be sent, and what the client throws where the request was refused or not sent.
 */
export async function pay(beginning: Beginning, context: PayContext): Promise<NextStep> {
  const { reference } = beginning
  const problem = typeof reference === 'string' ? referenceProblem(reference) : 'it is no text'
  if (problem !== undefined || /\.\d+r$/i.test(reference))
    throw new TypeError(
      `"reference" ${JSON.stringify(reference)} cannot name a payment: ${problem ?? 'it ends like the id of a later order, such as ".2r"'}.`,
    )
  const learnt = learntNothing()
  for (let round = 0; round < mostRounds + learnt.waited / pause; round += 1) {
    const read = await context.payments.read(reference)
    const account = accountFor(beginning, read, context)
    const step = stepFor({ beginning, read, account, learnt, context })
    if (learnt.restored === undefined && (step.kind === 'open' || step.kind === 'leave')) {
      learnt.restored = await context.restored.isSet()
      if (learnt.restored) continue
    }
    const done = await takeStep(step, { beginning, read, account, learnt, context })
    if (done !== undefined) return done
  }
  throw new Error(`Payment ${reference} changed ${mostRounds} times while it was asked for. Ask again.`)
}

/** The account of the payment so far, where nobody says otherwise. */
function accountFor({ account, currency }: Beginning, { document }: ReadDocument, { accounts }: PayContext): Account {
  const before = document?.orders.at(-1)?.login
  const known = account === undefined && before !== undefined ? accounts.ofLogin(before) : undefined
  return known ?? accounts.choose({ currency, login: account })
}

function stepFor({ beginning, read, account, learnt, context }: Round): PayStep {
  const { reference, purpose, amount, currency } = beginning
  const rules = { ...context.rules, profile: account.profile }
  return nextPayStep(read.document, { reference, purpose, amount, currency, login: account.login }, rules, {
    ...learnt,
    at: read.at,
  })
}

/** Takes one step. @returns undefined where it is to be decided again. */
async function takeStep(step: PayStep, round: Round): Promise<NextStep | undefined> {
  const { beginning, read, account, learnt, context } = round
  const { reference } = beginning
  const payment = () => context.payments.view(reference, read)
  const waiting = async (order: KnownOrder): Promise<NextStep> => {
    const { clientOrderId = reference } = order
    const other = openOverOther(order, beginning, { profile: account.profile, at: read.at })
    if (other !== undefined) throw refusalOf(other, beginning)
    const goesOn = isFormToCome(order, beginning)
    return { kind: 'wait', address: await context.waitingPage(clientOrderId, { goesOn }), payment: payment() }
  }
  switch (step.kind) {
    case 'open':
      // What is wrong with the merchant's own paths is met here, and not by a customer who has paid.
      if (beginning.operation !== 'makeRebill') {
        context.returnTo(payment())
        context.payAgain?.(payment())
      }
      await context.checkPause(reference)
      return open(step.clientOrderId, round)
    case 'go': {
      const { order, formUrl } = step
      const { clientOrderId = reference } = order
      if (formUrl === undefined)
        return { kind: 'go', address: await context.threeDSecureAddress(account, clientOrderId), payment: payment() }
      try {
        const address = context.checkedForm(account, { clientOrderId, redirectUrl: formUrl })
        return { kind: 'go', address, payment: payment() }
      } catch (cause) {
        if (codeOf(cause) !== 'ERR_REDIRECT_REFUSED') throw cause
        // Status may know that the order has ended.
        if (learnt.unreachable.has(clientOrderId)) throw formElsewhere(order, { account, isKnown: true, cause })
        learnt.unreachable.add(clientOrderId)
        return undefined
      }
    }
    case 'ask':
      for (const order of step.orders) {
        const asked = await context.ask(order, context.accounts.ofLogin(order.login) ?? account, read.at)
        // Without an answer nothing may be opened.
        if (asked === 'no-answer') return waiting(order)
        const { clientOrderId = '', stages, orderId } = order
        if (asked === 'brings-money') {
          // The document says so next time; where it does not, the store is behind, and nothing may be opened.
          if (learnt.paid.has(clientOrderId)) return waiting(order)
          learnt.paid.add(clientOrderId)
          return undefined
        }
        // Of an order that nobody ever saw at the gateway, a refused question is all that there can be.
        if (asked === 'not-known' && (stages.length > 0 || orderId !== undefined)) {
          if (learnt.unreachable.has(clientOrderId)) throw formElsewhere(order, { account, isKnown: false })
          return waiting(order)
        }
        learnt.asked.add(clientOrderId)
        if (asked === 'begun') learnt.begun.add(clientOrderId)
      }
      return undefined
    case 'find':
      return find(step.clientOrderId, round)
    case 'await-answer':
      if (learnt.waited >= longestPause) return waiting(step.order)
      await context.wait(pause)
      learnt.waited += pause
      return undefined
    case 'leave':
      await leave(step, round)
      return undefined
    case 'wait':
      return waiting(step.order)
    case 'over': {
      const now = payment()
      return { kind: 'over', address: context.returnTo(now), payment: now }
    }
    default:
      throw refusalOf(step, beginning)
  }
}

/** Whether the form that comes is the one asked for. Nobody is sent to a form over another amount without seeing that. */
function isFormToCome(order: KnownOrder, { amount }: Beginning): boolean {
  const attempt = creationOf(order)?.attempt
  return attempt !== undefined && attempt.end?.redirectUrl === undefined && attempt.amount === amount
}

/**
 * Asks whether the gateway has an order that the store may have lost, or a later one of the payment: an order may never have arrived, and
 * the payment went on. Where it has, the payment goes on with that one.
 */
async function find(clientOrderId: string, { beginning, read, learnt, context }: Round): Promise<NextStep | undefined> {
  const { reference } = beginning
  const { payments, accounts, clock, rules } = context
  const known = new Set(read.document?.orders.map(each => each.clientOrderId))
  const later = laterIds(clientOrderId, rules).filter(each => !known.has(each))
  const found = await findAtGateway([clientOrderId, ...later], { accounts, clock })
  if (found.kind === 'absent') {
    learnt.absent.add(clientOrderId)
    return undefined
  }
  if (found.kind === 'known') {
    await takeUp(found, { beginning, payments, clock })
    const { document, at } = await payments.read(reference)
    const { login } = found.account
    const order = document?.orders.find(each => each.clientOrderId === found.clientOrderId && each.login === login)
    if (order !== undefined && order.stages.length > 0) {
      // The merchant is told what the store had lost.
      await context.ask(order, found.account, at)
      return undefined
    }
  }
  const address = await context.waitingPage(clientOrderId, { goesOn: false })
  return { kind: 'wait', address, payment: payments.view(reference, read) }
}

/** The ids of the orders after one, up to the last one that a payment may have. */
function laterIds(clientOrderId: string, { mostOrders }: PayContext['rules']): readonly string[] {
  const { reference, attempt } = orderPlace(clientOrderId)
  const count = Math.max(0, mostOrders - attempt)
  return Array.from({ length: count }, (_, nth) => orderIdFor({ reference, attempt: attempt + nth + 1 }))
}

/** Sends the request of an order. */
async function open(
  clientOrderId: string,
  { beginning, account, learnt, context }: Round,
): Promise<NextStep | undefined> {
  const { operation, fields, reference } = beginning
  const { callbackUrl } = context
  const order = {
    operation,
    clientOrderId,
    fields: { ...fields, serverCallbackUrl: callbackUrl, notifyUrl: callbackUrl },
  }
  try {
    const address = await send(order, account, context)
    // Nobody is to be sent anywhere: it is decided again, by what the document says now.
    if (address === undefined) return undefined
    const read = await context.payments.read(reference)
    const opened = read.document?.orders.find(each => each.clientOrderId === clientOrderId)
    // The payment went on without it before its address was written down, or it is not written down yet: nobody may have that address.
    if (opened?.left !== undefined || !isKept(operation, opened)) return undefined
    return { kind: 'go', address, payment: context.payments.view(reference, read) }
  } catch (error) {
    // Somebody else was faster, or this id was used for another request: the document says which.
    if (codeOf(error) === 'ERR_ALREADY_SENT') learnt.differs.add(clientOrderId)
    else if (!isUnanswered(error)) throw error
    // Money may have moved: it is waited for, and nothing more is sent.
    else warnOfForeignAnswer(error, account, context)
    return undefined
  }
}

/** What is not the gateway never calls back, so nobody would hear of a wrong address. */
function warnOfForeignAnswer(error: unknown, { client }: Account, { warn }: PayContext): void {
  const { cause, attempt } = Object(error) as { readonly cause?: Error; readonly attempt?: RememberedAttempt }
  if (attempt?.end?.foreignStatus === undefined) return
  const explanation = `${cause?.message ?? ''} Is "baseUrl" (${client.baseUrl}) right? Run till.check().`
  warn('WARN_NOT_THE_GATEWAY', { explanation })
}

/** Whether an order has all that must be kept of it before a customer is sent on: of a form, its address. */
const isKept = (operation: Beginning['operation'], order: KnownOrder | undefined): boolean =>
  !isForm({ operation }) || order?.attempts.some(({ end }) => end?.redirectUrl !== undefined) === true

/** Sends the request of an order. @returns Where the customer is to go; undefined of a card that is charged while its holder is absent. */
async function send(order: FormOrder, account: Account, context: PayContext): Promise<string | undefined> {
  const { operation, clientOrderId, fields } = order
  if (operation === 'makeRebill') {
    // The fields are those of the operation: `pay` takes no others, and the client checks them.
    await (account.client.makeRebill as (request: object) => Promise<unknown>)({ ...fields, clientOrderId })
    return undefined
  }
  if (operation !== 'sale' && operation !== 'preauth') return context.openForm(account, order)
  const redirectUrl = await context.threeDSecureAddress(account, clientOrderId)
  const { [operation]: method }: Pick<ClientWithStore, 'sale' | 'preauth'> = account.client
  // The fields are those of the operation: `pay` takes no others, and the client checks them.
  await (method as (request: object) => Promise<unknown>)({ ...fields, clientOrderId, redirectUrl })
  return redirectUrl
}

/** Writes down that the payment goes on without an order, unless something became known of it meanwhile. */
async function leave({ order, why }: Extract<PayStep, { readonly kind: 'leave' }>, round: Round): Promise<void> {
  const { context } = round
  const { reference } = round.beginning
  const now = await context.payments.read(reference)
  await context.payments.change(reference, document => {
    const step = stepFor({ ...round, read: { ...now, document } })
    const isStill = step.kind === 'leave' && step.order.clientOrderId === order.clientOrderId && step.why === why
    return isStill ? leaveOrder(document, step.order, { why, at: now.at }) : document
  })
}
