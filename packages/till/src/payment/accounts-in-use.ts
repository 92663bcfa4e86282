import {
  type DocumentStore,
  entryOf,
  isAwaited,
  isUnresolved,
  isUntold,
  isWatched,
  type KnownAttempt,
  type PaymentDocument,
  type PaymentPlace,
  prefixesOf,
  readDocument,
  type Stored,
} from '@tillkit/protocol'

/** Documents that are read at once. */
const pageSize = 500

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
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const page = await store.list({ limit: pageSize, ...(after === undefined ? {} : { after }) })
    for (const stored of page.items) {
      if (!prefixes.some(each => stored.key.startsWith(each))) continue
      // Reading JSON takes far longer than a look whether a login is in it.
      const named = logins.filter(login => stored.body.includes(JSON.stringify(login)))
      const open = named.length === 0 ? undefined : openIn(stored, named, at)
      for (const login of open?.logins ?? []) found.set(login, [...(found.get(login) ?? []), open?.reference ?? ''])
    }
    after = page.next
  }
  return found
}

/** The logins of a payment that is open. What cannot be read here is not known, and so it is open. */
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

/** Whether something is still to be done, or to come. A decline may be corrected for some time, and then somebody has paid. */
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
