import type { OrderView } from '@tillkit/testing'
import { type CertifyCase, effectOf } from './cases.js'
import { type CaseContext, finalLook, payAndRetry, type Tried } from './customer.js'
import { openDoors } from './doors.js'
import { type CaseTimes, createDriver, hungCallbacks } from './drive.js'
import { caseEvents, type EventSteps } from './events.js'
import { type Evidence, type FinalAnswer, judge, type Verdict } from './judge.js'
import type { MerchantUnderTest } from './merchant.js'

/** What was seen in a case. */
export interface CaseResult {
  readonly verdicts: readonly Verdict[]
  readonly answers: Readonly<Record<string, FinalAnswer>>
  readonly orders: readonly OrderView[]
  readonly applied: boolean
  /** Operations that the merchant sent and that create or change, in their order. */
  readonly operations: readonly string[]
}

/**
 * Runs a case: a customer pays at the merchant while something goes wrong, and in the end merchant and gateway are asked what
 * they have. Every mistake of the merchant is in the result; none makes this reject.
 *
 * @param steps What happens besides the faults. Default: the event of the case.
 */
export async function runCase(
  each: CertifyCase,
  merchant: MerchantUnderTest,
  context: CaseTimes & Pick<CaseContext, 'gateway' | 'profile' | 'customer'>,
  steps: EventSteps | undefined = each.event && caseEvents[each.event],
): Promise<CaseResult> {
  const { gateway } = context
  const doors = await openDoors(merchant, context.customer?.hear)
  try {
    gateway.faults.clear()
    gateway.outcomes.clear()
    gateway.outcomes.plan({ outcome: each.outcome, times: 1_000 })
    for (const fault of each.faults) gateway.faults.arm(fault)
    const known = new Set(gateway.orders.list().map(({ orderId }) => orderId))
    const callsBefore = gateway.calls().at(-1)?.number ?? 0
    return await play(each, steps, {
      ...context,
      doors,
      driver: createDriver(gateway, context, merchant.work),
      presses: each.presses ?? 1,
      isPlain: steps === undefined && each.faults.length === 0,
      orders: () => gateway.orders.list().filter(({ orderId }) => !known.has(orderId)),
      callsBefore,
      purchase: `basket-${gateway.clock.now()}-${callsBefore + 1}`,
    })
  } finally {
    await doors.close()
  }
}

async function play(each: CertifyCase, steps: EventSteps | undefined, playing: CaseContext): Promise<CaseResult> {
  const { gateway, driver, profile, orders, callsBefore } = playing
  const deliveriesBefore = gateway.callbacks.list().length
  const deliveries = () => gateway.callbacks.list().slice(deliveriesBefore)
  const judged = ({ answers, asksOn }: Pick<Evidence, 'answers' | 'asksOn'>): readonly Verdict[] => {
    const personMayLook = each.personMayLook === true
    return judge({ answers, asksOn, orders: orders(), deliveries: deliveries(), profile, personMayLook })
  }

  const finish = steps?.before?.(playing)
  const tried = await payAndRetry(playing)
  await finish?.()
  await driver.quiet()
  const before = await answersOf(tried, playing)
  const verdicts: Verdict[] = [...tried.verdicts, ...before.verdicts]
  // Goods that were delivered stay delivered: what the merchant says of the order after that is its own affair.
  const takesBack = each.event === 'reversed' || each.event === 'charged-back'
  if (takesBack) verdicts.push(...judged(before))

  const happened = (await steps?.after?.(playing)) ?? true
  const after = steps === undefined || takesBack ? before : await answersOf(tried, playing)
  if (!takesBack) verdicts.push(...judged(after), ...(after === before ? [] : after.verdicts))
  if (hungCallbacks(deliveries()) > 0) {
    verdicts.push({ kind: 'hung', explanation: 'A callback was not answered within five seconds.' })
  }
  const hasStruck = gateway.faults.armed().every(({ struck }) => struck > 0)
  const sent = gateway.calls().flatMap(({ number, operation = '' }) => (number > callsBefore ? [operation] : []))
  return {
    verdicts: [...new Map(verdicts.map(verdict => [verdict.kind, verdict])).values()],
    answers: after.answers,
    orders: orders(),
    applied: happened && hasStruck,
    operations: [...new Set(sent.filter(name => (effectOf(name) ?? 'reads') !== 'reads'))],
  }
}

/** One answer that there is no such order can come too early. */
const twoAnswers = 2

/** What the merchant says in the end of everything it took on, and of the orders that the gateway has though the customer was told no. */
async function answersOf({ started, rejected }: Tried, playing: CaseContext) {
  const { gateway, grace } = playing
  const from = gateway.calls().at(-1)?.number ?? 0
  /** Questions about an order since the first look. */
  const questions = (order: string): number =>
    gateway
      .calls('status')
      .filter(
        ({ number, fields }) =>
          number > from && fields.some(([name, value]) => name === 'client_orderid' && value === order),
      ).length
  const untold = rejected ? playing.orders().map(({ clientOrderId }) => clientOrderId) : []
  const answers: Record<string, FinalAnswer> = {}
  const verdicts: Verdict[] = []
  for (const order of new Set([...started, ...untold])) {
    const { word, broken } = await finalLook(order, playing)
    // A merchant need not know an order that it did not name to the customer.
    if (!started.includes(order) && word === 'no answer') continue
    if (broken !== undefined) verdicts.push(broken)
    answers[order] = word
  }
  // If the clock of the gateway is the merchant's as well, days have passed by now, and there is nothing to wait for.
  const asksOn = grace > 0 && [...started].every(order => answers[order] !== 'open' || questions(order) >= twoAnswers)
  return { answers, verdicts, asksOn }
}
