import { operations, type WireProfile } from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import { findOrder, type PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { nameOf } from '../../state/facts.js'
import { type KnownAttempt, type KnownOrder, quietFrom } from '../../state/known.js'
import { orderIdFor } from '../../store/keys.js'
import { creationOf } from '../orders/expected.js'
import { hasFailed, isGivenUp, nextAttempt } from '../orders/reserve.js'
import type { PayFacts, PayRules, PayStep, PayTerms } from './pay-step.js'
import {
  approvedCreation,
  type OrderStanding,
  openOverOther,
  ordersWithMoney,
  type StandingOrder,
  standingsOf,
} from './standing.js'

/** An order, and how it stands. */
interface Standing extends StandingOrder {
  readonly clientOrderId: string
}

/**
 * Decides what to do when a merchant asks for a payment, by what its document says. It never opens a second order while the
 * customer could still pay the first, but for a form that no customer can have, and one that the merchant allows to replace.
 */
export function nextPayStep(
  document: PaymentDocument | undefined,
  terms: PayTerms,
  rules: PayRules,
  facts: PayFacts,
): PayStep {
  const decided = stepByDocument(document, terms, rules, facts)
  const open = unansweredOf(decided, facts)
  const step: PayStep = open === undefined ? decided : { kind: 'wait', order: open }
  // The till leads nobody to an order over another amount than the one asked for, and opens none beside it: both could be paid.
  if (step.kind === 'wait') return openOverOther(step.order, terms, { ...rules, at: facts.at }) ?? step
  // An order that a backup does not have may have been sent after the backup was made.
  return step.kind === 'open' && mayBeThere(step, facts) ? { kind: 'find', clientOrderId: step.clientOrderId } : step
}

const mayBeThere = ({ clientOrderId }: { readonly clientOrderId: string }, { restored, absent }: PayFacts): boolean =>
  restored === true && absent?.has(clientOrderId) !== true

function stepByDocument(
  document: PaymentDocument | undefined,
  terms: PayTerms,
  rules: PayRules,
  facts: PayFacts,
): PayStep {
  const { reference } = terms
  if (document === undefined || document.orders.length === 0)
    return { kind: 'open', clientOrderId: orderIdFor({ reference, attempt: 1 }) }
  if (document.reference !== reference) return { kind: 'other-case', reference: document.reference }
  if (document.over !== undefined) return { kind: 'payment-over', why: 'purged' }
  const other = otherPayment(document, terms)
  if (other !== undefined) return other
  const all = standingsOf(document.orders, facts.at, rules.profile).map(each => ({
    ...each,
    clientOrderId: each.order.clientOrderId ?? '',
  }))
  const are = (...standings: readonly OrderStanding[]) => all.filter(({ standing }) => standings.includes(standing))
  if (are('disputed').length > 0) return { kind: 'needs-person', why: 'disputed' }
  const [first, ...more] = ordersWithMoney(all, rules.profile)
  if (more.length > 0) return { kind: 'needs-person', why: 'surplus' }
  const paid = all.find(({ order }) => order === first) ?? are('returned')[0]
  const current = paid ?? are('sending', 'unknown', 'open')[0]
  if (current === undefined) return nextOrder(all, terms, { rules, facts })
  const isPaid = current === paid
  return (
    otherRecipient(current, terms) ??
    (isPaid ? paidStep(current, terms, rules) : stepBeforeEnd(current, terms, { rules, facts }))
  )
}

/** Money that is sent, or may be, is not sent to somebody else. A payout that is known to have failed may be. */
function otherRecipient({ order, standing }: Standing, { recipient }: PayTerms): PayStep | undefined {
  const was = creationOf(order)?.attempt.recipient
  if (recipient === undefined || was === undefined || recipient === was) return undefined
  return { kind: 'other-recipient', was, isOpen: standing !== 'approved' }
}

/** The order by whose missing answer a step cannot be taken: without it nothing may be opened. */
function unansweredOf(step: PayStep, { unanswered }: PayFacts): KnownOrder | undefined {
  const orders = step.kind === 'ask' ? step.orders : step.kind === 'await-answer' ? [step.order] : []
  return orders.find(({ clientOrderId = '' }) => unanswered?.has(clientOrderId) === true)
}

/** Another purpose, currency or account is another payment. The account may change once every order is known to have failed. */
function otherPayment({ orders }: PaymentDocument, terms: PayTerms): PayStep | undefined {
  const mayHaveMoney = !orders.every(hasFailed)
  for (const order of orders) {
    const attempt = order.attempts.find(({ effect }) => effect === 'creates')
    if (attempt === undefined) continue
    const { stages, currency, login } = attempt
    const other = (differs: 'purpose' | 'currency' | 'account', was: string) =>
      ({ kind: 'other-payment', differs, was, mayHaveMoney }) as const
    if (!stages.includes(terms.purpose)) return other('purpose', stages.join(' or '))
    if (currency !== terms.currency) return other('currency', currency ?? 'none')
    if (login !== terms.login) return other('account', login)
  }
  return undefined
}

/** The one order with money says whether it is the payment that is asked for. */
function paidStep({ order, standing }: Standing, { amount }: PayTerms, { profile }: PayRules): PayStep {
  if (standing === 'returned') return { kind: 'payment-over', why: 'returned' }
  const was = approvedCreation(order, profile)?.amount ?? creationOf(order)?.attempt.amount
  if (amount === undefined || (was !== undefined && sameAmount(was, amount))) return { kind: 'over', order }
  return { kind: 'other-amount', was: was ?? 'an amount that is not known', isOpen: false }
}

interface Going {
  readonly rules: PayRules
  readonly facts: PayFacts
}

/** Decides what to do while an order has not ended. */
function stepBeforeEnd(current: Standing, terms: PayTerms, { rules, facts }: Going): PayStep {
  const { order, standing, clientOrderId } = current
  const attempt = creationOf(order)?.attempt
  if (attempt === undefined) return { kind: 'wait', order }
  if (standing === 'sending') return { kind: 'await-answer', order, until: quietFrom(attempt) }
  const wasAsked = facts.asked.has(clientOrderId)
  const { end } = attempt
  // The till does not know where the customer of an adopted order is.
  if (order.adoptedAt !== undefined) return { kind: 'wait', order }
  const isSame = isSameAmount(attempt, terms)
  if (isForm(attempt)) {
    if (end?.redirectUrl === undefined) {
      // Its request was sent, and may still arrive.
      if (facts.at < quietFrom(attempt)) return { kind: 'wait', order }
      if (!wasAsked) return { kind: 'ask', orders: [order] }
      if (facts.restored !== true) return { kind: 'leave', order, why: 'no-address' }
      if (order.stages.length === 0)
        return mayBeThere({ clientOrderId }, facts)
          ? { kind: 'find', clientOrderId }
          : { kind: 'leave', order, why: 'no-address' }
      // A customer was given the address after the backup was made: only its form is lost, not the order.
      const mayReplace = rules.replaceOpenForm && !facts.begun.has(clientOrderId)
      return mayReplace ? { kind: 'leave', order, why: 'replaced' } : { kind: 'wait', order }
    }
    const isOpen = facts.at < formEndsAt(attempt, rules.profile)
    const isReachable = facts.unreachable?.has(clientOrderId) !== true
    if (isSame && isOpen && isReachable) return { kind: 'go', order, formUrl: end.redirectUrl }
    if (!wasAsked) return { kind: 'ask', orders: [order] }
    const isUntouched = !facts.begun.has(clientOrderId)
    // One that cannot be gone to from here may be open in another window, and be paid there.
    if (isUntouched && rules.replaceOpenForm && !(isSame && isOpen)) return { kind: 'leave', order, why: 'replaced' }
    // An answer may be older than the end of the form, and the customer have paid in between.
    const wasOver = (facts.askedAt?.get(clientOrderId) ?? facts.at) >= formEndsAt(attempt, rules.profile)
    if (isUntouched && !isSame && wasOver) return { kind: 'leave', order, why: 'expired' }
    // How long a form stays open is a guess: the same one charges once, and it is the gateway that says it is over.
    if (isUntouched && isSame) return { kind: 'go', order, formUrl: end.redirectUrl }
    return { kind: 'wait', order }
  }
  // A customer may have to go through 3DS. A stored card is charged while its holder is absent.
  if (standing === 'open' && isSame && attempt.operation !== 'makeRebill')
    return { kind: 'go', order, formUrl: undefined }
  return { kind: 'wait', order }
}

/** Every order has ended or was abandoned: the next one may be opened, once status was asked again about all that could surprise. */
function nextOrder(all: readonly Standing[], terms: PayTerms, { rules, facts }: Going): PayStep {
  const { reference } = terms
  const last = all.at(-1)
  const [retry] = all.toReversed().flatMap(each => sameForm(each, terms, { rules, facts }) ?? [])
  if (retry !== undefined) return retry
  const doubtful = all.filter(each => mayHaveReached(each) && !facts.asked.has(each.clientOrderId))
  if (doubtful.length > 0) return { kind: 'ask', orders: doubtful.map(({ order }) => order) }
  // The payment went on without an order, and a customer pays it all the same.
  const busy = all.find(({ order, clientOrderId }) => {
    const attempt = order.left === undefined ? undefined : creationOf(order)?.attempt
    const isOpen = attempt !== undefined && facts.at < formEndsAt(attempt, rules.profile)
    return isOpen && facts.begun.has(clientOrderId)
  })
  if (busy !== undefined) return { kind: 'wait', order: busy.order }
  // Nothing of it has left: it is the same try. Where the payment went on without it, nobody would be led to its form.
  if (last?.standing === 'nothing' && last.order.left === undefined && !facts.differs.has(last.clientOrderId))
    return { kind: 'open', clientOrderId: last.clientOrderId }
  if (all.length >= rules.mostOrders)
    return { kind: 'too-many-orders', mayBePaid: all.some(({ standing }) => standing === 'abandoned') }
  return {
    kind: 'open',
    clientOrderId: orderIdFor({
      reference,
      attempt: nextAttempt({ reference, orders: all.map(({ order }) => order) }),
    }),
  }
}

/** The form of a declined order, where the gateway lets the customer try another card on it. */
function sameForm({ order, standing }: Standing, terms: PayTerms, { rules, facts }: Going): PayStep | undefined {
  const { profile } = rules
  const attempt = creationOf(order)?.attempt
  const formUrl = attempt?.end?.redirectUrl
  if (!profile.formRetries.value || standing !== 'failed' || attempt === undefined || formUrl === undefined)
    return undefined
  const isOpen = facts.at < formEndsAt(attempt, profile)
  return isOpen && isSameAmount(attempt, terms) ? { kind: 'go', order, formUrl } : undefined
}

/**
 * When the time of a form is over, by the store's clock in milliseconds. The gateway has opened it while its answer was awaited, and counts
 * from then on.
 */
export const formEndsAt = ({ reservedAt, end }: KnownAttempt, { formLifetime }: WireProfile): number =>
  Math.max(reservedAt, end?.at ?? 0) + formLifetime.value * 1000

const isSameAmount = ({ amount }: Pick<KnownAttempt, 'amount'>, terms: PayTerms): boolean =>
  amount === terms.amount || (amount !== undefined && sameAmount(amount, terms.amount ?? ''))

/** Whether the gateway may have an order: a refused one it never had. */
const mayHaveReached = ({ order, standing }: Standing): boolean =>
  standing !== 'nothing' &&
  (order.orderId !== undefined || order.stages.length > 0 || standing === 'abandoned' || isGivenUp(order))

const forms: ReadonlySet<string> = new Set(
  Object.entries(operations).flatMap(([name, row]) => (row.response === 'AsyncCheckoutFormRedirect' ? [name] : [])),
)

/** Whether a customer is asked for the card on a page of the gateway. */
export const isForm = ({ operation }: Pick<KnownAttempt, 'operation'>): boolean => forms.has(operation)

/**
 * Writes down that a payment goes on without an order. A gate: it may be written at the version that was read, and at no other.
 *
 * @param options Why, and what the store's clock says, in milliseconds.
 * @returns The very document where it is so already.
 */
export function abandonOrder(
  document: PaymentDocument,
  left: Pick<KnownOrder, 'clientOrderId' | 'login'>,
  { why, at }: { readonly why: NonNullable<KnownOrder['left']>; readonly at: number },
): PaymentDocument {
  const { clientOrderId, login } = left
  const order = findOrder(document, { clientOrderId, login })
  if (order === undefined || order.left !== undefined) return document
  return evolve(document, { kind: 'abandoned', order: nameOf(order), why, at })
}
