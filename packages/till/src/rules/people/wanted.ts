import { type FinalOutcome, moneyMoved, type Person, type StageName } from '@tillkit/protocol'
import { compareAmounts, sameAmount } from '@tillkit/signing'
import type { KnownDecision } from '../../state/decision.js'
import type { PaymentDocument } from '../../state/document.js'
import { creationOf } from '../orders/expected.js'
import type { OpenQuestion, QuestionFacts } from './questions.js'

/** A decision, as a person says it. `order` is the merchant's id of an order; default: the only one that there is such a question about. */
export type WantedDecision =
  /** A request that was not answered did nothing. */
  | { readonly kind: 'failed'; readonly order?: string | undefined; readonly request?: string | undefined }
  /** The gateway has it: an order under this id of the gateway's, a change under this serial number. */
  | {
      readonly kind: 'arrived'
      readonly order?: string | undefined
      readonly request?: string | undefined
      readonly orderId?: string | undefined
      readonly serialNumber?: string | undefined
    }
  /**
   * This one of the words with which the gateway contradicted itself is so: the latest, or, of a change without a serial number, an earlier
   * one, where the latest failed and was about another change.
   */
  | {
      readonly kind: 'settled'
      readonly order?: string | undefined
      readonly stage?: StageName | undefined
      readonly serialNumber?: string | undefined
      readonly outcome: FinalOutcome
      /** Major units; needed where the gateway named two amounts, or there are two such changes without a serial number. */
      readonly amount?: string | undefined
    }
  /** This one of two orders that brought money is given back. */
  | { readonly kind: 'give-back'; readonly order: string }
  /** No customer is to pay this open order any more: the next one may be opened. */
  | { readonly kind: 'abandon'; readonly order?: string | undefined }
  /** What callbacks said of this order may be so, and no more can be known of it: totals stay uncertain. */
  | { readonly kind: 'noted'; readonly order?: string | undefined }
  /** The gateway has nothing of what callbacks said of this order. */
  | { readonly kind: 'dismissed'; readonly order?: string | undefined }
  /** The outcome with this idempotency key counts as told, although the handler fails. */
  | { readonly kind: 'skip'; readonly outcome: string }

/**
 * The word of status when it was asked after the person had spoken. `shown`: it answered, and the request is there, or it knows the order
 * that the request was to make. `not-shown`: it does not know that order; of a change, it shows none. `confirmed`: asked by the very id
 * that the person named, it answered about that. `no-answer`: nothing follows.
 */
export interface StatusWord {
  readonly kind: 'shown' | 'not-shown' | 'confirmed' | 'no-answer'
  /** For the person: what it said. */
  readonly explanation: string
  /** How the disputed stage ended, and the amount in major units, where it was about that. */
  readonly outcome?: FinalOutcome | undefined
  readonly amount?: string | undefined
}

/** The facts that are known besides the document. */
export interface DecisionFacts extends QuestionFacts {
  readonly person: Person
  /** When the person spoke: it is not about what happened since. Default: `at`. */
  readonly spokenAt?: number
  /** Absent for what status cannot say anything of. */
  readonly status?: StatusWord | undefined
  /** Above which amounts two persons have to say the same; undefined: one will do. */
  readonly secondPersonAbove?: AmountsByCurrency | undefined
}

/**
 * Why a decision was not taken.
 *
 * `nothing-to-decide`: there is no such question, or none any more. `which`: there are several; name the order, the request or the stage.
 * `under-way`: the request may still have been on its way when the person spoke, or the question is less than ten minutes old.
 * `status-differs`: status says something else, and the gateway's word counts. `no-answer`: status did not answer. `full`: the document has
 * no room for another decision.
 */
export type DecisionRefusal = 'nothing-to-decide' | 'which' | 'under-way' | 'status-differs' | 'no-answer' | 'full'

/** A decision that was not taken: nothing was written. */
export interface RefusedDecision {
  readonly kind: 'refused'
  readonly because: DecisionRefusal
  /** One or two sentences for the person. */
  readonly explanation: string
}

/** The result of a decision. `again`: it was decided so before. */
export type DecisionVerdict =
  | {
      readonly kind: 'done'
      readonly again: boolean
      readonly document: PaymentDocument
      readonly decision: KnownDecision
    }
  | { readonly kind: 'needs-second-person'; readonly document: PaymentDocument; readonly decision: KnownDecision }
  | RefusedDecision

export const refused = (because: DecisionRefusal, explanation: string): RefusedDecision => ({
  kind: 'refused',
  because,
  explanation,
})

/** Whether a decision can be an answer to a question, as far as the person says what it is about. */
export function isAnswerTo(wanted: WantedDecision, question: OpenQuestion): boolean {
  if ('order' in wanted && wanted.order !== undefined && wanted.order !== question.clientOrderId) return false
  switch (wanted.kind) {
    case 'failed':
    case 'arrived':
      return (
        question.kind === 'unknown' && (wanted.request === undefined || wanted.request === question.attempt.reservation)
      )
    case 'settled':
      return (
        question.kind === 'disputed' &&
        (wanted.stage === undefined || wanted.stage === question.stage.stage) &&
        (wanted.serialNumber === undefined || wanted.serialNumber === question.stage.serialNumber)
      )
    case 'give-back':
      return question.kind === 'surplus'
    case 'abandon':
      return question.kind === 'open-order'
    case 'noted':
    case 'dismissed':
      return question.kind === 'not-shown'
    default:
      return question.kind === 'failing' && question.outcome === wanted.outcome
  }
}

/** Amounts in major units by ISO 4217 code. */
export type AmountsByCurrency = Readonly<Record<string, string>>

/**
 * Whether two persons have to say the same: the question is about more money than the limit of its currency. Where it is not known how much
 * it is about, or the currency has no limit, two have to. What moves no money needs one.
 *
 * @param above Undefined: one person will do for everything.
 */
export function needsSecondPerson(question: OpenQuestion, above: AmountsByCurrency | undefined): boolean {
  if (above === undefined || movesNoMoney(question)) return false
  const { amounts, currency } = moneyOf(question)
  const limit = currency === undefined || !Object.hasOwn(above, currency) ? undefined : above[currency]
  if (limit === undefined || amounts.length === 0) return true
  return amounts.some(amount => !sameAmount(amount, amount) || compareAmounts(amount, limit) > 0)
}

function movesNoMoney({ order, kind, ...more }: OpenQuestion): boolean {
  if (kind === 'surplus') return false
  const names = 'attempt' in more ? more.attempt.stages : 'stage' in more ? [more.stage.stage] : []
  return names.length > 0 && names.every(each => moneyMoved(each) === 'none')
}

/** All amounts that a question may be about, in major units, and their currency. */
function moneyOf(question: OpenQuestion) {
  const { order } = question
  const creation = creationOf(order)
  const made = [creation?.attempt, creation?.stage]
  const about =
    'attempt' in question
      ? question.attempt.amount === undefined
        ? made
        : [question.attempt]
      : 'stage' in question
        ? [question.stage, question.stage.restated]
        : made
  const amounts = about.flatMap(each => each?.amount ?? [])
  const currency = [...about, ...made].find(each => each?.currency !== undefined)?.currency
  return { amounts, currency: currency?.trim() }
}
