import {
  emptyOrder,
  isSettled,
  quote,
  type SettleInput,
  type Settlement,
  settle,
  type WireProfile,
} from '@tillkit/protocol'
import { checkCallback } from '../callbacks/check.js'
import { RedirectRefusedError, type Rejection, refused } from '../config/errors.js'
import { createOrderQueue } from '../config/order-queue.js'
import { systemClock, systemWait, type Wait, withDeadline } from '../config/time.js'
import { sameOriginPath } from '../http/addresses.js'
import type { ReadParameters } from '../http/parameters.js'
import { expectedOf } from './expected.js'
import type { VisitOptions, VisitResult } from './options.js'

/** Longest time of a round besides its pauses, in milliseconds: a gateway that never answers must hold up no later visit. */
const longestRound = 60_000

/** Most questions while a customer waits, and least and longest pause between two of them, in milliseconds. */
const [mostQuestions, leastPause, longestPause] = [5, 250, 1_000]

/** An order that a customer comes back for. */
interface VisitedOrder {
  readonly clientOrderId: string
  /** The gateway's order id, where the browser has brought it signed. */
  readonly orderId: string | undefined
  readonly expected: SettleInput['expected']
}

/**
 * Makes what asks status for customers who come back.
 *
 * Visits of one order share their questions, and ask not too often: a return address can be loaded a thousand times. Visits that come
 * while a round runs share the next one, which asks after they came.
 *
 * @returns A function that gives undefined where status did not answer.
 */
export function visitSettler(
  options: Pick<VisitOptions<never>, 'client' | 'clock' | 'wait'>,
  profile: WireProfile,
): (visited: VisitedOrder) => Promise<Settlement | undefined> {
  const { client, clock = systemClock, wait = systemWait } = options
  const milliseconds = mostQuestions * longestPause + longestRound
  const queue = createOrderQueue<Settlement | undefined>({
    interval: leastPause,
    concurrency: Number.POSITIVE_INFINITY,
    clock,
    wait,
  })
  return visited =>
    queue.run(JSON.stringify(visited), () =>
      withDeadline(pollStatus(visited, { client, clock, wait, profile }), {
        milliseconds,
        wait: systemWait,
        late: () => undefined,
      }),
    )
}

interface Asking extends Pick<VisitOptions<never>, 'client'> {
  readonly clock: () => number
  readonly wait: Wait
  readonly profile: WireProfile
}

/** Asks until status settles it or the questions are used up. A question that fails says nothing of the order. */
async function pollStatus(
  { clientOrderId, orderId, expected }: VisitedOrder,
  { client, clock, wait, profile }: Asking,
): Promise<Settlement | undefined> {
  const ids = { clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
  let order = emptyOrder(ids)
  let settlement: Settlement | undefined
  for (let asked = 1; ; asked += 1) {
    const askedAt = clock()
    const reply = await Promise.resolve()
      .then(() => client.status(ids))
      .catch(() => undefined)
    if (reply !== undefined) {
      const awaited = expectedOf(reply, expected, profile)
      settlement = settle({ order, expected: awaited, observation: { reply, askedAt }, profile })
      order = settlement.order
    }
    if (asked >= mostQuestions || (settlement !== undefined && isEnough(settlement))) return settlement
    await wait(pauseAfterQuestion(asked))
  }
}

/** Another answer would change nothing: it is over, or the gateway approved something else. */
const isEnough = (settlement: Settlement): boolean => isSettled(settlement) || settlement.kind === 'amount-differs'

/**
 * Gives the pause after so many questions, in milliseconds. Most payments are over within a second, and a customer who comes back in the
 * middle of one should not wait for a whole one.
 */
const pauseAfterQuestion = (asked: number): number =>
  Math.min(longestPause, Math.max(leastPause, (longestPause * 2 ** asked) / 8))

/** The merchant's page. @throws {@link RedirectRefusedError} when it is not on this site. */
export async function pageFor(
  { redirectTo }: Pick<VisitOptions<never>, 'redirectTo'>,
  result: VisitResult,
): Promise<string> {
  const path = await redirectTo(result)
  const location = sameOriginPath(path)
  if (location !== undefined) return location
  throw new RedirectRefusedError(
    `Option "redirectTo" returned ${quote(String(path))} for order ${result.clientOrderId}. It must be a path of this ` +
      'site, starting with one "/".',
    { status: 500 },
  )
}

/**
 * Reads the gateway's order id that a browser brought signed, or the reason to refuse it. A customer who reloads the page brings nothing.
 */
export function readBrowserReturn(
  read: ReadParameters,
  clientOrderId: string,
  { controlKeys, profile }: Pick<VisitOptions<never>, 'controlKeys' | 'profile'>,
): { readonly orderId?: string; readonly rejection?: Rejection } {
  if (read.kind === 'refused') return { rejection: read }
  if (read.parameters.length === 0) return {}
  const verdict = checkCallback({ parameters: read.parameters, controlKeys, profile, kind: 'browser-return' })
  if (verdict.kind === 'refused') return { rejection: verdict }
  const { signed } = verdict.callback
  if (signed.clientOrderId === clientOrderId) return { orderId: signed.orderId }
  const explanation = `The browser returned for order ${quote(signed.clientOrderId)} with the state of order ${quote(clientOrderId)}.`
  return { rejection: refused('other-order', explanation) }
}
