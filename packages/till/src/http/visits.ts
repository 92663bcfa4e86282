import { createOrderQueue, handlerFailure, refused, systemWait, withDeadline } from '@tillkit/express-middleware/core'
import { type AskedSettlement, quote } from '@tillkit/protocol'
import type { SettledVisit } from '../intents/customers/visit.js'
import type { Account } from '../payment/accounts.js'
import type { Deliveries } from '../payment/deliveries.js'
import { leastPause } from '../rules/visit.js'
import type { Visitor, VisitorContext } from './visitors.js'

/** How often status is asked while a customer waits: most questions, and the longest pause between two of them, in milliseconds. */
export const polling = { attempts: 5, interval: 1_000 } as const

/** Longest time of a round besides its pauses, in milliseconds: a database that never answers must hold up no later visit. */
const longestRound = 60_000

/** How long a customer waits for the merchant's handler, in milliseconds. It goes on afterwards. */
const patience = 5_000

/** Everything that settling visits needs. */
export interface VisitsContext extends Pick<VisitorContext, 'clock' | 'warn'> {
  /** Asks status for a customer who waits, and delivers what is new. It gives undefined if nothing is awaited. */
  readonly visit: Deliveries['visit']
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** Resolves after so many milliseconds, or when the signal fires: by it a visit is over. Default: a timer. */
  readonly limit?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** A visit that is to be settled. `attempts`: most questions to status. */
export type VisitToSettle = Pick<Visitor, 'account' | 'clientOrderId'> & { readonly attempts: number }

/** Settles a visit. It gives undefined if nothing is awaited, or no answer came within a minute. */
export type SettleVisit = (visit: VisitToSettle) => Promise<SettledVisit | undefined>

/**
 * Makes what settles orders for customers who come back from a hosted form, or look at the pages of 3DS:
 * status is asked, and the merchant is told what it said.
 *
 * Visits of one order are settled together, and not too often: a return address can be loaded a thousand times.
 * Visits that come while a round runs share the next one, which asks after they came.
 *
 * The background tells a failing handler again: the process is warned, and the customer goes on, as with a handler that is slow.
 * So it is if nobody knows whether the handler was told, since the store did not say.
 *
 * @param stopsFor Says for which settlement that settles nothing a visit stops. Default: for none.
 */
export function createVisits(
  { visit, clock, wait, warn, limit = systemWait }: VisitsContext,
  stopsFor?: (settlement: AskedSettlement, account: Account) => boolean,
): SettleVisit {
  const queue = createOrderQueue<SettledVisit | undefined>({
    interval: leastPause,
    concurrency: Number.POSITIVE_INFINITY,
    clock,
    wait,
  })
  const round = async ({ account, clientOrderId, attempts }: VisitToSettle): Promise<SettledVisit | undefined> => {
    const visited = await visit({
      login: account.login,
      clientOrderId,
      ...polling,
      attempts,
      ...(stopsFor === undefined ? {} : { until: settlement => stopsFor(settlement, account) }),
      onUnknown: () => warn('WARN_CUSTOMER_REFUSED', unknownOrder(clientOrderId)),
    })
    if (visited === undefined) return undefined
    const { told, order, settlement } = visited
    const telling = told.then(
      end => {
        if (end.kind === 'failed') warn('WARN_HANDLER_FAILED', handlerFailure(end.reference, end.cause))
      },
      (cause: unknown) => warn('WARN_STORE_FAILED', { explanation: notKnown(clientOrderId), cause }),
    )
    await withDeadline(telling, { milliseconds: patience, wait: limit, late: () => undefined })
    return { order, settlement }
  }
  return visiting => {
    const { clientOrderId, attempts } = visiting
    const milliseconds = attempts * polling.interval + longestRound
    return queue.run(JSON.stringify([clientOrderId, attempts]), () =>
      withDeadline(round(visiting), { milliseconds, wait: limit, late: () => undefined }),
    )
  }
}

/** The till reports this if an order is not kept, although one of its own states names it. */
const unknownOrder = (clientOrderId: string) =>
  refused('unknown-order', `The store does not have order ${quote(clientOrderId)}, for which a customer came back.`)

const notKnown = (clientOrderId: string): string =>
  `Whether your handler was told of order ${quote(clientOrderId)} is not known: it is told again, unless it was.`
