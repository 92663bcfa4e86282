import {
  type AmountsByCurrency,
  type DecisionVerdict,
  decideMatter,
  type KnownDecision,
  type KnownOrder,
  type KnownWord,
  type OpenQuestion,
  orderPlace,
  type Payment,
  questionsFor,
  type ReadDocument,
  type RefusedDecision,
  type WantedDecision,
} from '@tillkit/protocol'
import type { AskedOrder } from '../intents/ask.js'
import { type DecidePlan, decide as decideNow, nothingThere } from '../intents/decide.js'
import type { Account, Accounts } from '../payment/accounts.js'
import type { PaymentBook } from '../payment/book.js'
import { type Deliveries, kept } from '../payment/deliveries.js'
import { statusWordOn } from './status-word.js'
import { type DecisionRequest, readDecision } from './wanted.js'

/** What became of a decision. */
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

/** What deciding needs of the till. */
export interface DecideContext {
  readonly accounts: Accounts
  readonly payments: PaymentBook
  /** Decides by runs. Absent: by the document. */
  readonly deliveries?: Deliveries | undefined
  readonly secondPersonAbove: AmountsByCurrency | undefined
  /** Asks status about an order, and tells what is new. */
  ask(order: KnownOrder, account: Account, at: number): Promise<AskedOrder>
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
  const { payments, accounts } = context
  const place = orderPlace(reference)
  const wanted = place.attempt === 1 ? said : aboutOrder(said, reference)
  const [{ profile }] = accounts.all
  const key = payments.keyOf(reference)
  const { result, read } =
    context.deliveries === undefined
      ? await byDocument({ key, person, wanted, profile }, context)
      : await byRun({ key, person, wanted, profile }, { ...context, deliveries: context.deliveries })
  const payment = payments.view(place.reference, read)
  if (result.kind === 'refused') return { ...result, payment }
  if (result.kind === 'needs-second-person') {
    const { who, why, at } = result.decision
    return { kind: result.kind, first: { who, why, at }, payment }
  }
  const { decision, again } = result
  const goesOn = await goOn(decision, { key, context, at: read.at, document: result.document })
  const now = goesOn ? payments.view(place.reference, await payments.readKey(key)) : payment
  return { kind: 'done', again, decision, payment: now }
}

interface Deciding extends Pick<DecidePlan, 'person' | 'wanted' | 'profile'> {
  readonly key: string
}

/** Decides by a run, which asks status first. */
async function byRun(
  { key, ...plan }: Deciding,
  { accounts, secondPersonAbove, deliveries }: DecideContext & { readonly deliveries: Deliveries },
): Promise<{ readonly result: DecisionVerdict; readonly read: ReadDocument }> {
  const profileOf = (login: string) => accounts.ofLogin(login)?.profile
  const next = decideNow({ ...plan, secondPersonAbove, profileOf })
  const { result, known } = await kept(deliveries.drive(accounts.all[0], key, { next }))
  return { result: result.verdict, read: { ...known, version: 0, at: result.at } }
}

/** Decides by the document, after a question to status. */
async function byDocument(
  { key, person, wanted, profile }: Deciding,
  { accounts, payments, secondPersonAbove }: DecideContext,
): Promise<{ readonly result: DecisionVerdict; readonly read: ReadDocument }> {
  const { document, at } = await payments.readKey(key)
  const questions = document === undefined ? [] : questionsFor(document, wanted, { at, profile })
  const [question] = questions
  const status = question === undefined || questions.length > 1 ? undefined : await ask(question, wanted, accounts)
  return payments.decide<DecisionVerdict>(key, now => {
    if (now.document === undefined) return { result: nothingThere }
    const facts = { person, at: now.at, profile, status, secondPersonAbove }
    const verdict = decideMatter(now.document, wanted, facts)
    return verdict.kind === 'refused' ? { result: verdict } : { result: verdict, document: verdict.document }
  })
}

const aboutOrder = (wanted: WantedDecision, order: string): WantedDecision =>
  wanted.kind === 'skip' || wanted.order !== undefined ? wanted : { ...wanted, order }

async function ask(question: OpenQuestion, wanted: WantedDecision, accounts: Accounts) {
  const { login } = question.order
  const account = accounts.ofLogin(login)
  if (account !== undefined) return statusWordOn(question, wanted, account)
  return { kind: 'no-answer', explanation: `This till has no account ${JSON.stringify(login)}.` } as const
}

interface GoingOn {
  readonly key: string
  readonly context: DecideContext
  readonly at: number
  readonly document: Extract<DecisionVerdict, { readonly kind: 'done' }>['document']
}

/**
 * Does at once what any process would do next. What fails of it is done by the work in the background.
 *
 * @returns Whether there was anything to do.
 */
async function goOn({ matter }: KnownDecision, { key, context, at, document }: GoingOn): Promise<boolean> {
  if (matter.kind === 'failed') return false
  if (matter.kind === 'give-back') {
    await context.carryOut({ key, reference: document.reference }).catch(() => undefined)
    return true
  }
  const order = document.orders.find(each => each.clientOrderId === matter.clientOrderId)
  const account = order === undefined ? undefined : context.accounts.ofLogin(order.login)
  if (order === undefined || account === undefined) return false
  await context.ask(order, account, at)
  return true
}
