import { decide as decideNow } from '../intents/decide.js'
import { planned } from '../intents/next.js'
import type { ChangeRunContext } from '../payment/change/change-payment.js'
import { kept } from '../payment/deliveries.js'
import type { Payment } from '../rules/pay/payment.js'
import type { AmountsByCurrency, RefusedDecision, WantedDecision } from '../rules/people/wanted.js'
import type { KnownDecision, KnownWord } from '../state/decision.js'
import type { PaymentDocument } from '../state/document.js'
import { orderPlace } from '../store/keys.js'
import { askAbout } from './adopt.js'
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
export interface DecideContext extends ChangeRunContext {
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
  const isNamed = place.attempt === 1 || said.kind === 'skip' || said.order !== undefined
  const wanted: WantedDecision = isNamed ? said : { ...said, order: reference }
  const [{ profile }] = accounts.all
  const key = payments.keyOf(reference)
  const profileOf = (login: string) => accounts.ofLogin(login)?.profile
  const next = planned('decide', { wanted, person, secondPersonAbove, profile, profileOf }, decideNow)
  const ended = await kept(deliveries.drive(accounts.all[0], key, { next }))
  const { verdict: result, at } = ended.result
  const payment = payments.view(place.reference, { ...ended.known, version: 0, at })
  if (result.kind === 'refused') return { ...result, payment }
  if (result.kind === 'needs-second-person') {
    const { who, why, at } = result.decision
    return { kind: result.kind, first: { who, why, at }, payment }
  }
  const { decision, again } = result
  const goesOn = await goOn(decision, result.document, context)
  const now = goesOn ? payments.view(place.reference, await payments.readKey(key)) : payment
  return { kind: 'done', again, decision, payment: now }
}

/** Decisions after which nothing is sent or asked. */
const endsThere: ReadonlySet<KnownDecision['matter']['kind']> = new Set(['failed', 'abandon', 'noted', 'dismissed'])

/**
 * Does at once what any process would do next. What fails of it is done by the work in the background.
 *
 * @returns Whether there was anything to do.
 */
async function goOn({ matter }: KnownDecision, document: PaymentDocument, context: DecideContext): Promise<boolean> {
  const { reference } = document
  if (endsThere.has(matter.kind)) return false
  if (matter.kind !== 'give-back') return askAbout(document, matter.clientOrderId, context)
  await context.carryOut({ key: context.payments.keyOf(reference), reference }).catch(() => undefined)
  return true
}
