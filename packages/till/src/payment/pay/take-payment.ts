import { randomUUID } from 'node:crypto'
import type { PreparedRequest } from '@tillkit/client'
import { type AnyOperation, operations, type Reply } from '@tillkit/protocol'
import type { Described } from '../../engine/sending.js'
import { lostOrdersPlan } from '../../intents/find-lost.js'
import { planned } from '../../intents/next.js'
import { type PayPlan, type PayResult, pay } from '../../intents/pay.js'
import type { Account } from '../accounts.js'
import { codeOf, formElsewhere, isUnanswered, pausedError, refusalOf } from '../errors.js'
import { type Beginning, checkReference } from '../requests.js'
import { type Make, type SentOnce, sendOnce } from '../send-once.js'
import type { NextStep, PayContext } from './pay-context.js'
import { warnOfForeignAnswer, warnOfMissingStatus } from './warnings.js'

/**
 * Takes a payment: opens its next order where that charges nobody twice, or finds what the customer has to do now.
 *
 * @throws {TillError} where nothing may be sent, and what the client throws where the request was refused or not sent.
 */
export async function takePayment(beginning: Beginning, context: PayContext): Promise<NextStep> {
  const { reference } = beginning
  checkReference(reference)
  const { accounts, deliveries } = context
  const { operation } = beginning
  const next = (make: Make) => planned('pay', planOf(beginning, context, make), pay)
  const sent = await sendOnce<PayResult>({ accounts, deliveries, reference, operation, next })
  const { result, error, account, isKept } = sent
  if (error !== undefined && account !== undefined) {
    if (!isUnanswered(error)) throw error
    warnOfForeignAnswer(error, account, context)
  }
  // The error says it already.
  const missing = result.kind === 'elsewhere' ? [] : result.missing
  for (const { clientOrderId, login, asked } of missing)
    warnOfMissingStatus(clientOrderId, { asked, account: accounts.ofLogin(login) ?? accounts.all[0], context })
  // An address that is not durable is given to nobody: it could be lost, and another form be opened beside it.
  const came: PayResult =
    result.kind === 'go' && result.formUrl !== undefined && !isKept
      ? { ...result, kind: 'wait', clientOrderId: result.order.clientOrderId ?? reference, goesOn: true, later: true }
      : result
  return stepOf({ ...sent, result: came }, { beginning, context })
}

/** Everything that the intent goes by. @param make Takes each request that is made. */
function planOf(beginning: Beginning, context: PayContext, make: Make): PayPlan {
  const { accounts, rules, deliveries, tells } = context
  const { reference, purpose, amount, currency, recipient, account: wanted, operation } = beginning
  const prepared = new Map<string, Described>()
  let ours: Account | undefined
  return {
    terms: { reference, purpose, amount, currency, recipient },
    ...lostOrdersPlan(accounts.all, { rules, madeUp: `never-${randomUUID()}` }),
    rules,
    accountOf(before) {
      const login = wanted ?? before
      const known = login === undefined ? undefined : accounts.ofLogin(login)
      // One that goes in the middle of a run stays for that: its client sends nothing any more, and how that ended is written down.
      ours = known ?? (ours !== undefined && ours.login === login ? ours : accounts.choose({ currency, login: wanted }))
      const { login: chosen, profile } = ours
      return { login: chosen, profile }
    },
    profileOf: login => accounts.ofLogin(login)?.profile,
    operation,
    lease: tells ? deliveries.handlerTimeout : undefined,
    isReachable({ login, clientOrderId = reference }, formUrl) {
      const account = accounts.ofLogin(login) ?? accounts.all[0]
      try {
        context.checkedForm(account, { clientOrderId, redirectUrl: formUrl })
        return true
      } catch (cause) {
        if (codeOf(cause) !== 'ERR_REDIRECT_REFUSED') throw cause
        return false
      }
    },
    requestFor({ clientOrderId, login }, known) {
      const account = accounts.choose({ login })
      const request = prepared.get(clientOrderId) ?? prepare(clientOrderId, { account, known, beginning, context })
      prepared.set(clientOrderId, request)
      return make(account, request)
    },
  }
}

type Prepare = (row: AnyOperation, request: object, options: object) => PreparedRequest<Reply>

/** Checks and builds the request of an order. */
function prepare(
  clientOrderId: string,
  {
    account,
    known: { payment, at },
    beginning: { operation, fields, reference },
    context,
  }: {
    readonly account: Account
    readonly known: Parameters<PayPlan['requestFor']>[1]
    readonly beginning: Beginning
    readonly context: PayContext
  },
): Described {
  const { callbackUrl, returnTo, payAgain, payments, person } = context
  // The merchant meets a mistake in a path here, before a customer has paid.
  if (operation !== 'makeRebill') {
    const view = payments.view(reference, { ...unread, document: payment, at: at.earliest })
    returnTo(view)
    payAgain?.(view)
  }
  if ('redirectUrl' in fields)
    throw new TypeError('"redirectUrl" is made by the till, from "address": leave it out. Nothing was sent.')
  const redirectUrl = context.comesBackTo(account, { operation, clientOrderId })
  const request = {
    ...fields,
    serverCallbackUrl: callbackUrl,
    notifyUrl: callbackUrl,
    clientOrderId,
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
  }
  const row = context.operationFor?.(account) ?? operations[operation]
  // The fields are those of the operation: `pay` takes no others, and the client checks them.
  const { prepare } = account.client as unknown as { readonly prepare: Prepare }
  return prepare(row, request, { person }) as Described
}

const unread = { version: 0, writeId: undefined, at: 0 }

/** Says where to send the customer. */
async function stepOf(
  { result, known, notSent, forbidden }: SentOnce<PayResult>,
  { beginning, context }: { readonly beginning: Beginning; readonly context: PayContext },
): Promise<NextStep> {
  const { reference } = beginning
  const { accounts } = context
  const payment = context.payments.view(reference, { ...unread, ...known, at: result.at })
  switch (result.kind) {
    case 'go': {
      const { order, formUrl } = result
      const { login, clientOrderId = reference } = order
      const account = accounts.ofLogin(login) ?? accounts.all[0]
      const address =
        formUrl === undefined
          ? await context.threeDSecureAddress(account, clientOrderId)
          : context.checkedForm(account, { clientOrderId, redirectUrl: formUrl })
      return { kind: 'go', address, payment }
    }
    case 'wait':
      return { kind: 'wait', address: await context.waitingPage(result.clientOrderId, result), payment }
    case 'over':
      return { kind: 'over', address: context.returnTo(payment), payment }
    case 'refused':
      throw refusalOf(result.step, { ...beginning, isLate: result.isLate })
    case 'elsewhere':
      throw elsewhere(result, { context, reference })
    case 'paused':
      throw pausedError(reference, result.pause)
    case 'not-made':
      throw result.cause
    case 'not-reserved':
      throw forbidden(result.why)
    case 'not-opened':
      throw notSent()
  }
}

function elsewhere(
  { order, login, isKnown }: Extract<PayResult, { readonly kind: 'elsewhere' }>,
  { context, reference }: { readonly context: PayContext; readonly reference: string },
): Error {
  const account = context.accounts.ofLogin(login) ?? context.accounts.all[0]
  const redirectUrl = order.attempts.findLast(({ end }) => end?.redirectUrl !== undefined)?.end?.redirectUrl ?? ''
  if (!isKnown) return formElsewhere(order, { account, isKnown })
  try {
    context.checkedForm(account, { clientOrderId: order.clientOrderId ?? reference, redirectUrl })
  } catch (cause) {
    return formElsewhere(order, { account, isKnown, cause })
  }
  return formElsewhere(order, { account, isKnown })
}
