import { isUnresolved, readAttempt } from '../attempt-rules.js'
import {
  documentVersion,
  isUntold,
  type KnownAttempt,
  type KnownOrder,
  type PaymentDocument,
  quietFrom,
} from '../document.js'
import { type Entry, type Stored, StoreError } from '../store.js'
import { isUnmatched, listOf, openAttempts } from './lists.js'
import { firstLookAt, nextLookAt } from './watch.js'

/** What is written of a document, with its list and its date. */
export function entryOf(document: PaymentDocument): Entry {
  return { body: JSON.stringify(document), due: dueOf(document), list: listOf(document) }
}

/**
 * Reads what a store keeps.
 *
 * @throws {StoreError} `ERR_STORE_DOCUMENT` for what is no document, or one of a later release: nothing may be sent or told
 * about it here.
 */
export function readDocument({ key, body }: Stored): PaymentDocument {
  const unreadable = (why: string, cause?: unknown) =>
    new StoreError(
      'ERR_STORE_DOCUMENT',
      `What the store keeps under ${JSON.stringify(key)} ${why}. Nothing was sent, told or written about it.`,
      { cause },
    )
  let document: Partial<PaymentDocument> | null
  try {
    document = JSON.parse(body)
  } catch (cause) {
    throw unreadable('is no JSON: somebody else wrote it, or it was damaged. Restore it from a backup', cause)
  }
  const { v, reference, orders } = document ?? {}
  if (typeof v !== 'number' || typeof reference !== 'string' || !Array.isArray(orders))
    throw unreadable('is no payment document')
  if (v > documentVersion) {
    throw unreadable(
      `was written by a later release (version ${v}; this one reads up to ${documentVersion}): update this process`,
    )
  }
  try {
    for (const order of orders as readonly KnownOrder[]) for (const attempt of order.attempts) readAttempt(attempt)
  } catch (cause) {
    throw unreadable('has an attempt that cannot be read', cause)
  }
  return document as PaymentDocument
}

/**
 * When somebody must look at a document again, in milliseconds of the store's clock; null: there is nothing left to do. It is
 * never later than something has to be done, and may be earlier: a date that stays costs a store nothing.
 */
function dueOf(document: PaymentDocument): number | null {
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
  const open = openFrom(document) === Number.POSITIVE_INFINITY ? longestPause : pauseAtAge(at - Math.max(0, ...times))
  return Math.min(at + open, ...orders.flatMap(order => nextLookAt(order, at) ?? []))
}

/** The pause before another look at what is so old, in milliseconds. */
const pauseAtAge = (age: number): number => Math.max(leastPause, Math.floor(age / 4))

/** Requests whose end is not known: those that are open, and those that move no money, and so make no stage. */
const attemptsToAskAbout = (order: KnownOrder): readonly KnownAttempt[] => [
  ...openAttempts(order),
  ...order.attempts.filter(each => each.stages.length === 0 && isUnresolved(each)),
]
