/**
 * Verified callbacks of orders that no request in the store is behind: kept once, and offered to the merchant.
 *
 * @module
 */
import { maskCardNumbers } from '@tillkit/protocol'
import { emptyDocument, type PaymentDocument } from '../../state/document.js'
import type { KnownOrder, UnmatchedNews } from '../../state/known.js'
import type { UnmatchedAbout } from '../../store/keys.js'
import { isUnmatched } from './lists.js'

/** Most words that are kept of one order, and the longest of them, in characters. */
const [mostWords, longestWord] = [20, 100]

/** How often a word is offered at most, the first pause after a failure and the longest one, in milliseconds. */
const [mostTries, firstPause, longestPause] = [10, 60_000, 6 * 3_600_000]

/**
 * A verified callback came for an order that no request in the store is behind. A fact. Each status word counts once: a callback that is
 * sent again changes nothing.
 *
 * @param came The gateway's word of status, as the callback has it; milliseconds of the store's clock; whether somebody is to be
 * offered it.
 * @returns The very document where nothing is new.
 */
export function unmatchedCame(
  known: PaymentDocument | undefined,
  about: UnmatchedAbout,
  came: { readonly status: string; readonly at: number; readonly isOffered: boolean },
): PaymentDocument {
  const { status, at, isOffered } = came
  const { login, clientOrderId, orderId } = about
  const order = known?.orders[0]
  if (known?.over !== undefined) return known
  const { words, offered, ...due } = order?.unmatched ?? { words: [], offered: 0 }
  const word = maskCardNumbers(maskCardNumbers(status).slice(0, longestWord))
  if (known !== undefined && (words.includes(word) || words.length >= mostWords)) return known
  const unmatched = {
    words: [...words, word],
    // A word that nobody was to be offered is not offered later.
    offered: isOffered ? offered : words.length + 1,
    ...due,
    ...(isOffered && due.offerAt === undefined ? { offerAt: at } : {}),
  }
  const begun: KnownOrder = order ?? { clientOrderId, orderId, login, attempts: [], stages: [] }
  return { ...(known ?? emptyDocument(clientOrderId)), orders: [{ ...begun, callbackAt: at, unmatched }] }
}

/** A word that is to be offered. */
export interface UnmatchedOffer extends UnmatchedAbout {
  readonly status: string
  /** Which word of its order it is, from 0 on. */
  readonly nth: number
  /** How often it was offered before. */
  readonly tries: number
}

/** Claims the next word that was not offered; undefined: there is none now. A gate. @param lease For how long nobody else gets it. */
export function claimOffer(
  document: PaymentDocument | undefined,
  { at, lease }: { readonly at: number; readonly lease: number },
): { readonly offer: UnmatchedOffer; readonly document: PaymentDocument } | undefined {
  const order = document?.over === undefined ? document?.orders[0] : undefined
  const { words = [], offered: nth = 0, offerAt, tries = 0 }: Partial<UnmatchedNews> = order?.unmatched ?? {}
  const status = words[nth]
  if (document === undefined || order === undefined || status === undefined || offerAt === undefined || offerAt > at)
    return undefined
  // A person took the order up meanwhile.
  if (!isUnmatched(order)) return undefined
  const { login, clientOrderId = '', orderId = '' } = order
  const claimed = withNews(document, { words, offered: nth, offerAt: at + lease, tries })
  return { offer: { login, clientOrderId, orderId, status, nth, tries }, document: claimed }
}

/** A word was offered, or nobody is to be offered it any more. A fact. @param at Milliseconds of the store's clock. */
export function offerOver(document: PaymentDocument, nth: number, at: number): PaymentDocument {
  const news = document.orders[0]?.unmatched
  if (news === undefined || news.offered > nth) return document
  const { words } = news
  const isLeft = words.length > nth + 1
  return withNews(document, { words, offered: nth + 1, ...(isLeft ? { offerAt: at } : {}) })
}

/**
 * Who was offered a word did not take it: it is offered again after a pause, ten times in all. A fact.
 *
 * @param at Milliseconds of the store's clock.
 */
export function offerFailed(document: PaymentDocument, nth: number, at: number): PaymentDocument {
  const news = document.orders[0]?.unmatched
  if (news === undefined || news.offered > nth) return document
  const tries = (news.tries ?? 0) + 1
  if (tries >= mostTries) return offerOver(document, nth, at)
  const pause = Math.min(longestPause, firstPause * 2 ** (tries - 1))
  return withNews(document, { ...news, tries, offerAt: at + pause })
}

const withNews = (document: PaymentDocument, unmatched: UnmatchedNews): PaymentDocument => ({
  ...document,
  orders: document.orders.map((each, place) => (place === 0 ? { ...each, unmatched } : each)),
})
