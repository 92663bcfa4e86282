import type { Order } from './order.js'

export type Lags = ReturnType<typeof createLags>

/** Orders that status shows as they were, for so many questions each. */
export function createLags() {
  const lags = new Map<string, { readonly before: Order; readonly questions: number }>()
  return {
    begin(before: Order, questions: number): void {
      lags.set(before.orderId, { before, questions })
    },
    /** The order as it was, while status still shows that. Uses up a question. */
    ask(orderId: string): Order | undefined {
      const lag = lags.get(orderId)
      if (lag === undefined) return undefined
      if (lag.questions > 1) lags.set(orderId, { ...lag, questions: lag.questions - 1 })
      else lags.delete(orderId)
      return lag.before
    },
    clear: () => lags.clear(),
  }
}
