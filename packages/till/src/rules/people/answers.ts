/**
 * The consequences of a person's answer to each kind of question.
 *
 * @module
 */

import { type FinalOutcome, finalOutcome, type WireProfile } from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import type { DecidedMatter, KnownDecision } from '../../state/decision.js'
import type { PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { type Fact, nameOf } from '../../state/facts.js'
import { type KnownOrder, type KnownStage, quietFrom, wordsOf } from '../../state/known.js'
import { present } from '../../state/values.js'
import { withFollowUps } from '../delivery/delivery.js'
import { tenMinutes } from '../delivery/give-back.js'
import { wholeReturns } from '../orders/change-limits.js'
import { disputeOf, mayBeAnothers, moneyAskedFor } from '../orders/dispute.js'
import { attemptEnded } from '../orders/happened.js'
import { saidOf } from '../orders/status-facts.js'
import { abandonOrder, formEndsAt, isForm } from '../pay/next-step.js'
import { latestWord, type OpenQuestion } from './questions.js'
import { type DecisionFacts, type RefusedDecision, refused, type WantedDecision } from './wanted.js'

/** Gives the decision in full. @returns undefined where it is no answer to the question. */
export function matterOf(question: OpenQuestion, wanted: WantedDecision): DecidedMatter | undefined {
  const { clientOrderId } = question
  if (question.kind === 'unknown') {
    const { reservation: request, operation } = question.attempt
    const about = { clientOrderId, operation, request }
    if (wanted.kind === 'failed') return { kind: 'failed', ...about }
    if (wanted.kind !== 'arrived') return undefined
    const { orderId, serialNumber } = wanted
    return { kind: 'arrived', ...about, ...present({ orderId, serialNumber }) }
  }
  if (question.kind === 'disputed' && wanted.kind === 'settled') {
    const { stage, place } = question
    const { outcome, amount } = wanted
    const said = { clientOrderId, place, words: wordsOf(stage), stage: stage.stage, outcome }
    // The amount that only says which stage it is of is no part of the decision.
    return { kind: 'settled', ...said, ...present({ amount: mayBeAnothers(stage) ? undefined : amount }) }
  }
  if (question.kind === 'surplus' && wanted.kind === 'give-back')
    return { kind: 'give-back', clientOrderId, tries: wholeReturns(question.order).length }
  if (question.kind === 'open-order' && wanted.kind === 'abandon') return { kind: 'abandon', clientOrderId }
  if (question.kind === 'not-shown' && (wanted.kind === 'noted' || wanted.kind === 'dismissed'))
    return { kind: wanted.kind, clientOrderId, callbacks: question.order.unshown?.length ?? 0 }
  if (question.kind !== 'failing' || wanted.kind !== 'skip') return undefined
  return { kind: 'skip', clientOrderId, stage: question.stage.stage, outcome: question.outcome }
}

/** Why a person's answer does not count, if it does not. */
export function refusalOf(
  question: OpenQuestion,
  wanted: WantedDecision,
  { at, spokenAt = at, profile, status }: DecisionFacts,
): RefusedDecision | undefined {
  if (question.kind === 'surplus' || question.kind === 'failing' || question.kind === 'incomplete') return undefined
  if (question.kind === 'not-shown') {
    const isNew = question.callbacks.some(({ since }) => spokenAt - since < tenMinutes)
    return isNew
      ? refused(
          'under-way',
          'A part of this question is less than ten minutes old. Look it up at the gateway again, and decide then.',
        )
      : undefined
  }
  if (status === undefined || status.kind === 'no-answer')
    return refused('no-answer', `Status has to be asked first. ${status?.explanation ?? ''}`.trim())
  const differs = (why: string) => refused('status-differs', `${why} ${status.explanation}`.trim())
  if (question.kind === 'disputed') {
    if (wanted.kind !== 'settled') return undefined
    const { stage } = question
    const { outcome, word } = latestWord(stage, profile)
    // The reply of status may be about another one as well: then it is no objection.
    const said = mayBeAnothers(stage) ? undefined : status
    const isLatest = outcome === wanted.outcome && (said?.outcome ?? outcome) === outcome
    if (!isLatest && !isOfAnother(stage, wanted.outcome, profile))
      return differs(`The gateway's latest word is ${JSON.stringify(word)}. Have it corrected there, and decide then.`)
    return amountRefusal(question, wanted.amount, { said: said?.amount, profile })
  }
  if (question.kind === 'open-order') {
    if (status.kind === 'shown' && status.outcome !== undefined) return differs('The gateway says that it has ended.')
    // A customer may go on paying until the time is over. One who has left never will, and the gateway may never say so.
    const hasBegun = status.kind === 'shown' || !isForm(question.attempt)
    return hasBegun && at < formEndsAt(question.attempt, profile) ? differs('A card was given.') : undefined
  }
  const { attempt, order, shown } = question
  if (wanted.kind === 'arrived')
    return status.kind === 'confirmed' ? undefined : differs('Status does not know it under that id.')
  if (shown !== undefined) return differs(`Status shows it: its ${shown.stage} is ${JSON.stringify(shown.status)}.`)
  // The person spoke before the request had ended, and it may have arrived since.
  if (spokenAt < (attempt.end?.at ?? quietFrom(attempt)))
    return refused(
      'under-way',
      'It was still under way. Look at the gateway again in a minute or two, and decide then.',
    )
  const mayExist = attempt.effect === 'creates' && (order.orderId !== undefined || order.callbackAt !== undefined)
  if (mayExist) return differs('The gateway has called back about this order, or given it an id.')
  return status.kind === 'not-shown' ? undefined : differs('Status knows something of it.')
}

/** If the dispute is about the amount, the person says which amount is so, and status must not say another one. */
function amountRefusal(
  { order, stage }: Extract<OpenQuestion, { readonly kind: 'disputed' }>,
  wanted: string | undefined,
  { said, profile }: { readonly said: string | undefined; readonly profile: WireProfile },
): RefusedDecision | undefined {
  const { amount, restated } = stage
  const isAboutMoney = disputeOf(stage, moneyAskedFor(order, stage), profile)?.reason === 'amount-differs'
  if (wanted === undefined && restated === undefined && !isAboutMoney) return undefined
  const named = [amount, restated?.amount].filter(each => each !== undefined)
  const isNamed = wanted !== undefined && named.some(each => sameAmount(each, wanted))
  if (!isNamed) return refused('status-differs', `The gateway named ${named.join(' and ')}: say which "amount" is so.`)
  if (said === undefined || sameAmount(said, wanted)) return undefined
  return refused('status-differs', `Status says ${said} now. Have it corrected there, and decide then.`)
}

/** Gives what is kept with a decision of the stage that it is about, as that stage was. */
export function wordBefore(question: OpenQuestion): KnownDecision['before'] {
  if (question.kind !== 'disputed') return undefined
  const { status, outcome, amount, currency, restated, corrections } = question.stage
  return { status, ...present({ outcome, amount, currency, restated }), corrections }
}

/** A payment after a decision was carried out. */
export function carriedOut(
  document: PaymentDocument,
  question: OpenQuestion,
  { matter, who, why }: Pick<KnownDecision, 'matter' | 'who' | 'why'>,
  { at, profile }: Pick<DecisionFacts, 'at' | 'profile'>,
): PaymentDocument {
  const { order } = question
  const stageOf = (stage: KnownStage) => ({ order: nameOf(order), stage: order.stages.indexOf(stage) + 1 })
  switch (question.kind) {
    case 'unknown': {
      const by = { basis: 'person', note: `${who}: ${why}`, at } as const
      if (matter.kind !== 'arrived') return attemptEnded(document, question.attempt, { kind: 'no-trace', ...by })
      const { orderId, serialNumber } = matter
      const ids = present({ orderId, serialNumber })
      return attemptEnded(document, question.attempt, { kind: 'accepted', ...ids, ...by })
    }
    case 'disputed': {
      if (matter.kind !== 'settled') return document
      const { stage } = question
      const settled = settledStage(stage, matter, profile)
      const told = settled.told === stage.told ? undefined : settled.told
      const news = { said: saidOf(settled), words: wordsOf(stage), ...present({ told }) }
      const facts: Fact[] = [{ kind: 'settled', ...stageOf(stage), ...news }]
      if (isOfAnother(stage, matter.outcome, profile)) facts.push(otherTry(order, stage, profile))
      return evolve(document, ...facts)
    }
    case 'open-order':
      return abandonOrder(document, order, { why: 'by-person', at })
    case 'failing': {
      const { stage, telling } = question
      const words = Math.max(stage.told ?? 0, telling.words)
      const { telling: _over, ...rest } = document
      const more = { words, at, ...present({ approval: stage.approvalTold }) }
      return evolve(rest, { kind: 'delivered', ...stageOf(stage), ...more })
    }
    case 'incomplete':
    case 'not-shown':
      return document
    case 'surplus': {
      // It is sent by whatever process works next, once, and only while the other order keeps its money.
      const name = isHeldOnly(order, profile) ? 'void' : 'return'
      return withFollowUps(document, order, at, [{ name, because: 'surplus' }])
    }
  }
}

/** Whether an order holds money, and none of it was captured. */
const isHeldOnly = ({ stages }: KnownOrder, profile: WireProfile): boolean => {
  const names = stages.filter(each => latestWord(each, profile).outcome === 'approved').map(({ stage }) => stage)
  return names.includes('preauth') && !names.includes('capture')
}

/**
 * Whether a person says that an earlier word of a stage is so still, and that the latest one, a failure, is about another stage, which
 * somebody else tried. Nothing tells the two apart where they have no number.
 */
const isOfAnother = (stage: KnownStage, outcome: FinalOutcome, profile: WireProfile): boolean =>
  mayBeAnothers(stage) &&
  latestWord(stage, profile).outcome !== 'approved' &&
  wordOf(stage, outcome, profile) !== undefined

/** The first word with which a stage ended so, where that is not its latest one. */
function wordOf(stage: KnownStage, outcome: FinalOutcome, profile: WireProfile): string | undefined {
  if (latestWord(stage, profile).outcome === outcome) return undefined
  const words = [stage.status, ...stage.corrections.map(({ to }) => to)]
  return words.find(word => finalOutcome(word, profile) === outcome)
}

/** The latest word of a stage, as a stage of its own. */
function otherTry(order: KnownOrder, stage: KnownStage, profile: WireProfile): Fact {
  const { word, outcome } = latestWord(stage, profile)
  const { stage: name, amount, currency, askedAt: at } = stage
  const said = { stage: name, status: word, ...present({ outcome, amount, currency }) }
  return { kind: 'status', order: nameOf(order), stage: order.stages.length + 1, at, said }
}

/**
 * A stage of which a person settled what is so: the gateway's latest word, or an earlier one, and no other. What the gateway says
 * from now on counts as it does after any other word. It is told once more, unless the merchant was told this very thing before.
 */
export function settledStage(
  stage: KnownStage,
  { outcome, amount }: Pick<Extract<DecidedMatter, { readonly kind: 'settled' }>, 'outcome' | 'amount'>,
  profile: WireProfile,
): KnownStage {
  const { corrections: _words, restated, amountCame: _amount, statusAskedAt: _first, ...rest } = stage
  const words = wordsOf(stage)
  const isRestated = amount !== undefined && restated?.amount !== undefined && sameAmount(amount, restated.amount)
  const money = isRestated ? { amount: restated.amount, currency: restated.currency ?? stage.currency } : {}
  const isOtherMoney = isRestated && (stage.amount === undefined || !sameAmount(restated.amount ?? '', stage.amount))
  const isKnown = outcome === 'approved' && !isOtherMoney && stage.approvalTold === true
  const { currency = rest.currency, ...named } = money
  return {
    ...rest,
    ...named,
    ...present({ currency }),
    status: wordOf(stage, outcome, profile) ?? latestWord(stage, profile).word,
    outcome,
    corrections: [],
    wordsBefore: words,
    ...(isKnown ? { told: words + 1 } : {}),
  }
}
