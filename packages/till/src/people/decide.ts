import { decide as decideNow } from '../intents/decide.js'
import type { Accounts } from '../payment/accounts.js'
import type { PaymentBook } from '../payment/book.js'
import { type Deliveries, kept } from '../payment/deliveries.js'
import type { Payment } from '../rules/pay/payment.js'
import type { AmountsByCurrency, DecisionVerdict, RefusedDecision, WantedDecision } from '../rules/people/wanted.js'
import type { KnownDecision, KnownWord } from '../state/decision.js'
import { orderPlace } from '../store/keys.js'
import { type DecisionRequest, readDecision } from './wanted.js'

/** The result of a decision. */
export type DecisionResult = { readonly payment: Payment } & (
  | {
      /** It is written down, and what follows from it goes on. */
      readonly kind: 'done'
      /** It was decided so before: nothing was written now. */
      readonly again: boolean
      readonly decision: KnownDecision
    }
  | {
      /** It is about much money: nothing was done, until another person says the same. */
      readonly kind: 'needs-second-person'
      /** Who said it first. */
      readonly first: KnownWord
    }
  | RefusedDecision
)

/** The parts of the till that carry out a decision. */
export interface DecideContext {
  readonly accounts: Accounts
  readonly payments: PaymentBook
  readonly deliveries: Deliveries
  readonly secondPersonAbove: AmountsByCurrency | undefined
  /** Sends what is wanted of a payment. */
  carryOut(payment: { readonly key: string; readonly reference: string }): Promise<unknown>
}

/**
 * Takes what a person decides about a payment. Status is asked first, and its word counts more.
 *
 * @throws {TypeError} for what is no decision; a `StoreError` where the store fails: the same again changes nothing where it was written.
 */
export async function decide(
  reference: string,
  given: DecisionRequest,
  context: DecideContext,
): Promise<DecisionResult> {
  const { person, wanted: said } = readDecision(given)
  const { payments, accounts, deliveries, secondPersonAbove } = context
  const place = orderPlace(reference)
  const wanted = place.attempt === 1 ? said : aboutOrder(said, reference)
  const [{ profile }] = accounts.all
  const key = payments.keyOf(reference)
  const profileOf = (login: string) => accounts.ofLogin(login)?.profile
  const next = decideNow({ wanted, person, secondPersonAbove, profile, profileOf })
  const ended = await kept(deliveries.drive(accounts.all[0], key, { next }))
  const { verdict: result, at } = ended.result
  const payment = payments.view(place.reference, { ...ended.known, version: 0, at })
  if (result.kind === 'refused') return { ...result, payment }
  if (result.kind === 'needs-second-person') {
    const { who, why, at } = result.decision
    return { kind: result.kind, first: { who, why, at }, payment }
  }
  const { decision, again } = result
  const goesOn = await goOn(decision, { key, context, document: result.document })
  const now = goesOn ? payments.view(place.reference, await payments.readKey(key)) : payment
  return { kind: 'done', again, decision, payment: now }
}

const aboutOrder = (wanted: WantedDecision, order: string): WantedDecision =>
  wanted.kind === 'skip' || wanted.order !== undefined ? wanted : { ...wanted, order }

interface GoingOn {
  readonly key: string
  readonly context: DecideContext
  readonly document: Extract<DecisionVerdict, { readonly kind: 'done' }>['document']
}

/**
 * Does at once what any process would do next. What fails of it is done by the work in the background.
 *
 * @returns Whether there was anything to do.
 */
async function goOn({ matter }: KnownDecision, { key, context, document }: GoingOn): Promise<boolean> {
  if (matter.kind === 'failed') return false
  if (matter.kind === 'give-back') {
    await context.carryOut({ key, reference: document.reference }).catch(() => undefined)
    return true
  }
  const order = document.orders.find(each => each.clientOrderId === matter.clientOrderId)
  const account = order === undefined ? undefined : context.accounts.ofLogin(order.login)
  if (order === undefined || account === undefined) return false
  await context.deliveries.ask(order, account)
  return true
}
