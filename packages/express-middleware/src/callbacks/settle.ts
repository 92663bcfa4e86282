import { isAwaited, isGivenUp, isUnresolved, type KnownOrder, quote, type WireProfile } from '@tillkit/protocol'
import { withDeadline } from '../config/time.js'
import { causeText, handlerFailure } from '../config/warnings.js'
import { askAboutOrder, askAboutOthers, isAbout, isApproval, resolveUnanswered } from '../outcomes/ask.js'
import type { Answered, AskedOrder, SignedAndUnsigned, TellingEngine } from '../outcomes/asked.js'
import type { CallbackCame, Ledger } from '../outcomes/ledger.js'
import { createOrderQueue } from '../outcomes/order-queue.js'
import type { VerifiedCallback } from './check.js'
import type { CallbackMerchant, ReceiverSettings, ReportedResult } from './options.js'
import { hasNews, isShown, type KnownNow, raisedBy } from './shown.js'

const taken: ReadonlySet<string> = new Set<ReportedResult['kind']>(['told', 'known', 'stored', 'unmatched'])

export function callbackResult(
  kind: ReportedResult['kind'],
  explanation: string,
  more: Pick<ReportedResult, 'cause'> = {},
): ReportedResult {
  return { kind, status: taken.has(kind) ? 200 : 503, explanation, ...more }
}

/** What an interval grows to while an order is asked about without a pause, in milliseconds. */
const minute = 60_000

/** Ids of a verified callback. */
export interface CallbackIds {
  readonly clientOrderId: string
  /** The gateway's order id; empty where it is not known. */
  readonly orderId: string
  /** The word of status; absent where no callback is at hand. */
  readonly status?: string
  /** The callbacks at hand: one, the first of those that are settled together, or all that came since the work on the order began. */
  readonly callbacks?: readonly VerifiedCallback[] | undefined
}

/** What settling came to. */
export interface Settled {
  readonly result: ReportedResult
  /** Absent where status said nothing of the order. */
  readonly known?: KnownNow
}

/**
 * Settles what verified callbacks are about: asks status, and tells outcomes. Callbacks of one order that come together are settled
 * together, within a time limit, and not too many at once.
 */
export function callbackSettler<Context, Transaction>(
  settings: ReceiverSettings<Context, Transaction>,
  ledger: Ledger,
) {
  const { lease, interval, concurrency, clock, wait, profile, engine } = settings
  const longestInterval = Math.max(interval, minute)
  const queue = createOrderQueue<Settled>({ interval, longestInterval, concurrency, clock, wait })
  const milliseconds = 2 * lease
  const late = () =>
    callbackResult('failed', `It was not settled within ${milliseconds} ms. Does status or the store ever answer?`)

  // Work that never ends must hold up no other.
  const within = <Result>(work: Promise<Result>, as: (late: ReportedResult) => Result) =>
    withDeadline(work, { milliseconds, wait, late: () => as(late()) })
  return {
    within,
    settle: (ids: CallbackIds, { client }: CallbackMerchant) =>
      queue.run(JSON.stringify([client.payments.login, ids.clientOrderId, ids.orderId]), () =>
        within(settleCallback(ids, { client, ledger, clock, profile, engine }), result => ({ result })),
      ),
  }
}

/** What callbacks came to: one may have overtaken status. */
export function resultOf(
  { result, known }: Settled,
  callbacks: readonly VerifiedCallback[],
  profile: WireProfile,
): ReportedResult {
  const early = known && callbacks.find(each => !isShown(each, known, profile))
  if (early === undefined) return result
  const named = quote(early.signed.clientOrderId)
  return callbackResult('not-shown', `Status does not show yet what the callback of order ${named} says.`)
}

/** For how long a callback is open that is not at hand any more, while status says nothing new, in milliseconds. */
const hour = 60 * minute

/** What a callback came to whose order the store does not have, or has under another id of the gateway. */
export function notMatching(came: CallbackCame, { clientOrderId, orderId }: CallbackIds): ReportedResult {
  const named = `Order ${quote(clientOrderId)}`
  if (came.kind === 'not-kept') {
    const what = `${named} (orderid ${quote(orderId)}) has no request in the store, and the callback is not kept.`
    return callbackResult('not-kept', `${what} ${came.why}.`)
  }
  if (came.kind !== 'other-order')
    return callbackResult('unmatched', `${named} (orderid ${quote(orderId)}) has no request in the store.`)
  const explanation = `${named} is orderid ${quote(came.order.orderId)}; the callback says ${quote(orderId)}.`
  return callbackResult('other-order', `${explanation} Status was not asked.`)
}

/** Whether callbacks name another order of the gateway than the store has. */
export const isOther = (known: KnownOrder, orderId: string): boolean =>
  orderId !== '' && known.orderId !== undefined && known.orderId !== orderId

interface SettlingOptions extends Pick<CallbackMerchant, 'client'> {
  readonly ledger: Ledger
  readonly clock: () => number
  readonly profile: WireProfile
  readonly engine: TellingEngine | undefined
}

/** It never throws: what goes wrong is in the result. */
async function settleCallback(ids: CallbackIds, options: SettlingOptions): Promise<Settled> {
  try {
    return await askAndTell(ids, options)
  } catch (cause) {
    const explanation = `Order ${quote(ids.clientOrderId)} could not be settled: ${causeText(cause)}.`
    return { result: callbackResult('failed', explanation, { cause }) }
  }
}

async function askAndTell(ids: CallbackIds, options: SettlingOptions): Promise<Settled> {
  const { client, ledger, engine } = options
  const { clientOrderId, orderId, status = '' } = ids
  const { payments } = client
  const asked =
    engine === undefined ? await askByClient(ids, options) : await engine.settle({ ...ids, login: payments.login })
  if (asked !== undefined) return cameTo(asked, ids)
  const came: CallbackCame =
    orderId === '' ? { kind: 'unmatched' } : await ledger.callbackCame({ payments, clientOrderId }, orderId, status)
  return { result: notMatching(came, ids) }
}

/** Asks by the client, which writes down what it learns. @returns Undefined where the store does not have the order, or has another one. */
async function askByClient(
  ids: CallbackIds,
  { client, ledger, clock, profile }: SettlingOptions,
): Promise<AskedOrder | undefined> {
  const { clientOrderId, orderId } = ids
  const place = { payments: client.payments, clientOrderId }
  let found = await ledger.find(place)
  if (found?.order.attempts.some(isUnresolved) === true) {
    await resolveUnanswered(found, client)
    await ledger.overdueSeen(place)
    found = await ledger.find(place)
  }
  const known = found?.order
  if (found === undefined || known === undefined || isOther(known, orderId)) return undefined
  const order = asCallbacksNameIt(known, orderId)
  const { callbacks = [] } = ids
  const raised = (replies: readonly Answered[]) => raisedBy(callbacks, { order, replies }, profile)
  const { replies: all, failure } = await askAboutOrder(order, { client, clock, profile, raised })
  const replies = all.filter(each => isAbout(each, order))
  if (replies.some(({ reply }) => isApproval(reply, profile))) await askAboutOthers(found.others, client)
  const isWhole = failure === undefined && replies.length === all.length
  const isAnswered = isWhole && areAnswered(callbacks, { order, replies, at: found.at }, profile)
  const told = await ledger.tell(place, replies, isAnswered ? known.callbackAt : undefined)
  return { order, told, replies, failure, isWhole }
}

/** Gives the order with the gateway's id, also where only the callbacks name that. */
export const asCallbacksNameIt = (order: KnownOrder, orderId: string): KnownOrder => {
  const id = order.orderId ?? orderId
  return id === '' ? order : { ...order, orderId: id }
}

/**
 * Whether callbacks have their answer. Those of this process: status has shown everything that they say. Without any, an earlier one may be open:
 * status has said something new, or the callback is an hour old.
 */
export const areAnswered = (
  callbacks: readonly SignedAndUnsigned[],
  { at, ...now }: KnownNow & { readonly at: number },
  profile: WireProfile,
): boolean =>
  callbacks.length > 0
    ? callbacks.every(each => isShown(each, now, profile))
    : hasNews(now, profile) || at - (now.order.callbackAt ?? 0) >= hour

/** Says for people how asking and telling ended. */
function cameTo(
  { order, told, replies, failure, isWhole }: AskedOrder,
  { clientOrderId, callbacks = [] }: CallbackIds,
): Settled {
  const named = quote(clientOrderId)
  const end = (...result: Parameters<typeof callbackResult>): Settled => ({ result: callbackResult(...result) })
  if (told.kind === 'busy')
    return end('busy', `An outcome of order ${named} is being handled, here or elsewhere, or this was closed before.`)
  if (told.kind === 'failed') {
    const { explanation, cause } = handlerFailure(told.reference, told.cause)
    return end('handler-failed', explanation, { cause })
  }
  if (failure !== undefined) {
    const isRefused = Object(failure.cause).code === 'ERR_REQUEST_REFUSED'
    // A person gave the order up, since the gateway does not know it. That it still does not is no news.
    if (callbacks.length === 0 && isRefused && isGivenUp(order))
      return end('not-final', `Status does not know order ${named}, as a person said. It is asked about again.`)
    const explanation = `Status of order ${named} could not be read; nothing is concluded from that.`
    return end('no-answer', explanation, failure)
  }
  if (!isWhole) {
    return end(
      'other-order',
      `Asked for order ${named}, orderid ${quote(order.orderId)}, status answered about another one. Nothing was concluded from it.`,
    )
  }
  if (told.order !== undefined && isAwaited(told.order))
    return end('not-final', `Status does not say how order ${named} ended.`)
  const { result } =
    told.kind === 'told'
      ? end('told', `Every outcome of order ${named} has been told.`)
      : end('known', 'Status says nothing that was not told before.')
  return { result, known: { order: told.order ?? order, replies } }
}
