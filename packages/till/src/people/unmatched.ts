import { withDeadline } from '@tillkit/express-middleware/core'
import { quote, type WireProfile } from '@tillkit/protocol'
import type { Accounts } from '../payment/accounts.js'
import type { PaymentBook } from '../payment/book.js'
import type { OnUnmatched, UnmatchedCallback } from '../payment/options.js'
import { doubtAboutShape, otherDivisions, type Signed } from '../rules/divisions.js'
import { claimOffer, offerFailed, offerOver, unmatchedCame } from '../rules/kept/unmatched.js'
import type { Warn } from '../said/warnings.js'
import { findOrder, type PaymentDocument } from '../state/document.js'
import { unmatchedKey } from '../store/keys.js'
import { checkKey, type Store } from '../store/store.js'

/** Everything that keeping such callbacks needs. */
export interface UnmatchedOptions {
  readonly store: Pick<Store, 'list'>
  readonly payments: Pick<PaymentBook, 'place' | 'keyOf' | 'read' | 'rawRead' | 'decide'>
  readonly accounts: Pick<Accounts, 'ofLogin'>
  readonly profile: WireProfile
  readonly onUnmatched: OnUnmatched | undefined
  /** How long `onUnmatched` may take, in milliseconds. */
  readonly handlerTimeout: number
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly warn: Warn
}

/** Keeps callbacks of orders that nobody here sent, and offers them. */
export type Unmatched = ReturnType<typeof createUnmatched>

/** Most orders that are kept in a store. Further ones are answered with 503, and the gateway sends them again. */
const mostKept = 10_000

/** Makes what keeps callbacks of orders that nobody here sent, and offers them. */
export function createUnmatched({
  store,
  payments,
  accounts,
  profile,
  onUnmatched,
  handlerTimeout,
  wait,
  warn,
}: UnmatchedOptions) {
  /** The key of what came of an order. */
  const keyOf = (login: string, { clientOrderId, orderId }: Omit<Signed, 'status'>): string =>
    unmatchedKey({ login, clientOrderId, orderId }, payments.place)

  /** Says whether the store has an order with these ids, if only what is left of it, or one whose id of the gateway is not known yet. */
  const isKnown = async (login: string, { clientOrderId, orderId }: Signed): Promise<boolean> => {
    if (!isKeepable(payments.keyOf(clientOrderId))) return false
    const { document } = await payments.read(clientOrderId)
    const order = document === undefined ? undefined : findOrder(document, { login, clientOrderId })
    return order !== undefined && (order.orderId === undefined || order.orderId === orderId)
  }

  const isFull = async (key: string): Promise<boolean> => {
    const { document } = await payments.rawRead(key)
    return document === undefined && (await store.list({ list: 'unmatched', limit: 1 })).total >= mostKept
  }

  /** Claims the next word that was not offered. */
  const claim = async (key: string) => {
    const { result } = await payments.decide(key, ({ document, at }) => {
      const claimed = claimOffer(document, { at, lease: 2 * handlerTimeout })
      return { result: claimed?.offer, document: claimed?.document }
    })
    return result
  }

  const note = (key: string, change: (document: PaymentDocument, at: number) => PaymentDocument) =>
    payments.decide(key, ({ document, at }) => {
      const after = document === undefined ? undefined : change(document, at)
      return { result: after, document: after }
    })

  /** Offers the words one after the other. */
  const offerAll = async (key: string, offer: OnUnmatched): Promise<void> => {
    for (;;) {
      const claimed = await claim(key)
      if (claimed === undefined) return
      const { nth, tries, ...callback } = claimed
      const late = () => {
        throw new Error(`Option "onUnmatched" did not end within ${handlerTimeout} ms.`)
      }
      try {
        const offering = (async () => offer(callback, { idempotencyKey: `${key}/${nth}`, tries }))()
        await withDeadline<unknown>(offering, { milliseconds: handlerTimeout, wait, late })
      } catch (cause) {
        const { result: after } = await note(key, (document, at) => offerFailed(document, nth, at))
        warnOfFailure(callback, cause, (after?.orders[0]?.unmatched?.offered ?? 0) > nth)
        return
      }
      await note(key, (document, at) => offerOver(document, nth, at))
    }
  }

  const warnOfFailure = ({ clientOrderId, orderId }: UnmatchedCallback, cause: unknown, isGivenUp: boolean): void => {
    const next = isGivenUp ? 'It was offered ten times, and stays on its list.' : 'It is offered again later.'
    const explanation = `order ${quote(clientOrderId)} (orderid ${quote(orderId)}). ${next}`
    warn('WARN_UNMATCHED_FAILED', { reason: isGivenUp ? 'given-up' : 'not-taken', explanation, cause })
  }

  return {
    keyOf,
    /**
     * Keeps one, once for each status word, unless the callback may be another one that was divided anew.
     *
     * @returns Why it is not kept; undefined where it is.
     */
    async keep(login: string, signed: Signed): Promise<string | undefined> {
      const doubt = doubtAboutShape(signed, profile)
      if (doubt !== undefined) return `Its ${doubt}`
      for (const division of otherDivisions(signed, profile)) {
        if (await isKnown(login, division))
          return (
            `The same signed text is that of order ${quote(division.clientOrderId)} (orderid ${quote(division.orderId)}), ` +
            'divided otherwise'
          )
      }
      const key = keyOf(login, signed)
      if (await isFull(key)) return `${mostKept} orders stand on the list "unmatched". Take them up with till.adopt`
      const { clientOrderId, orderId, status } = signed
      const isOffered = onUnmatched !== undefined
      await payments.decide(key, ({ document, at }) => ({
        result: undefined,
        document: unmatchedCame(document, { login, clientOrderId, orderId }, { status, at, isOffered }),
      }))
      return undefined
    },
    /** Says whether a document of the list is of this till, by its account. */
    isOwn(key: string, { orders: [order] }: PaymentDocument): boolean {
      if (order === undefined || accounts.ofLogin(order.login) === undefined) return false
      const { login, clientOrderId = '', orderId = '' } = order
      return keyOf(login, { clientOrderId, orderId }) === key
    },
    /**
     * Offers what was not offered of one order, one word after the other, until one is not taken. It never throws:
     * what is left is offered later.
     *
     * @returns Whether there is somebody to offer it to.
     */
    async offer(key: string): Promise<boolean> {
      if (onUnmatched !== undefined) await offerAll(key, onUnmatched).catch(() => undefined)
      return onUnmatched !== undefined
    },
  }
}

/** Says whether a store can have a document under a key. No request was sent for an order whose key it cannot have. */
export function isKeepable(key: string): boolean {
  try {
    checkKey(key)
    return true
  } catch {
    return false
  }
}
