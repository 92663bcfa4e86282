import { compareAmounts, sameAmount } from '@tillkit/signing'
import { moneyMoved } from '../../operations/stages.js'
import type { DecidedMatter, KnownDecision } from '../decision.js'
import type { PaymentDocument } from '../document.js'
import { creationOf } from '../expected.js'
import type { OpenQuestion } from './questions.js'

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

/** Whether two decisions say the same about the same. */
export const isSameMatter = (one: DecidedMatter, other: DecidedMatter): boolean => textOf(one) === textOf(other)

const textOf = (matter: DecidedMatter): string =>
  JSON.stringify(Object.entries(matter).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Most proposals that were replaced, and are kept. */
const mostReplaced = 20

/** Adds a decision. A proposal about the same order is replaced by it, or has become it. */
export function withDecision(document: PaymentDocument, decision: KnownDecision): PaymentDocument {
  const { decisions = [] } = document
  const replaced = decisions.flatMap((each): readonly KnownDecision[] => {
    if (each.proposal !== 'open' || each.matter.clientOrderId !== decision.matter.clientOrderId) return [each]
    return isSameMatter(each.matter, decision.matter) ? [] : [{ ...each, proposal: 'replaced' }]
  })
  const old = replaced.filter(({ proposal }) => proposal === 'replaced')
  const gone = new Set(old.slice(0, Math.max(0, old.length - mostReplaced)))
  return { ...document, decisions: [...replaced.filter(each => !gone.has(each)), decision] }
}
