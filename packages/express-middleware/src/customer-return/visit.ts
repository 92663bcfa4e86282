import {
  type AskedSettlement,
  type AskInput,
  askAndSettle,
  type Expectation,
  isSettled,
  mayRepeat,
  needsPerson,
  type Order,
  quote,
} from '@tillkit/protocol'
import { checkCallback } from '../callbacks/check.js'
import { RedirectRefusedError, type Rejection, refused } from '../config/errors.js'
import { type Polling, pollingOf } from '../config/options.js'
import { systemClock, systemWait, withDeadline } from '../config/time.js'
import { sameOriginPath } from '../http/addresses.js'
import type { ReadParameters } from '../http/parameters.js'
import { checkAwaitedOrder, orderIds } from '../outcomes/ask.js'
import { createOrderQueue } from '../outcomes/order-queue.js'
import { approvedKinds, tellOutcome, type VisitOutcomes } from '../outcomes/tell.js'
import type { OutcomeView, VisitOptions } from './options.js'

export interface VisitQuestion {
  readonly clientOrderId: string
  /** Whether a settlement that settles nothing is worth stopping for. Default: never. */
  readonly until?: (settlement: AskedSettlement) => boolean
  /** Most questions. Default: those of `polling`. */
  readonly attempts?: number
  /** Called where the merchant does not know the order, for one of the visits that ask together. */
  readonly onUnknown: () => void
}

/** Least milliseconds between two rounds of questions about one order. */
const leastPause = 250

/** Longest time of a round besides its pauses, in milliseconds: a database that never answers must hold up no later visit. */
const longestRound = 60_000

type SettlingOptions = Omit<VisitOptions<never>, 'stateSecrets' | 'controlKeys' | 'redirectTo'>

/** What the merchant knew of the order before, and what status says. */
export interface SettledVisit {
  readonly known: { readonly order: Order; readonly expected: Expectation }
  readonly settlement: AskedSettlement
}

/**
 * Settles orders for the customers who come back from a hosted form or visit the pages of 3DS: finds the order, asks status, and
 * tells the merchant what it said.
 *
 * Visits of one order are settled together, and not too often: a return address can be loaded a thousand times. Visits that come
 * while a round runs share the next one, which asks after they came.
 *
 * @returns A function that gives undefined where the merchant waits for nothing, or no answer came within a minute, and throws
 * what the merchant's functions throw.
 */
export function visitSettler(options: SettlingOptions) {
  const { client, clock = systemClock, profile, onSettlement, outcomes } = options
  const polling = pollingOf(options.polling)
  const milliseconds = polling.attempts * polling.interval + longestRound
  const queue = createOrderQueue<SettledVisit | undefined>({
    interval: Math.min(polling.interval, leastPause),
    concurrency: Number.POSITIVE_INFINITY,
    clock,
    wait: polling.wait,
  })
  const round = async (visit: VisitQuestion) => {
    const known = await knownOrder(options, visit)
    if (known === undefined) return undefined
    const question = { client, ...known, clock, ...(profile === undefined ? {} : { profile }) }
    const settlement = await pollStatus(question, { ...polling, ...visit })
    await onSettlement?.(settlement, { clientOrderId: visit.clientOrderId })
    if (outcomes !== undefined) await tellWhileCustomerWaits(settlement, outcomes)
    return { known, settlement }
  }
  return (question: VisitQuestion): Promise<SettledVisit | undefined> =>
    queue.run(JSON.stringify([question.clientOrderId, question.attempts ?? polling.attempts]), () =>
      withDeadline(round(question), { milliseconds, wait: systemWait, late: () => undefined }),
    )
}

/** How long a customer waits for the merchant's handler, in milliseconds. It goes on afterwards. */
const patience = 5_000

/** @throws What the handler throws while the customer waits. The outcome is told again with the next callback or visit then. */
export async function tellWhileCustomerWaits(settlement: AskedSettlement, outcomes: VisitOutcomes): Promise<void> {
  const told = tellOutcome(settlement, outcomes)
  await withDeadline(told, { milliseconds: patience, wait: systemWait, late: () => 'busy' as const })
}

/** Asks until status settles it, a person must look, or the attempts are used up. @returns The last settlement. */
async function pollStatus(
  question: AskInput,
  { attempts, interval, wait, until }: Required<Polling> & Pick<VisitQuestion, 'until'>,
): Promise<AskedSettlement> {
  let settlement = await askAndSettle(question)
  for (let asked = 1; asked < attempts; asked += 1) {
    if (isSettled(settlement) || needsPerson(settlement) || until?.(settlement) === true) break
    await wait(interval)
    settlement = await askAndSettle({ ...question, order: settlement.order })
  }
  return settlement
}

async function knownOrder(
  { order }: SettlingOptions,
  { clientOrderId, onUnknown }: VisitQuestion,
): Promise<SettledVisit['known'] | undefined> {
  const returned = await order(orderIds({ clientOrderId }))
  if (returned === undefined || returned === null) {
    onUnknown()
    return undefined
  }
  const known = checkAwaitedOrder(returned, clientOrderId)
  const list: readonly Expectation[] = Array.isArray(known.expected) ? known.expected : [known.expected]
  if (list.length === 0) return undefined
  // What made the order: a customer comes back for nothing else. Wrong entries are refused when status is asked.
  const expected = list.find(each => each?.stages?.some(stage => !mayRepeat(stage))) ?? (list[0] as Expectation)
  return { order: known.order, expected }
}

/** What to report where the merchant does not know an order, although one of the merchant's own states names it. */
export const unknownOrder = (clientOrderId: string): Rejection =>
  refused('unknown-order', `Nothing is known of order ${quote(clientOrderId)}, for which a customer came back.`)

/** The view of a settlement; `checking` without one. */
export function outcomeView(settlement: AskedSettlement | undefined): OutcomeView {
  if (settlement === undefined || !isSettled(settlement)) return 'checking'
  if (settlement.kind !== 'approved') return 'declined'
  const kind = approvedKinds[settlement.moneyMoved]
  // A return or a release is no answer to what a customer pays; a person looks.
  return kind === 'returned' || kind === 'released' ? 'checking' : kind
}

/** The merchant's page. @throws {@link RedirectRefusedError} when it is not on this site. */
export function pageFor(
  { redirectTo }: Pick<VisitOptions<never>, 'redirectTo'>,
  result: { readonly clientOrderId: string; readonly view: OutcomeView },
): string {
  const path = redirectTo(result)
  const location = sameOriginPath(path)
  if (location !== undefined) return location
  throw new RedirectRefusedError(
    `Option "redirectTo" returned ${quote(String(path))} for order ${result.clientOrderId}. It must be a path of this ` +
      'site, starting with one "/".',
    { status: 500 },
  )
}

/** What is wrong with what a browser brought. A customer who reloads the page brings nothing at all; that is no rejection. */
export function browserRejection(
  read: ReadParameters,
  clientOrderId: string,
  { controlKeys, profile }: Pick<VisitOptions<never>, 'controlKeys' | 'profile'>,
): Rejection | undefined {
  if (read.kind === 'refused') return read
  if (read.parameters.length === 0) return undefined
  const verdict = checkCallback({ parameters: read.parameters, controlKeys, profile, kind: 'browser-return' })
  if (verdict.kind === 'refused') return verdict
  const named = verdict.callback.signed.clientOrderId
  if (named === clientOrderId) return undefined
  return refused(
    'other-order',
    `The browser returned for order ${quote(named)} with the state of order ${quote(clientOrderId)}.`,
  )
}
