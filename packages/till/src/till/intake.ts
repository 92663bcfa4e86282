import { notify } from '@tillkit/protocol'
import { accountFinder, createCallbacks, type Report, warnOfResults } from '../http/callbacks.js'
import type { ChangeRunContext } from '../payment/change/change-payment.js'
import type { CarryOut, Deliveries } from '../payment/deliveries.js'
import type { TillOptions } from '../payment/options.js'
import { createUnmatched } from '../people/unmatched.js'
import type { Warn } from '../said/warnings.js'
import { createLookingAfter, type LookAfterContext } from '../work/look-after.js'
import type { Pace } from '../work/pace.js'
import { createRounds } from '../work/rounds.js'

/** Everything that takes in news of orders needs of the till. */
export interface IntakeContext extends LookAfterContext, ChangeRunContext {
  readonly deliveries: Deliveries
  readonly pace: Pace
  readonly carryOut: CarryOut
  readonly warn: Warn
}

/**
 * Makes what takes in news of orders: callbacks, and what the work in the background finds due. Both look after one order at a time
 * together.
 */
export function createIntake<Transaction>(
  options: Pick<TillOptions<Transaction>, 'store' | 'onReport' | 'onRejected' | 'onUnmatched'>,
  { carryOut, pace, ...context }: IntakeContext,
) {
  const { accounts, payments, deliveries, warn } = context
  const { store, onUnmatched, onRejected = refusal => warn('WARN_CALLBACK_REFUSED', refusal) } = options
  const tell = options.onReport ?? warnOfResults(warn, onUnmatched !== undefined)
  const report: Report = (...told) => notify(() => tell(...told))
  const { handlerTimeout } = deliveries
  const { profile } = accounts.all[0]
  const lookAfter = createLookingAfter(context)
  const unmatched = createUnmatched({ ...context, store, profile, onUnmatched, handlerTimeout })
  const accountOf = accountFinder(accounts, payments)
  return {
    accountOf,
    callbacks: createCallbacks({ ...context, accountOf, lookAfter, unmatched, report, onRejected }),
    rounds: createRounds({
      ...context,
      store,
      pace,
      lookAfter,
      carryOut,
      unmatched,
      report: result => report(result, undefined),
      handlerTimeout,
    }),
  }
}
