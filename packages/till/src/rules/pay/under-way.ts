import type { StageName } from '@tillkit/protocol'
import { isUnresolved, mayHaveArrived } from '../../state/attempt-rules.js'
import { isUntold, type KnownOrder, quietFrom } from '../../state/known.js'
import { hasEnded, shownAttempts } from '../orders/expected.js'

/** A change of an order whose end status has not shown. */
export interface ChangeUnderWay {
  /** Such as `capture`. */
  readonly operation: string
  readonly clientOrderId: string
  /** Major units; undefined: the whole. */
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** `sending`: it may still be answered. `sent`: the gateway took it. `unknown`: it was not answered, and it may have happened. */
  readonly state: 'sending' | 'sent' | 'unknown'
}

/**
 * The changes of orders that have not ended, oldest first.
 *
 * @param at What the store's clock says, in milliseconds.
 */
export function changesUnderWay(orders: readonly KnownOrder[], at: number): readonly ChangeUnderWay[] {
  return orders.flatMap(order =>
    shownAttempts(order).flatMap(({ attempt, stage }) => {
      const { operation, amount, currency, effect, end } = attempt
      if (effect !== 'changes' || !mayHaveArrived(attempt)) return []
      // Whose stage it is that status shows is not known of a change that was not answered.
      if (hasEnded(stage) && !isUnresolved(attempt)) return []
      const isSending = end === undefined && at < quietFrom(attempt)
      const state = isSending ? 'sending' : isUnresolved(attempt) ? 'unknown' : 'sent'
      return [{ operation, clientOrderId: order.clientOrderId ?? '', amount, currency, state }]
    }),
  )
}

/** A stage that has ended, as status said of it, while the handler was not told of that yet. */
export interface UntoldStage {
  readonly clientOrderId: string
  readonly stage: StageName
  /** The gateway's latest word. */
  readonly status: string
  /** Major units, where status said them. */
  readonly amount: string | undefined
  readonly currency: string | undefined
}

/** Lists everything that the handler was not told yet, in the order of the stages. */
export const untoldStages = (orders: readonly KnownOrder[]): readonly UntoldStage[] =>
  orders.flatMap(({ clientOrderId = '', stages }) =>
    stages.filter(isUntold).map(({ stage, status, corrections, amount, currency }) => ({
      clientOrderId,
      stage,
      status: corrections.at(-1)?.to ?? status,
      amount,
      currency,
    })),
  )
