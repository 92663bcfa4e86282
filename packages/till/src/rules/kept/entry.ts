import { quote } from '@tillkit/protocol'
import { historyOf } from '../../history/news.js'
import { isKnownFact, readHistory } from '../../history/read-history.js'
import { isUnresolved } from '../../state/attempt-rules.js'
import { documentVersion, emptyDocument, type PaymentDocument } from '../../state/document.js'
import { toDocument } from '../../state/evolve.js'
import { type History, historyVersion, type Pointer } from '../../state/facts.js'
import { isUntold, type KnownAttempt, type KnownOrder, quietFrom } from '../../state/known.js'
import { isPaymentKey } from '../../store/keys.js'
import { type Entry, type Stored, StoreError } from '../../store/store.js'
import { isUnmatched, listOf, openAttempts } from './lists.js'
import { firstLookAt, nextLookAt } from './watch.js'

/** A store keeps this under a key: the history of a payment, the payment of an adopted order, or a document of the till itself. */
export type Kept = History | Pointer | Omit<PaymentDocument, 'facts'>

/** Gives what a store keeps of a document under a key: of a payment its history, and everything else as it is. */
export function keptOf(document: PaymentDocument, key: string): Kept {
  const { facts: _none, ...own } = document
  if (!isPaymentKey(key)) return own
  const { movedTo: alias, reference } = document
  return alias === undefined ? historyOf(document) : { v: historyVersion, reference, alias }
}

/** Gives what a store writes of a document, with its list and its date. @param kept Default: its history. */
export function entryOf(document: PaymentDocument, kept: Kept = historyOf(document)): Entry {
  return { body: JSON.stringify(kept), due: dueOf(document), list: listOf(document) }
}

/**
 * Reads what a store keeps.
 *
 * @throws {StoreError} `ERR_STORE_DOCUMENT` for what is no payment and no document of a till, and for one of another release: nothing may
 * be sent or told about it here.
 */
export function readDocument({ key, body }: Stored): PaymentDocument {
  const unreadable = (why: string, cause?: unknown) =>
    new StoreError(
      'ERR_STORE_DOCUMENT',
      `What the store keeps under ${JSON.stringify(key)} ${why}. Nothing was sent, told or written about it.`,
      { cause },
    )
  let kept: Partial<PaymentDocument & Pointer & History> | null
  try {
    kept = JSON.parse(body)
  } catch (cause) {
    throw unreadable('is no JSON: somebody else wrote it, or it was damaged. Restore it from a backup', cause)
  }
  const { v, reference, orders, alias, facts } = kept ?? {}
  if (typeof v !== 'number' || typeof reference !== 'string') throw unreadable('is no payment')
  const isOfPayment = isPaymentKey(key)
  const newest = isOfPayment ? historyVersion : documentVersion
  if (v > newest)
    throw unreadable(
      `was written by a later release (version ${v}; this one reads up to ${newest}): update this process`,
    )
  if (v < newest)
    throw unreadable(`was written before payments were kept as histories (version ${v}; this one reads ${newest})`)
  if (!isOfPayment) {
    if (!Array.isArray(orders)) throw unreadable('is no document of a till')
    return { ...(kept as PaymentDocument), facts: [] }
  }
  if (alias !== undefined && facts !== undefined) throw unreadable('is a payment and says that it is elsewhere')
  if (typeof alias === 'string') return { ...emptyDocument(reference), movedTo: alias }
  if (!Array.isArray(facts)) throw unreadable('is no payment: it has no facts')
  const later = facts.find(each => !isKnownFact(each))
  if (later !== undefined)
    throw unreadable(`has a fact of kind ${kindOf(later)}, which a later release wrote: update this process`)
  try {
    return toDocument(readHistory(kept as History))
  } catch (cause) {
    throw unreadable(
      'has a fact that cannot be read: it was damaged, or a later release wrote it. Update this process, or restore it from a backup',
      cause,
    )
  }
}

/** The kind of what may be no fact at all. */
function kindOf(fact: unknown): string {
  const kind: unknown = Reflect.get(Object(fact), 'kind')
  return quote(typeof kind === 'string' ? kind : undefined)
}

/**
 * When somebody must look at a document again, in milliseconds of the store's clock; null: there is nothing left to do. It is
 * never later than something has to be done, and may be earlier: a date that stays costs a store nothing.
 */
export function dueOf(document: PaymentDocument): number | null {
  if (document.over !== undefined) return null
  const watched = document.orders.flatMap(order => firstLookAt(order) ?? [])
  const earliest = Math.min(openFrom(document), ...watched)
  return earliest === Number.POSITIVE_INFINITY ? null : earliest
}

/** Since when there is something to do about what has not ended or was not told; never, where there is nothing. */
function openFrom({ orders, telling, wishes = [] }: PaymentDocument): number {
  let earliest = Math.min(telling?.until ?? Number.POSITIVE_INFINITY, ...wishes.map(({ since }) => since))
  for (const order of orders) {
    for (const each of attemptsToAskAbout(order)) earliest = Math.min(earliest, quietFrom(each))
    if (order.callbackAt !== undefined && !isUnmatched(order)) earliest = Math.min(earliest, order.callbackAt)
    if (isUnmatched(order)) earliest = Math.min(earliest, order.unmatched?.offerAt ?? earliest)
    // While one outcome is told the others wait.
    if (telling !== undefined) continue
    for (const each of order.stages) if (isUntold(each)) earliest = Math.min(earliest, each.askedAt)
  }
  return earliest
}

/** Least pause before another look at what brought no news, in milliseconds. */
const leastPause = 60_000

/** The pause where there is nothing to look at any more, in milliseconds: a store has no way to take a date away. */
const longestPause = 365 * 86_400_000

/**
 * When to look again at a document that had nothing new. What has not ended: a quarter of its age later, so that what never ends is looked
 * at some sixty times in a year, and takes no turn from what can end. What ended without money: by the days since then.
 *
 * @param at What the store's clock says, in milliseconds; so is what it gives.
 */
export function lookAgainAt(document: PaymentDocument, at: number): number {
  const { orders } = document
  const times = orders.flatMap(({ attempts, callbackAt = 0 }) => [callbackAt, ...attempts.map(each => each.reservedAt)])
  const age = at - Math.max(0, ...times)
  const isOver = openFrom(document) === Number.POSITIVE_INFINITY
  const open = isOver ? longestPause : Math.max(leastPause, Math.floor(age / 4))
  return Math.min(at + open, ...orders.flatMap(order => nextLookAt(order, at) ?? []))
}

/**
 * Requests whose end is not known: those that are open, those that move no money, and so make no stage, and changes that status may
 * have shown before that could be judged.
 */
const attemptsToAskAbout = (order: KnownOrder): readonly KnownAttempt[] => [
  ...openAttempts(order),
  ...order.attempts.filter(each => (each.stages.length === 0 || each.effect === 'changes') && isUnresolved(each)),
]
