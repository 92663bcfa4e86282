import {
  creationOf,
  type KnownOrder,
  leaveOrder,
  nextPayStep,
  type PayStep,
  type ReadDocument,
} from '@tillkit/protocol'
import type { Account } from '../accounts.js'
import { codeOf, formElsewhere, refusalOf } from '../errors.js'
import { type Beginning, checkReference } from '../requests.js'
import { askFirst } from './ask-first.js'
import { findLost } from './find-lost.js'
import { openOrder } from './open-order.js'
import { learntNothing, type NextStep, type PayContext, type Round } from './pay-context.js'

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
  checkReference(reference)
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
  const { reference, purpose, amount, currency, recipient } = beginning
  const rules = { ...context.rules, profile: account.profile }
  return nextPayStep(read.document, { reference, purpose, amount, currency, recipient, login: account.login }, rules, {
    ...learnt,
    at: read.at,
  })
}

/** Takes one step. @returns undefined where it is to be decided again. */
async function takeStep(step: PayStep, round: Round): Promise<NextStep | undefined> {
  const { beginning, read, account, learnt, context } = round
  const { reference } = beginning
  const payment = () => context.payments.view(reference, read)
  switch (step.kind) {
    case 'open':
      // What is wrong with the merchant's own paths is met here, and not by a customer who has paid.
      if (beginning.operation !== 'makeRebill') {
        context.returnTo(payment())
        context.payAgain?.(payment())
      }
      await context.checkPause(reference)
      return openOrder(step.clientOrderId, round)
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
      await askFirst(step.orders, round)
      return undefined
    case 'find':
      return findLost(step.clientOrderId, round)
    case 'await-answer':
      if (learnt.waited >= longestPause) learnt.unanswered.add(step.order.clientOrderId ?? '')
      else await context.wait(pause)
      learnt.waited += pause
      return undefined
    case 'leave':
      await leave(step, round)
      return undefined
    case 'wait': {
      const { clientOrderId = reference } = step.order
      const ways = { goesOn: isFormToCome(step.order, beginning), later: learnt.unanswered.has(clientOrderId) }
      return { kind: 'wait', address: await context.waitingPage(clientOrderId, ways), payment: payment() }
    }
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
