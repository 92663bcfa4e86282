import { quote, type StatusAsker, type WireProfile } from '@tillkit/protocol'
import { boundedMap } from '../config/bounded-map.js'
import { withDeadline } from '../config/time.js'
import { type AwaitedOrder, askAboutOrder, checkAwaitedOrder, orderIds } from '../outcomes/ask.js'
import { createOrderQueue } from '../outcomes/order-queue.js'
import { type DeliverOptions, deliverOutcome, receivedOutcome } from '../outcomes/tell.js'
import type { CallbackIds, CallbackMerchant, ReceiverSettings, ReportedResult } from './options.js'

const taken: ReadonlySet<string> = new Set<ReportedResult['kind']>(['told', 'known', 'stored'])

export function callbackResult(
  kind: ReportedResult['kind'],
  explanation: string,
  more: Pick<ReportedResult, 'cause'> = {},
): ReportedResult {
  return { kind, status: taken.has(kind) ? 200 : 503, explanation, ...more }
}

/** What an interval grows to while an order is asked about without a pause, in milliseconds. */
const minute = 60_000

/**
 * Settles what verified callbacks are about: looks the order up, asks status, tells outcomes. Callbacks of one order that come
 * together are settled together, within a time limit, and not too many at once.
 */
export function callbackSettler<Context>(settings: ReceiverSettings<Context>) {
  const { order, onOutcome, inbox, profile, lease, interval, concurrency, clock, wait } = settings
  const longestInterval = Math.max(interval, minute)
  const queue = createOrderQueue<ReportedResult>({ interval, longestInterval, concurrency, clock, wait })
  const settling = { clock, profile, inbox, onOutcome, lease, wait, isLasting: unexpectedChanges(clock) }
  const milliseconds = 2 * lease
  const late = () =>
    callbackResult(
      'failed',
      `It was not settled within ${milliseconds} ms. Does "order", status or the inbox ever answer?`,
    )

  // Work that never ends must hold up no other.
  const within = (work: Promise<ReportedResult>) => withDeadline(work, { milliseconds, wait, late })
  return {
    within,
    settle: (ids: CallbackIds, { client }: CallbackMerchant, context: Context | undefined) =>
      queue.run(JSON.stringify([ids.login, ids.clientOrderId, ids.orderId]), () =>
        within(settleCallback(ids, { ...settling, client, findOrder: each => order(orderIds(each), context) })),
      ),
  }
}

/**
 * Remembers when each of the latest 10,000 unexpected changes was first seen, in this process: the gateway goes on sending its
 * callback.
 *
 * A callback may be faster than the answer to the merchant's own request, whose serial number is not stored then. What is
 * still unexpected a minute later is no request of the merchant's: a person at the gateway made it.
 *
 * @returns Whether the change with this key was there a minute ago already.
 */
function unexpectedChanges(clock: () => number): (key: string) => boolean {
  const firstSeen = boundedMap<number>(10_000)
  return key => {
    const now = clock()
    const since = firstSeen.get(key) ?? now
    if (since === now) firstSeen.set(key, now)
    return now - since >= minute
  }
}

interface SettlingOptions extends DeliverOptions {
  readonly client: StatusAsker
  readonly clock: () => number
  readonly profile: WireProfile | undefined
  /** Whether an unexpected change has been there for so long that no request of the merchant's own can be behind it. */
  readonly isLasting: (key: string) => boolean
  readonly findOrder: (ids: CallbackIds) => AwaitedOrder | undefined | Promise<AwaitedOrder | undefined>
}

/** It never throws: what goes wrong is in the result. */
async function settleCallback(ids: CallbackIds, options: SettlingOptions): Promise<ReportedResult> {
  const named = quote(ids.clientOrderId)
  try {
    const found = (await options.findOrder(ids)) ?? undefined
    if (found === undefined) {
      return callbackResult('unknown-order', `Nothing is known of order ${named} (orderid ${quote(ids.orderId)}).`)
    }
    const { order, expected } = checkAwaitedOrder(found, ids.clientOrderId)
    if (order.orderId !== undefined && order.orderId !== ids.orderId) {
      const explanation = `Order ${named} is orderid ${quote(order.orderId)}; the callback says ${quote(ids.orderId)}.`
      return callbackResult('other-order', `${explanation} Status was not asked.`)
    }
    return await tellFindings({ order: { ...order, orderId: ids.orderId }, expected }, { ids, options })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    return callbackResult('failed', `Order ${named} could not be settled: ${message}`, { cause })
  }
}

async function tellFindings(
  awaited: AwaitedOrder,
  { ids, options }: { readonly ids: CallbackIds; readonly options: SettlingOptions },
): Promise<ReportedResult> {
  const { client, clock, profile } = options
  const named = quote(ids.clientOrderId)
  const findings = await askAboutOrder(awaited, { client, clock, ...(profile === undefined ? {} : { profile }) })
  for (const finding of findings) {
    if (finding.kind !== 'outcome') continue
    const { isExpected, mayBeOwn, settlement } = finding
    const received = receivedOutcome(settlement, { login: ids.login, isExpected })
    if (mayBeOwn && !options.isLasting(received.key)) {
      return callbackResult(
        'not-expected',
        `Status reports a ${settlement.stage.stage} of order ${named} that is not waited for. It may be one of yours whose ` +
          'answer is not stored yet; if it still is not waited for in a minute, the next callback tells of it.',
      )
    }
    if ((await deliverOutcome(received, options)) === 'busy') {
      return callbackResult('busy', `An outcome of order ${named} is being handled, here or elsewhere.`)
    }
  }
  const open = findings.filter(finding => finding.kind !== 'outcome')
  const worst = open.find(({ kind }) => kind !== 'known')
  if (worst !== undefined) {
    return callbackResult(worst.kind, worst.explanation, 'cause' in worst ? { cause: worst.cause } : {})
  }
  return open.length === findings.length
    ? callbackResult('known', 'Status says what your order says already.')
    : callbackResult('told', `Every outcome of order ${named} has been told.`)
}
