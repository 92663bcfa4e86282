import { echoesIds, finalOutcome, quote, type StatusResponse } from '@tillkit/protocol'
import { createOrderQueue } from '../config/order-queue.js'
import { withDeadline } from '../config/time.js'
import { causeText } from '../config/warnings.js'
import type { VerifiedCallback } from './check.js'
import type { ReceiverSettings, ReportedResult, StatusClient } from './options.js'
import { orderStatus } from './order-status.js'
import { isShown } from './shown.js'

/** A result without its callback. */
type Result = Omit<ReportedResult, 'callback'>

export function callbackResult(
  kind: ReportedResult['kind'],
  explanation: string,
  more: { cause?: unknown } = {},
): Result {
  return { kind, status: kind === 'delivered' ? 200 : 503, explanation, ...more }
}

/** Gives the end of each callback that was settled: one may have overtaken status, and another may not. */
type Settled = (callback: VerifiedCallback) => Result

/** A callback to settle, and by whose client. */
interface Called<Context> {
  readonly callback: VerifiedCallback
  readonly client: StatusClient
  readonly context: Context | undefined
}

/** Longest interval while an order is asked about without a pause, and longest time of work on an order, in milliseconds. */
const minute = 60_000

/** Most orders that are worked on at once. */
const concurrency = 100

/**
 * Makes what settles verified callbacks: it asks status once, and calls the merchant's function with what status says. Callbacks of one
 * order that come together are settled together, within a time limit, and not too many at once. Nothing is kept afterwards.
 */
export function callbackSettler<Context>(settings: ReceiverSettings<Context>) {
  const { interval, clock, wait } = settings
  const longestInterval = Math.max(interval, minute)
  const queue = createOrderQueue<Settled>({ interval, longestInterval, concurrency, clock, wait })
  const numberOf = numbers()
  /** The callbacks that the work which waits for its turn is about. */
  const waiting = new Map<string, VerifiedCallback[]>()

  const begin = async (key: string, { callback, client, context }: Called<Context>): Promise<Settled> => {
    // Work that begins at this very moment may have taken it along: it is settled once more then.
    const callbacks = waiting.get(key) ?? [callback]
    waiting.delete(key)
    const late = () =>
      forAll('failed', `It was not settled within ${minute} ms. Do status and your function ever answer?`)
    // Work that never ends must hold up no other.
    return withDeadline(settle(callbacks, { client, context, settings }), { milliseconds: minute, wait, late })
  }

  return async (called: Called<Context>): Promise<Result> => {
    const { callback, client } = called
    const { clientOrderId, orderId } = callback.signed
    const key = JSON.stringify([numberOf(client), clientOrderId, orderId])
    const together = waiting.get(key) ?? []
    together.push(callback)
    waiting.set(key, together)
    try {
      const settled = await queue.run(key, () => begin(key, called))
      return settled(callback)
    } catch (cause) {
      waiting.delete(key)
      return callbackResult('failed', `${named(callback)} could not be settled: ${causeText(cause)}.`, { cause })
    }
  }
}

/** Numbers clients: orders of two merchants may have the same ids. */
function numbers() {
  const known = new WeakMap<object, number>()
  let last = 0
  return (client: object): number => {
    const number = known.get(client) ?? last + 1
    last = Math.max(last, number)
    known.set(client, number)
    return number
  }
}

/** Settles the callbacks of one order. */
async function settle<Context>(
  callbacks: readonly VerifiedCallback[],
  {
    client,
    context,
    settings: { profile, onStatus },
  }: {
    readonly client: StatusClient
    readonly context: Context | undefined
    readonly settings: ReceiverSettings<Context>
  },
): Promise<Settled> {
  const [first] = callbacks
  if (first === undefined) throw new TypeError('There is no callback to settle.')
  const { clientOrderId, orderId } = first.signed

  let reply: StatusResponse
  try {
    reply = await client.status({ clientOrderId, orderId })
  } catch (cause) {
    const explanation = `Status of ${named(first)} could not be read; nothing is concluded from that.`
    return forAll('no-answer', explanation, { cause })
  }
  if (!echoesIds(reply, { clientOrderId, orderId })) {
    const explanation = `Asked for ${named(first)}, status answered about another one. Nothing was concluded from it.`
    return forAll('other-order', explanation)
  }
  const outcome = finalOutcome(reply.status, profile)
  if (outcome === undefined) return forAll('not-final', `Status does not say how ${named(first)} ended.`)
  const notShown = callbackResult('not-shown', `Status does not show yet what the callback of ${named(first)} says.`)
  const taken = callbacks.find(each => isShown(each, reply, profile))
  if (taken === undefined) return () => notShown
  const called = await callMerchant(() => onStatus(orderStatus({ reply, outcome }, taken, profile), context), taken)
  return callback => (isShown(callback, reply, profile) ? called : notShown)
}

/** The same for every callback. */
function forAll(...result: Parameters<typeof callbackResult>): Settled {
  const same = callbackResult(...result)
  return () => same
}

async function callMerchant(call: () => void | Promise<void>, callback: VerifiedCallback): Promise<Result> {
  try {
    await call()
    return callbackResult('delivered', `Your function was called with what status says of ${named(callback)}.`)
  } catch (cause) {
    const explanation = `Your function "onStatus" failed for ${named(callback)}: ${causeText(cause)}. The gateway sends the callback again.`
    return callbackResult('handler-failed', explanation, { cause })
  }
}

const named = ({ signed: { clientOrderId, orderId } }: VerifiedCallback): string =>
  `order ${quote(clientOrderId)} (orderid ${quote(orderId)})`
