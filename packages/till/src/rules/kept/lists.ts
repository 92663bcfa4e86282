/**
 * The list that a document stands on. A store has one list for each document, so the name of the list is all that is so of it, the most
 * important first: `surplus+unknown+failing`. Whoever counts adds up the lists whose names have a word.
 *
 * @module
 */

import { defaultProfile, type WireProfile } from '@tillkit/protocol'
import { isUnresolved, mayHaveArrived } from '../../state/attempt-rules.js'
import type { PaymentDocument } from '../../state/document.js'
import { isUntold, type KnownAttempt, type KnownOrder } from '../../state/known.js'
import { hasShownEnd, isAwaited, shownAttempts } from '../orders/expected.js'
import { undecidedOf } from '../orders/open-callbacks.js'
import { isAbandoned } from '../orders/reserve.js'
import { isForm } from '../pay/next-step.js'
import { ordersWithMoney, standingsOf } from '../pay/standing.js'

/**
 * The reason for which a document is listed.
 *
 * `surplus`: two orders of the payment took or hold money. `needs-person`: the gateway contradicted itself, said more than there is room
 * for, or a callback said what status did not show. `unknown`: a request was not answered, and status has not shown what became of it.
 * `open`: the gateway is at work on a request. `form`: a customer has a form, and nothing else is open. `failing`: the handler fails.
 * `untold`: it was not told yet of something. `unmatched`: a verified callback came for an order that no request in the store is behind;
 * nothing else is so of such a document.
 */
export type ListWord = 'surplus' | 'needs-person' | 'unknown' | 'open' | 'form' | 'failing' | 'untold' | 'unmatched'

/** A document has one word at most of each group. Those who read lists read them in this order. */
const groups = [
  ['surplus', 'needs-person', undefined],
  ['unknown', 'open', 'form', undefined],
  ['failing', 'untold', undefined],
] as const satisfies readonly (readonly (ListWord | undefined)[])[]

const nameOf = (words: readonly (ListWord | undefined)[]): string => words.filter(word => word !== undefined).join('+')

const allNames: readonly string[] = [
  ...groups[0].flatMap(first => groups[1].flatMap(second => groups[2].map(third => nameOf([first, second, third])))),
  'unmatched',
].filter(name => name !== '')

/** The lists of the documents that are listed for a word, the most important first. */
export const listsFor = (word: ListWord): readonly string[] =>
  allNames.filter(name => name.split('+').some(each => each === word))

/** The list that a document stands on; null: none. It goes by what the document says, and not by any clock. */
export function listOf(document: PaymentDocument, profile: WireProfile = defaultProfile): string | null {
  const { orders, telling, over } = document
  if (over !== undefined) return null
  if (orders.some(isUnmatched)) return 'unmatched'
  const untold = orders.some(({ stages }) => stages.some(isUntold)) ? 'untold' : undefined
  const handler = telling?.failed === undefined ? untold : 'failing'
  const name = nameOf([standingWord(document, profile), workWord(orders), handler])
  return name === '' ? null : name
}

/** Whether nothing is known of an order but that a callback came for it: no request in the store is behind it. */
export const isUnmatched = ({ attempts, stages, callbackAt }: KnownOrder): boolean =>
  callbackAt !== undefined && attempts.length === 0 && stages.length === 0

function standingWord(document: PaymentDocument, profile: WireProfile): 'surplus' | 'needs-person' | undefined {
  const { orders } = document
  // Whether a request may still be answered decides about none of these.
  const all = standingsOf(orders, Number.POSITIVE_INFINITY, profile)
  if (all.some(({ standing }) => standing === 'disputed')) return 'needs-person'
  if (ordersWithMoney(all, profile).length > 1) return 'surplus'
  return orders.some(each => undecidedOf(each, document, profile).length > 0) ? 'needs-person' : undefined
}

function workWord(orders: readonly KnownOrder[]): 'unknown' | 'open' | 'form' | undefined {
  // The payment went on without those that were abandoned.
  const awaited = orders.filter(each => !isAbandoned(each))
  if (awaited.some(each => unknownAttempts(each).length > 0)) return 'unknown'
  const open = awaited.flatMap(openAttempts)
  if (open.length === 0) return undefined
  return open.every(each => each.effect === 'creates' && isForm(each)) ? 'form' : 'open'
}

/**
 * Requests of an order of which it is not known what became of them: they were not answered, or the process that sent them never said how
 * they ended and that was noticed, and status has not shown their stage. What moves no money counts while the order is under way.
 */
export function unknownAttempts(order: KnownOrder): readonly KnownAttempt[] {
  const isUnanswered = (each: KnownAttempt): boolean =>
    each.end?.kind === 'unknown' || (each.overdue === true && isUnresolved(each))
  const shown = shownAttempts(order).filter(({ attempt, stage }) => isUnanswered(attempt) && stage === undefined)
  const others = isAwaited(order) ? order.attempts.filter(each => each.stages.length === 0 && isUnanswered(each)) : []
  return [...shown.map(({ attempt }) => attempt), ...others]
}

/** Requests of an order that may have arrived, and whose end status has not shown. */
export const openAttempts = (order: KnownOrder): readonly KnownAttempt[] =>
  shownAttempts(order).flatMap(each => (mayHaveArrived(each.attempt) && !hasShownEnd(each) ? [each.attempt] : []))
