import {
  claimOffer,
  createDocuments,
  type Decided,
  type DocumentStore,
  type KeptPayments,
  offerFailed,
  offerOver,
  type PaymentDocument,
  type ReadDocument,
  unmatchedCame,
  unmatchedKey,
} from '@tillkit/protocol'
import { systemId, type Wait, withDeadline } from '../config/time.js'
import type { Patiently } from './patience.js'

/** A verified callback of an order that no request in the store is behind. Its status is a hint and no outcome: deliver nothing on it. */
export interface UnmatchedCallback {
  /** Login of the merchant whose key verified it. */
  readonly login: string
  readonly clientOrderId: string
  /** The gateway's order id. */
  readonly orderId: string
  /** The gateway's word of status, as the callback has it. */
  readonly status: string
}

/** What goes with such a callback. */
export interface UnmatchedContext {
  /** The same for every time it is offered. */
  readonly idempotencyKey: string
  /** How often it was offered before, and not taken. */
  readonly tries: number
}

/** The merchant's function for such callbacks. */
export type OnUnmatched = (callback: UnmatchedCallback, context: UnmatchedContext) => void | Promise<void>

/** What offering came to. `busy`: somebody else offers it now, or nothing is to be offered. `failed`: it is offered again later. */
export type Offered =
  | { readonly kind: 'offered' | 'busy' }
  | { readonly kind: 'failed' | 'given-up'; readonly cause: unknown; readonly callback: UnmatchedCallback }

export interface UnmatchedOptions {
  readonly store: DocumentStore
  /** In milliseconds. */
  readonly lease: number
  readonly wait: Wait
  readonly onUnmatched: OnUnmatched | undefined
  readonly patiently: Patiently
}

/** Most orders that are kept in a store. Further ones are answered with 503, and the gateway sends them again. */
const mostKept = 10_000

/** Makes what keeps callbacks of orders that nobody here sent, and offers them. */
export function createUnmatched({ store, lease, wait, onUnmatched, patiently }: UnmatchedOptions) {
  const documents = createDocuments({ store, newId: systemId, wait })
  const change = <Result>(key: string, decide: (read: ReadDocument) => Decided<Result>, kind: 'gate' | 'fact') =>
    patiently(patience => documents.change(key, decide, { kind, patience })).then(({ result }) => result)
  const noted = (key: string, note: (document: PaymentDocument, at: number) => PaymentDocument) =>
    change(
      key,
      ({ document, at }) => ({ result: document, document: document === undefined ? undefined : note(document, at) }),
      'fact',
    )

  const isFull = async (key: string): Promise<boolean> => {
    const { document } = await patiently(patience => documents.read(key, patience))
    return document === undefined && (await store.list({ list: 'unmatched', limit: 1 })).total >= mostKept
  }

  return {
    /** Keeps one, once for each status word. @returns Why it is not kept; undefined where it is. */
    async keep(payments: KeptPayments, callback: Omit<UnmatchedCallback, 'login'>): Promise<string | undefined> {
      const { clientOrderId, orderId, status } = callback
      const about = { login: payments.login, clientOrderId, orderId }
      const key = unmatchedKey(about, payments)
      if (await isFull(key)) return `${mostKept} orders stand on the list "unmatched". Take them up with till.adopt`
      const decide = ({ document, at }: ReadDocument): Decided<undefined> => ({
        result: undefined,
        document: unmatchedCame(document, about, { status, at, isOffered: onUnmatched !== undefined }),
      })
      await change(key, decide, 'fact')
      return undefined
    },
    /** Offers what was not offered of one order, one word after the other, until one is not taken. */
    async offer(key: string): Promise<Offered> {
      if (onUnmatched === undefined) return { kind: 'busy' }
      for (let count = 0; ; count += 1) {
        const claimed = await change(
          key,
          ({ document, at }) => {
            const claim = claimOffer(document, { at, lease: 2 * lease })
            return { result: claim?.offer, document: claim?.document }
          },
          'gate',
        )
        if (claimed === undefined) return { kind: count === 0 ? 'busy' : 'offered' }
        const { nth, tries, ...callback } = claimed
        try {
          const late = () => {
            throw new Error(`Option "onUnmatched" did not end within ${lease} ms.`)
          }
          const offering = (async () => onUnmatched(callback, { idempotencyKey: `${key}/${nth}`, tries }))()
          await withDeadline<unknown>(offering, { milliseconds: lease, wait, late })
        } catch (cause) {
          let isOver = false
          await noted(key, (document, at) => {
            const after = offerFailed(document, nth, at)
            isOver = (after.orders[0]?.unmatched?.offered ?? 0) > nth
            return after
          })
          return { kind: isOver ? 'given-up' : 'failed', cause, callback }
        }
        await noted(key, (document, at) => offerOver(document, nth, at))
      }
    },
  }
}
