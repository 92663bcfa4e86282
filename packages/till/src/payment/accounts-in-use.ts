import { setImmediate } from 'node:timers/promises'
import { entryOf, readDocument } from '../rules/kept/entry.js'
import { isWatched } from '../rules/kept/watch.js'
import { isAwaited } from '../rules/orders/expected.js'
import { isUnresolved } from '../state/attempt-rules.js'
import type { PaymentDocument } from '../state/document.js'
import { isUntold, type KnownAttempt } from '../state/known.js'
import { type PaymentPlace, prefixesOf } from '../store/keys.js'
import type { DocumentStore, Stored } from '../store/store.js'

/** Most that a store gives at once: each page costs it a count of all. */
const pageSize = 1000

/** After so many payments that were read the process may do something else. */
const mostInTurn = 50

/**
 * Finds the payments of a till that something is open of, and that have an order of one of these logins. It reads every payment.
 *
 * @returns Their references, by login.
 * @throws What the store throws.
 */
export async function openPaymentsOf(
  logins: readonly string[],
  { store, place }: { readonly store: DocumentStore; readonly place: PaymentPlace },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [payments = '', ...others] = prefixesOf(place)
  const prefixes = [payments, ...others.filter(each => !each.startsWith('unmatched/'))]
  const found = new Map<string, string[]>()
  const { at } = await store.read(payments)
  let read = 0
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const page = await store.list({ limit: pageSize, ...(after === undefined ? {} : { after }) })
    for (const stored of page.items) {
      if (!prefixes.some(each => stored.key.startsWith(each))) continue
      // Reading JSON takes far longer than a look whether a login is in it.
      const named = logins.filter(login => stored.body.includes(JSON.stringify(login)))
      const open = named.length === 0 ? undefined : openIn(stored, named, at)
      if (open === undefined) continue
      read += 1
      if (read % mostInTurn === 0) await setImmediate()
      for (const login of open.logins) {
        const references = found.get(login) ?? []
        references.push(open.reference)
        found.set(login, references)
      }
    }
    after = page.next
  }
  return found
}

/** The logins of a payment that is open. A payment that cannot be read here is open: nobody knows how it stands. */
function openIn(stored: Stored, logins: readonly string[], at: number) {
  let document: PaymentDocument
  try {
    document = readDocument(stored)
  } catch {
    return { reference: stored.key, logins }
  }
  const { reference, orders, over } = document
  const isOver = over !== undefined || !isOpen(document, at)
  return { reference, logins: isOver ? [] : logins.filter(login => orders.some(each => each.login === login)) }
}

/** Says whether something is still to be done, or to come. A decline may be corrected for some time, and then somebody has paid. */
function isOpen(document: PaymentDocument, at: number): boolean {
  const { orders, telling, wishes = [] } = document
  if (telling !== undefined || wishes.length > 0 || entryOf(document).list !== null) return true
  return orders.some(
    order =>
      isAwaited(order) ||
      isWatched(order, at) ||
      order.callbackAt !== undefined ||
      order.stages.some(isUntold) ||
      order.attempts.some(isOpenChange),
  )
}

/** A change that was not answered, whatever status has shown meanwhile. */
const isOpenChange = (attempt: KnownAttempt): boolean => attempt.effect === 'changes' && isUnresolved(attempt)
