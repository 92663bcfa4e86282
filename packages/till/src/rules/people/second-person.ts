import { moneyMoved } from '@tillkit/protocol'
import { compareAmounts, sameAmount } from '@tillkit/signing'
import { creationOf } from '../orders/expected.js'
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
