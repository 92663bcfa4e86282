import { readDocument } from '../rules/kept/entry.js'
import { listsFor } from '../rules/kept/lists.js'
import type { PaymentDocument } from '../state/document.js'
import type { DocumentStore, Stored } from '../store/store.js'
import type { ReportPage } from './types.js'

/** Most items of one page. */
export const pageSize = 100

/** How many pages of a list are looked through for what has been there too long. */
const mostPages = 10

/** Lists of what is not over, of payments that no person is needed for otherwise. */
const waiting = ['unknown', 'open'] as const

/** Reads the lists of a store. What cannot be read is named in `unreadable`, and left out. */
export function createListReader(store: DocumentStore) {
  const unreadable = new Set<string>()
  const read = (stored: Stored): PaymentDocument | undefined => {
    try {
      return readDocument(stored)
    } catch {
      unreadable.add(stored.key)
      return undefined
    }
  }
  const paymentsIn = (items: readonly Stored[]) => items.flatMap(each => read(each) ?? [])

  /** A page of several lists, one after the other. */
  const page = async (names: readonly string[], after: string | undefined): Promise<ReportPage<PaymentDocument>> => {
    const from = readCursor(after, names)
    // A payment that moves meanwhile stands on two of them: as it was read last, it counts once.
    const rows = new Map<string, Stored>()
    let [total, left, next]: [number, number, string | undefined] = [0, pageSize, undefined]
    for (const [place, name] of names.entries()) {
      const isRead = place >= from.place && left > 0
      const inside = place === from.place && from.cursor !== '' ? { after: from.cursor } : {}
      const found = await store.list({ list: name, limit: isRead ? left : 1, ...(isRead ? inside : {}) })
      total += found.total
      if (isRead) {
        for (const each of found.items) rows.set(each.key, each)
        left -= found.items.length
        if (found.next !== undefined) next = `${name}~${found.next}`
      } else if (place > from.place && found.total > 0) next ??= `${name}~`
    }
    return { total, items: paymentsIn([...rows.values()]), next }
  }

  return {
    page,
    /** Those of what is not over that were longest on their lists and that something is so of. It looks until a whole page has none. */
    async longest(is: (payment: PaymentDocument) => boolean): Promise<readonly PaymentDocument[]> {
      const found: PaymentDocument[] = []
      for (const list of waiting.flatMap(name => [name, `${name}+failing`, `${name}+untold`])) {
        let after: string | undefined
        for (let count = 0; count < mostPages; count += 1) {
          const { items, next } = await store.list({
            list,
            limit: pageSize,
            ...(after === undefined ? {} : { after }),
          })
          const late = paymentsIn(items).filter(is)
          found.push(...late)
          if (late.length === 0 || next === undefined) break
          after = next
        }
      }
      return found
    },
    /** How many there are on the lists of a word, and the first hundred of each. */
    async count(word: 'open' | 'form') {
      const payments: PaymentDocument[] = []
      let total = 0
      for (const list of listsFor(word)) {
        const found = await store.list({ list, limit: pageSize })
        total += found.total
        payments.push(...paymentsIn(found.items))
      }
      return { total, payments }
    },
    unreadable: (): readonly string[] => [...unreadable],
  }
}

export type ListReader = ReturnType<typeof createListReader>

/** @throws {TypeError} for what is no `next` of such a page. */
function readCursor(after: string | undefined, names: readonly string[]) {
  if (after === undefined) return { place: 0, cursor: '' }
  const at = after.indexOf('~')
  const place = names.indexOf(after.slice(0, at))
  if (at < 0 || place < 0) throw noCursor(after)
  return { place, cursor: after.slice(at + 1) }
}

export const noCursor = (after: unknown): TypeError =>
  new TypeError(
    `till.report: "after" must have "next" of a page of the same list. Found: ${JSON.stringify(after)?.slice(0, 80)}.`,
  )
