/**
 * Settling an order for the customers who visit: those of one order together, and not too often. Whoever has a return address
 * can load it a thousand times; the gateway is not asked a thousand times for that.
 *
 * @module
 */
import type { AskedSettlement } from '@tillkit/protocol'
import { systemClock, systemWait, timeLimit } from '../config/time.js'
import { createOrderQueue } from '../outcomes/order-queue.js'
import { type PollOptions, pollingOf, pollStatus } from '../outcomes/poll.js'
import { knownOrder, tellSettlement, type VisitedOrder, type VisitOptions } from './visit.js'

/** What a visit came to. */
export interface SettledVisit {
  /** What the merchant knew before. */
  readonly known: VisitedOrder
  readonly settlement: AskedSettlement
}

/** What a visit asks for. */
export interface VisitQuestion extends Pick<PollOptions, 'until'> {
  readonly clientOrderId: string
  /** Most questions. Default: those of `polling`. */
  readonly attempts?: number
  /** Called where the merchant knows nothing of the order, for one of the visits that ask together. */
  readonly onUnknown: () => void
}

/**
 * Finds the order, asks status and tells the merchant what it said.
 *
 * @returns undefined where the merchant knows of nothing to ask about, or nobody answered within a minute.
 * @throws What the merchant's functions throw.
 */
export type SettleVisit = (question: VisitQuestion) => Promise<SettledVisit | undefined>

/** Least milliseconds between two rounds of questions about one order. */
const leastPause = 250

type VisitSettling = Pick<
  VisitOptions<never>,
  'client' | 'order' | 'outcomes' | 'onSettlement' | 'polling' | 'clock' | 'profile'
>

/** Longest time of a round besides its pauses, in milliseconds: a database that never answers must hold up no later visit. */
const longestRound = 60_000

/** Makes it. Visits that come while a round runs share the next one: what it says was asked after they came. */
export function visitSettler(options: VisitSettling): SettleVisit {
  const { client, clock = systemClock, profile } = options
  const polling = pollingOf(options.polling)
  const queue = createOrderQueue<SettledVisit | undefined>({
    interval: Math.min(polling.interval, leastPause),
    concurrency: Number.POSITIVE_INFINITY,
    clock,
    wait: polling.wait,
  })
  const round = async ({ clientOrderId, onUnknown, attempts = polling.attempts, ...until }: VisitQuestion) => {
    const known = await knownOrder(options, { clientOrderId, onUnknown })
    if (known === undefined) return undefined
    const question = { client, ...known, clock, ...(profile === undefined ? {} : { profile }) }
    const settlement = await pollStatus(question, { ...polling, attempts, ...until })
    await tellSettlement(options, { settlement, clientOrderId })
    return { known, settlement }
  }
  const limited = async (question: VisitQuestion) => {
    const limit = timeLimit(polling.attempts * polling.interval + longestRound, systemWait)
    try {
      return await limit.race(round(question), () => undefined)
    } finally {
      limit.end()
    }
  }
  return question =>
    queue.run(JSON.stringify([question.clientOrderId, question.attempts ?? polling.attempts]), () => limited(question))
}
