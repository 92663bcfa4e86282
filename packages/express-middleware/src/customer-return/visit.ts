import {
  type AskedSettlement,
  type AskInput,
  approvedKinds,
  askAndSettle,
  isSettled,
  notify,
  quote,
  type StatusObservation,
  type WireProfile,
} from '@tillkit/protocol'
import { checkCallback } from '../callbacks/check.js'
import { RedirectRefusedError, type Rejection, refused } from '../config/errors.js'
import { type Polling, pollingOf } from '../config/options.js'
import { systemClock, systemWait, withDeadline } from '../config/time.js'
import { handlerFailure, type Warn } from '../config/warnings.js'
import { sameOriginPath } from '../http/addresses.js'
import type { ReadParameters } from '../http/parameters.js'
import { askAboutOthers, isApproval } from '../outcomes/ask.js'
import type { SettledVisit, VisitedOrder, VisitPolling, VisitQuestion } from '../outcomes/asked.js'
import type { Ledger } from '../outcomes/ledger.js'
import { createOrderQueue } from '../outcomes/order-queue.js'
import { awaitedOf, isEnough, leastPause, pauseAfterQuestion } from '../outcomes/visited.js'
import type { OutcomeView, VisitOptions } from './options.js'

/** Longest time of a round besides its pauses, in milliseconds: a database that never answers must hold up no later visit. */
const longestRound = 60_000

/** How long a customer waits for the merchant's handler, in milliseconds. It goes on afterwards. */
const patience = 5_000

/**
 * Settles orders for the customers who come back from a hosted form or visit the pages of 3DS: finds the order, asks status, and
 * tells the merchant what it said.
 *
 * Visits of one order are settled together, and not too often: a return address can be loaded a thousand times. Visits that come
 * while a round runs share the next one, which asks after they came.
 *
 * A handler that fails is told again by the work in the background: the process is warned, and the customer goes on, as with one that is
 * slow.
 *
 * @returns A function that gives undefined where nothing is waited for, or no answer came within a minute.
 */
export function visitSettler<Transaction>(
  options: Pick<VisitOptions<never, Transaction>, 'client' | 'clock' | 'polling' | 'engine'>,
  ledger: Ledger,
  { profile, warn }: { readonly profile: WireProfile; readonly warn: Warn },
) {
  const { client, clock = systemClock, engine } = options
  const polling = pollingOf(options.polling)
  const milliseconds = polling.attempts * polling.interval + longestRound
  const queue = createOrderQueue<SettledVisit | undefined>({
    interval: Math.min(polling.interval, leastPause),
    concurrency: Number.POSITIVE_INFINITY,
    clock,
    wait: polling.wait,
  })
  const asking = { client, clock, profile, ledger, polling }
  const round = async (question: Polled): Promise<SettledVisit | undefined> => {
    const visited =
      engine?.visit === undefined
        ? await askByClient(question, asking)
        : await engine.visit({ ...question, login: client.payments.login, interval: polling.interval })
    if (visited === undefined) return undefined
    const { told, order, settlement } = visited
    const telling = told.then(end => {
      if (end.kind === 'failed') notify(() => warn('WARN_HANDLER_FAILED', handlerFailure(end.reference, end.cause)))
    })
    await withDeadline(telling, { milliseconds: patience, wait: systemWait, late: () => undefined })
    return { order, settlement }
  }
  return ({ attempts = polling.attempts, ...question }: VisitQuestion & Partial<Pick<Polling, 'attempts'>>) =>
    queue.run(JSON.stringify([question.clientOrderId, attempts]), () =>
      withDeadline(round({ ...question, attempts }), { milliseconds, wait: systemWait, late: () => undefined }),
    )
}

/** A visit, and how often status is asked for it. */
type Polled = VisitQuestion & Pick<VisitPolling, 'attempts'>

interface Asking extends Pick<VisitOptions<never>, 'client'> {
  readonly clock: () => number
  readonly profile: WireProfile
  readonly ledger: Ledger
  readonly polling: Required<Polling>
}

/** Asks by the client, which writes down what it learns. @returns Undefined where nothing is waited for. */
async function askByClient(
  { clientOrderId, attempts, until, onUnknown }: Polled,
  { client, clock, profile, ledger, polling }: Asking,
): Promise<VisitedOrder | undefined> {
  const place = { payments: client.payments, clientOrderId }
  const known = await ledger.find(place)
  if (known === undefined) onUnknown()
  const awaited = known === undefined ? undefined : awaitedOf(known.order)
  if (known === undefined || awaited === undefined) return undefined
  // What the order says was asked for by the store's clock.
  const ahead = known.at - clock()
  const question = { client, ...awaited, clock: () => clock() + ahead, profile }
  const { settlement, observations } = await pollStatus(question, { ...polling, attempts, until })
  if (observations.some(({ reply }) => isApproval(reply, profile))) await askAboutOthers(known.others, client)
  const replies = observations.map(each => ({ ...each, askedAt: each.askedAt - ahead }))
  return { order: awaited.order, settlement, told: ledger.tell(place, replies) }
}

/** Asks until status settles it, a person must look, or the attempts are used up. @returns The last settlement, and every reply. */
async function pollStatus(
  question: AskInput,
  { attempts, interval, wait, until }: Required<Polling> & Pick<VisitQuestion, 'until'>,
): Promise<{ readonly settlement: AskedSettlement; readonly observations: readonly StatusObservation[] }> {
  const observations: StatusObservation[] = []
  let { order } = question
  for (let asked = 1; ; asked += 1) {
    const settlement = await askAndSettle({ ...question, order })
    if (settlement.kind !== 'no-answer') observations.push(settlement.observation)
    if (isEnough(settlement, until) || asked >= attempts) return { settlement, observations }
    order = settlement.order
    await wait(pauseAfterQuestion(asked, interval))
  }
}

/** What to report where the store does not have an order, although one of the merchant's own states names it. */
export const unknownOrder = (clientOrderId: string): Rejection =>
  refused('unknown-order', `The store does not have order ${quote(clientOrderId)}, for which a customer came back.`)

/** The view of a settlement; `checking` without one. */
export function outcomeView(settlement: AskedSettlement | undefined): OutcomeView {
  if (settlement === undefined || !isSettled(settlement)) return 'checking'
  if (settlement.kind !== 'approved') return 'declined'
  const kind = approvedKinds[settlement.moneyMoved]
  // A return or a release is no answer to what a customer pays; a person looks.
  return kind === 'returned' || kind === 'released' ? 'checking' : kind
}

/** The merchant's page. @throws {@link RedirectRefusedError} when it is not on this site. */
export async function pageFor(
  { redirectTo }: Pick<VisitOptions<never>, 'redirectTo'>,
  result: { readonly clientOrderId: string; readonly view: OutcomeView },
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
