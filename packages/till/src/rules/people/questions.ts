/**
 * The questions about a payment that a person can end. What is incomplete ends by itself as well, where status says more.
 *
 * @module
 */

import { type Attempt, mayRepeat, type StageName, type WireProfile } from '@tillkit/protocol'
import { isUnresolved, mayHaveArrived } from '../../state/attempt-rules.js'
import type { KnownDecision } from '../../state/decision.js'
import type { PaymentDocument } from '../../state/document.js'
import {
  type KnownAttempt,
  type KnownOrder,
  type KnownStage,
  quietFrom,
  type Telling,
  type UnshownCallback,
} from '../../state/known.js'
import { latestOutcome } from '../../state/late-approval.js'
import { claimedOutcome } from '../delivery/delivery.js'
import { changeFailed, wholeReturns } from '../orders/change-limits.js'
import { disputeOf, isDisputedStage, moneyAskedFor } from '../orders/dispute.js'
import { creationOf, hasEnded, isAsMuch, shownAttempts, shownBeyond } from '../orders/expected.js'
import { undecidedOf } from '../orders/open-callbacks.js'
import { formEndsAt } from '../pay/next-step.js'
import { approvedCreation, ordersWithMoney, standingOf, standingsOf } from '../pay/standing.js'

/** An order that a person must decide about, in the words of its document. */
interface AboutOrder {
  readonly order: KnownOrder
  readonly clientOrderId: string
}

/** A question as the rules see it. */
export type OpenQuestion =
  | (AboutOrder & {
      readonly kind: 'unknown'
      readonly attempt: KnownAttempt
      /** The stage that status shows of it; then it is no question any more, though nobody wrote that down. */
      readonly shown: KnownStage | undefined
    })
  | (AboutOrder & { readonly kind: 'disputed'; readonly stage: KnownStage; readonly place: number })
  | (AboutOrder & { readonly kind: 'surplus' })
  | (AboutOrder & { readonly kind: 'open-order'; readonly attempt: KnownAttempt })
  | (AboutOrder & { readonly kind: 'incomplete'; readonly attempt: KnownAttempt; readonly later: KnownStage })
  | (AboutOrder & { readonly kind: 'not-shown'; readonly callbacks: readonly UnshownCallback[] })
  | (AboutOrder & {
      readonly kind: 'failing'
      readonly stage: KnownStage
      readonly telling: Telling
      readonly outcome: string
    })

/** The facts that are known besides the document. */
export interface QuestionFacts {
  /** The time of the store's clock, in milliseconds. */
  readonly at: number
  readonly profile: WireProfile
}

/** Lists everything of a payment that only a person can end. A request whose answer may still come is in it: it cannot be ended yet. */
export function openQuestions(document: PaymentDocument, { at, profile }: QuestionFacts): readonly OpenQuestion[] {
  if (document.over !== undefined) return []
  const { orders } = document
  // One of two may go back, and never both.
  const approved = ordersWithMoney(standingsOf(orders, at, profile), profile).filter(
    order => !isGoingBack(document, order),
  )
  return orders.flatMap((order): readonly OpenQuestion[] => {
    const { clientOrderId } = order
    if (clientOrderId === undefined) return []
    const about = { order, clientOrderId }
    const unknown = shownAttempts(order).flatMap(({ attempt, stage }) =>
      isUnresolved(attempt) ? [{ ...about, kind: 'unknown' as const, attempt, shown: stage }] : [],
    )
    const disputed = order.stages.flatMap((stage, place) =>
      // The profile, and not a person, says what a stage that is not known here does to money.
      stage.stage !== 'unrecognized' && isDisputedStage(order, stage, profile)
        ? [{ ...about, kind: 'disputed' as const, stage, place }]
        : [],
    )
    const unpaid = unpaidRequestOf(order, { at, profile })
    const openOrder = unpaid === undefined ? [] : [{ ...about, kind: 'open-order' as const, attempt: unpaid }]
    const beyond = approvedCreation(order, profile) === undefined ? shownBeyond(order) : undefined
    const incomplete = [...hiddenChanges(order, at), beyond].flatMap(each =>
      each === undefined ? [] : [{ ...about, kind: 'incomplete' as const, ...each }],
    )
    const callbacks = undecidedOf(order, document, profile)
    const notShown = callbacks.length === 0 ? [] : [{ ...about, kind: 'not-shown' as const, callbacks }]
    const surplus = approved.length > 1 && approved.includes(order) ? [{ ...about, kind: 'surplus' as const }] : []
    const asked = [...unknown, ...disputed, ...openOrder, ...incomplete, ...notShown, ...surplus]
    return [...asked, ...failing(document, about)]
  })
}

/** Orders that wait for a customer. Money that is sent is never given up: it would be sent twice. */
const ofCustomers: ReadonlySet<StageName> = new Set(['sale', 'preauth', 'verification'])

/**
 * The request for an order that waits for a customer, as far as anybody knows. Not that of a stored card: its holder is absent. Of an order
 * from elsewhere nobody knows how it was asked for.
 */
function unpaidRequestOf(order: KnownOrder, { at, profile }: QuestionFacts): KnownAttempt | undefined {
  const { attempt } = creationOf(order) ?? {}
  const hasEnded = order.stages.some(({ outcome }) => outcome !== undefined)
  const isOpen = attempt?.end?.kind === 'accepted' && !hasEnded && standingOf(order, at, profile) === 'open'
  const isStoredCard = attempt?.operation === 'makeRebill' && order.adoptedAt === undefined
  return isOpen && !isStoredCard && attempt.stages.some(each => ofCustomers.has(each)) ? attempt : undefined
}

/**
 * Changes that the gateway took some time ago, without a number, and that status does not show. One of their kind is there that may be
 * over as much, and may be either; or another one was seen since, and status shows the last one alone.
 */
function hiddenChanges(order: KnownOrder, at: number) {
  return shownAttempts(order).flatMap(({ attempt: { effect, end }, attempt, stage }) => {
    const isNumberless = end?.kind === 'accepted' && end.serialNumber === undefined
    const isHidden = effect === 'changes' && isNumberless && stage === undefined && at >= quietFrom(attempt)
    const later = isHidden ? order.stages.find(each => hasEnded(each) && mayHide(each, attempt)) : undefined
    return later === undefined ? [] : [{ attempt, later }]
  })
}

const mayHide = (stage: KnownStage, attempt: KnownAttempt): boolean =>
  (attempt.stages.includes(stage.stage) && isAsMuch(stage, attempt)) ||
  (mayRepeat(stage.stage) && stage.askedAt > attempt.reservedAt)

/** Whether all of an order's money is on its way back, or is to be sent back. */
function isGoingBack({ wishes = [] }: PaymentDocument, order: KnownOrder): boolean {
  const isWanted = wishes.some(
    ({ clientOrderId, name, part }) =>
      clientOrderId === order.clientOrderId && name !== 'capture' && part === undefined,
  )
  return isWanted || wholeReturns(order).some(each => mayHaveArrived(each) && !changeFailed(order, each))
}

function failing(document: PaymentDocument, about: AboutOrder): readonly OpenQuestion[] {
  const { telling } = document
  const claimed = telling?.failed && claimedOutcome(document, telling.token)
  if (telling === undefined || claimed?.order !== about.order) return []
  const { stage, key: outcome } = claimed
  return (stage.told ?? 0) >= telling.words ? [] : [{ ...about, kind: 'failing', stage, telling, outcome }]
}

/** A question about a payment that only a person can end, for that person. Times are in milliseconds of the store's clock. */
export type PaymentQuestion = {
  /** The merchant's id of the order that it is about. */
  readonly order: string
  /** The proposals of one person for that order, where a second person has to say the same. */
  readonly proposed: readonly KnownDecision[]
} & (
  | {
      /** A request was not answered. Answers: `failed`, `arrived`. */
      readonly kind: 'unknown'
      readonly request: string
      readonly operation: string
      /** `creates`: it is known at the gateway by an order id. `changes`: by a serial number. */
      readonly effect: Attempt['effect']
      readonly amount: string | undefined
      readonly currency: string | undefined
      readonly since: number
    }
  | {
      /** The gateway contradicted itself, or approved what was not asked for. Answer: `settled`. */
      readonly kind: 'disputed'
      readonly explanation: string
      readonly stage: StageName
      readonly serialNumber: string | undefined
      /** The gateway's words, and the amounts that it named, the first one first. */
      readonly words: readonly string[]
      readonly amounts: readonly string[]
    }
  | {
      /** Two orders brought money, and this is one of them. Answer: `give-back`. */
      readonly kind: 'surplus'
      readonly amount: string | undefined
      readonly currency: string | undefined
    }
  | {
      /**
       * An order that waits for a customer, on a form or in 3DS, has not ended by what the gateway says, and its time is over. Answer:
       * `abandon`.
       */
      readonly kind: 'open-order'
      readonly amount: string | undefined
      readonly currency: string | undefined
      readonly since: number
    }
  | {
      /**
       * Status shows another change of the order, and not how this request ended: the store was restored, answers were lost, both are over
       * the same amount, or the gateway gave this one no serial number and shows the last change alone. Answer: `till.adopt` with the
       * serial numbers of its requests, which the gateway's screens show.
       */
      readonly kind: 'incomplete'
      readonly operation: string
      readonly amount: string | undefined
      readonly currency: string | undefined
      readonly since: number
      /** Status shows this change instead. */
      readonly stage: StageName
      readonly status: string
    }
  | {
      /**
       * Verified callbacks said this, and status did not show it within an hour. The question ends by itself once status shows it;
       * `till.adopt` takes the serial numbers that the gateway's screens show. Answers: `noted`, where no more can be known (totals stay
       * uncertain); `dismissed`, where the gateway has nothing of it (totals count again).
       */
      readonly kind: 'not-shown'
      readonly callbacks: readonly UnshownCallback[]
    }
  | {
      /** The handler fails. Answer: `skip`. */
      readonly kind: 'failing'
      /** Idempotency key of the outcome. */
      readonly outcome: string
      readonly stage: StageName
      readonly since: number
      readonly tries: number
      readonly error: string
    }
)

/** Lists everything of a payment that only a person can end, in words of its own. */
export const questionsOf = (document: PaymentDocument | undefined, facts: QuestionFacts): readonly PaymentQuestion[] =>
  document === undefined
    ? []
    : openQuestions(document, facts)
        .filter(each => each.kind !== 'unknown' || each.shown === undefined)
        .filter(each => each.kind !== 'open-order' || facts.at >= formEndsAt(each.attempt, facts.profile))
        .map(each => forPeople(each, document, facts))

function forPeople(
  question: OpenQuestion,
  { decisions = [] }: PaymentDocument,
  { profile }: QuestionFacts,
): PaymentQuestion {
  const { kind, order, clientOrderId } = question
  const proposed = decisions.filter(each => each.proposal === 'open' && each.matter.clientOrderId === clientOrderId)
  const about = { order: clientOrderId, proposed }
  switch (kind) {
    case 'unknown': {
      const { reservation, operation, effect, amount, currency, reservedAt } = question.attempt
      return { kind, ...about, request: reservation, operation, effect, amount, currency, since: reservedAt }
    }
    case 'disputed': {
      const { stage } = question
      const words = [stage.status, ...stage.corrections.map(({ to }) => to)]
      const amounts = [stage.amount, stage.restated?.amount].filter(each => each !== undefined)
      const { explanation = '' } = disputeOf(stage, moneyAskedFor(order, stage), profile) ?? {}
      return { kind, ...about, explanation, stage: stage.stage, serialNumber: stage.serialNumber, words, amounts }
    }
    case 'open-order': {
      const { amount, currency, reservedAt } = question.attempt
      return { kind, ...about, amount, currency, since: reservedAt }
    }
    case 'incomplete': {
      const { operation, amount, currency, reservedAt } = question.attempt
      const { stage, status } = question.later
      return { kind, ...about, operation, amount, currency, since: reservedAt, stage, status }
    }
    case 'not-shown':
      return { kind, ...about, callbacks: question.callbacks }
    case 'surplus': {
      const { amount, currency } = approvedCreation(order, profile) ?? creationOf(order)?.attempt ?? {}
      return { kind, ...about, amount, currency }
    }
    case 'failing': {
      const { outcome, stage, telling } = question
      const { since = 0, tries = 0, error = '' } = telling.failed ?? {}
      return { kind, ...about, outcome, stage: stage.stage, since, tries, error }
    }
  }
}

/** How a stage has ended by its latest word. */
export const latestWord = (stage: KnownStage, profile: WireProfile) => ({
  outcome: latestOutcome(stage, profile),
  word: stage.corrections.at(-1)?.to ?? stage.status,
})
