/**
 * Asks about an order until nothing of it is open, whether or not a page of it is open in a browser: the pages say "we keep asking".
 *
 * @module
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type SettleContext, settleOrder } from './settle-order.js'

/** What asking needs. */
export interface KeepAskingOptions extends SettleContext {
  /** Ends all asking when the shop stops. */
  readonly stopping: AbortSignal
  readonly onError: (error: unknown) => void
}

/** Longest pause between two questions, in milliseconds. */
const longestPause = 300_000

/**
 * Makes the function that begins to ask about an order, soon at first, then less and less often. Beginning anew
 * ends a pause that is under way, so that a long one holds nothing up.
 *
 * @returns A function of the order id and of the first pause in milliseconds. Default: 700.
 */
export function keepAsking(options: KeepAskingOptions): (clientOrderId: string, firstPause?: number) => void {
  const { orders, stopping, onError } = options
  const latest = new Map<string, symbol>()

  const ask = async (clientOrderId: string, firstPause: number, turn: symbol) => {
    const isOpen = () => latest.get(clientOrderId) === turn && (orders.find(clientOrderId)?.open.length ?? 0) > 0
    for (let pause = firstPause; isOpen(); pause = Math.min(pause * 1.5, longestPause)) {
      await wait(pause, undefined, { signal: stopping, ref: false })
      if (isOpen()) await settleOrder(clientOrderId, options).catch(onError)
    }
  }

  return (clientOrderId, firstPause = 700) => {
    const turn = Symbol(clientOrderId)
    latest.set(clientOrderId, turn)
    ask(clientOrderId, firstPause, turn)
      .catch(error => {
        if (!stopping.aborted) onError(error)
      })
      .finally(() => {
        if (latest.get(clientOrderId) === turn) latest.delete(clientOrderId)
      })
  }
}
