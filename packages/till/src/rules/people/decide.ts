import { isSamePerson } from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import { overMoney } from '../../history/names.js'
import { type DecidedMatter, isSameMatter, type KnownDecision } from '../../state/decision.js'
import type { PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { hasRoom } from '../../state/room.js'
import { present } from '../../state/values.js'
import { mayBeAnothers } from '../orders/dispute.js'
import { carriedOut, matterOf, refusalOf, wordBefore } from './answers.js'
import { type OpenQuestion, openQuestions, type QuestionFacts } from './questions.js'
import {
  type DecisionFacts,
  type DecisionVerdict,
  isAnswerTo,
  needsSecondPerson,
  refused,
  type WantedDecision,
} from './wanted.js'

/** The questions that a decision may be an answer to. What status shows by now is one where there is no other. */
export function questionsFor(
  document: PaymentDocument,
  wanted: WantedDecision,
  facts: QuestionFacts,
): readonly OpenQuestion[] {
  const all = openQuestions(document, facts).filter(each => isAnswerTo(wanted, each))
  const open = all.filter(each => each.kind !== 'unknown' || each.shown === undefined)
  return toldApart(open.length === 0 ? all : open, wanted)
}

/**
 * Changes without a number are told apart by the amount that the person names. If all that are left are equal, the latest is meant: the
 * sum is the same whichever of them moved.
 */
function toldApart(found: readonly OpenQuestion[], wanted: WantedDecision): readonly OpenQuestion[] {
  const unnumbered = found.flatMap(each => (each.kind === 'disputed' && mayBeAnothers(each.stage) ? [each] : []))
  if (wanted.kind !== 'settled' || unnumbered.length < found.length) return found
  const { amount: wantedAmount = '' } = wanted
  const named = unnumbered.filter(({ stage: { amount = '?' } }) => sameAmount(amount, wantedAmount))
  const left = named.length > 0 ? named : unnumbered
  const kinds = new Set(left.map(({ clientOrderId, stage }) => [clientOrderId, stage.stage, stage.amount].join()))
  return kinds.size === 1 ? left.slice(-1) : left
}

/**
 * Decides whether a person's word counts, by all that the payment's document says, and writes it down. A gate: what it gives may be written
 * at the version that was read, and at no other. The gateway's word counts more than a person's: what status shows is not decided.
 */
export function decideMatter(document: PaymentDocument, wanted: WantedDecision, facts: DecisionFacts): DecisionVerdict {
  const found = questionsFor(document, wanted, facts)
  const [question, ...others] = found
  if (others.length > 0)
    return refused('which', `There are ${found.length} such questions: ${found.map(nameOf).join('; ')}.`)
  const matter = question === undefined ? undefined : matterOf(question, wanted)
  // If there is surplus again, the decision before came to nothing: the other order had gone back, or was disputed.
  const before = question?.kind === 'surplus' ? undefined : doneBefore(document, wanted, matter)
  if (before !== undefined) return { kind: 'done', again: true, document, decision: before }
  if (question === undefined || matter === undefined) return noQuestion(document, wanted)
  const refusal = refusalOf(question, wanted, facts)
  if (refusal !== undefined) return refusal
  const { person, at } = facts
  const word = { who: person.who, why: person.why, at }
  const proposed = document.decisions?.find(each => each.proposal === 'open' && isSameMatter(each.matter, matter))
  const isFirst = proposed === undefined || isSamePerson(proposed, person)
  if (needsSecondPerson(question, facts.secondPersonAbove) && isFirst) {
    const decision: KnownDecision = proposed ?? { matter, ...word, proposal: 'open' }
    const after = proposed === undefined ? withDecision(document, decision) : document
    return fitting({ kind: 'needs-second-person', document: after, decision })
  }
  const first = isFirst ? undefined : { who: proposed.who, why: proposed.why, at: proposed.at }
  const decision = { matter, ...word, ...present({ first, before: wordBefore(question) }) }
  // A decision comes before what follows from it.
  const after = carriedOut(withDecision(document, decision), question, decision, facts)
  return fitting({ kind: 'done', again: false, document: after, decision })
}

const withDecision = (document: PaymentDocument, decision: KnownDecision): PaymentDocument =>
  evolve(document, { kind: 'decided', decision })

const fitting = (verdict: Exclude<DecisionVerdict, { kind: 'refused' }>): DecisionVerdict =>
  hasRoom(verdict.document, 'status') ? verdict : refused('full', 'The document has no room for another decision.')

const nameOf = (question: OpenQuestion): string => {
  const { clientOrderId } = question
  if ('attempt' in question) return `${clientOrderId}, request ${question.attempt.reservation}`
  return 'stage' in question ? `${clientOrderId}, ${question.stage.stage}${overMoney(question.stage)}` : clientOrderId
}

/** The same decision, made before: by this question's name, or where the question is gone since, by all that the person says. */
function doneBefore(
  { decisions = [] }: PaymentDocument,
  wanted: WantedDecision,
  matter: DecidedMatter | undefined,
): KnownDecision | undefined {
  return decisions.findLast(
    each =>
      each.proposal === undefined &&
      (matter === undefined ? isWhatWasWanted(each.matter, wanted) : isSameMatter(each.matter, matter)),
  )
}

function isWhatWasWanted(matter: DecidedMatter, { kind, ...wanted }: WantedDecision): boolean {
  const said = new Map<string, unknown>([...Object.entries(matter), ['order', matter.clientOrderId]])
  // A stage is known by its place once it was settled.
  const about = Object.entries(wanted).filter(([field]) => kind !== 'settled' || field !== 'serialNumber')
  return matter.kind === kind && about.every(([field, value]) => value === undefined || said.get(field) === value)
}

function noQuestion({ decisions = [] }: PaymentDocument, { kind }: WantedDecision): DecisionVerdict {
  const last = decisions.findLast(({ proposal }) => proposal === undefined)
  const said = last === undefined ? '' : ` The last decision was ${JSON.stringify(last.matter.kind)}, by ${last.who}.`
  return refused('nothing-to-decide', `There is no question that ${JSON.stringify(kind)} would answer now.${said}`)
}
