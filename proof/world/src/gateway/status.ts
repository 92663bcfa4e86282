/** Gives what status says at a moment: it may lag behind the books, or be silent. */
import type { StatusResponse } from '@tillkit/protocol'
import type { Question } from '../../../../packages/till/src/rules/answer.js'
import { itemsOf, type Life } from '../life.js'

/** The answer of status. `absent`: it has never seen the order. `silent`: it gives none. */
export function statusOf(life: Life, question: Question): StatusResponse | 'absent' | 'refused' | 'silent' {
  const age = life.now() - life.birth
  const isNow = ({ at, lasts }: { readonly at: number; readonly lasts: number }): boolean =>
    age >= at && age < at + lasts
  if (itemsOf(life.plan, 'outage').some(isNow)) {
    life.count('fault: status is silent')
    return 'silent'
  }
  const lags = [
    ...itemsOf(life.plan, 'lag')
      .filter(isNow)
      .map(({ at }) => life.birth + at),
    ...life.lags.filter(({ until }) => life.now() < until).map(({ since }) => since),
  ]
  const since = lags.length === 0 ? undefined : Math.min(...lags)
  if (since !== undefined) {
    life.hasLagged = true
    life.count('fault: status lags')
  }
  return life.books.answer(question, since)
}
