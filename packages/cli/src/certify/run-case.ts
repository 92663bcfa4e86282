/**
 * Runs one case: a customer pays at the merchant while something goes wrong, and in the end both are asked what they have.
 *
 * @module
 */

import { operations } from '@tillkit/protocol'
import { type FakeGateway, type OrderView, testCard } from '@tillkit/testing'
import type { CertifyCase } from './cases.js'
import { payOnPage } from './customer.js'
import { type CallbackDoor, type Doors, doorsOf, localAddress, MerchantDownError, openCallbackDoor } from './doors.js'
import { createDriver, type Driver, type DriverTimes, hungCallbacks } from './drive.js'
import { caseEvents } from './events.js'
import { type Evidence, type FinalAnswer, hasMoney, judge, type Verdict } from './judge.js'
import { finalLook, look, messageOf } from './looks.js'
import type { MerchantUnderTest, PaymentToStart } from './merchant.js'

/** What a case is run with. */
export interface CaseContext extends DriverTimes {
  readonly gateway: FakeGateway
  readonly merchant: MerchantUnderTest
  readonly grace: number
  readonly profile: Evidence['profile']
}

/** What came of it. */
export interface CaseResult {
  readonly verdicts: readonly Verdict[]
  readonly answers: Readonly<Record<string, FinalAnswer>>
  readonly orders: readonly OrderView[]
  readonly applied: boolean
  /** Operations that the merchant sent and that create or change, in their order. */
  readonly operations: readonly string[]
}

const money = { amount: '10.00', currency: 'EUR', email: 'ada@customer.example' } as const

const card: PaymentToStart['card'] = {
  creditCardNumber: testCard,
  cardPrintedName: 'ADA LOVELACE',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '123',
}

/** Runs a case. What the merchant does wrong is in the result; it rejects for nothing that the merchant does. */
export async function runCase(each: CertifyCase, context: CaseContext): Promise<CaseResult> {
  const { gateway, merchant } = context
  const { receiveCallback } = merchant
  const door = typeof receiveCallback === 'function' ? await openCallbackDoor(receiveCallback) : undefined
  const callbackAddress =
    receiveCallback === undefined || typeof receiveCallback === 'function'
      ? undefined
      : localAddress('receiveCallback', receiveCallback)
  try {
    gateway.faults.clear()
    gateway.outcomes.clear()
    gateway.outcomes.plan({ outcome: each.outcome, times: 1_000 })
    for (const fault of each.faults) gateway.faults.arm(fault)
    return await play(each, {
      ...context,
      door,
      callbackAddress,
      doors: doorsOf(merchant),
      driver: createDriver(gateway, context),
    })
  } finally {
    await door?.close()
  }
}

interface Playing extends CaseContext {
  readonly door: CallbackDoor | undefined
  readonly callbackAddress: URL | undefined
  readonly doors: Doors
  readonly driver: Driver
}

async function play(each: CertifyCase, playing: Playing): Promise<CaseResult> {
  const { gateway, driver, profile } = playing
  const known = new Set(gateway.orders.list().map(({ orderId }) => orderId))
  const orders = () => gateway.orders.list().filter(({ orderId }) => !known.has(orderId))
  const seen = { calls: gateway.calls().at(-1)?.number ?? 0, deliveries: gateway.callbacks.list().length }
  const deliveries = () => gateway.callbacks.list().slice(seen.deliveries)
  const steps = each.event === undefined ? {} : caseEvents[each.event]
  const event = { gateway, profile, driver, orders, callbackAddress: playing.callbackAddress }

  const finish = steps.before?.(event)
  const tried = await payAndRetry({
    ...playing,
    isPlain: each.event === undefined && each.faults.length === 0,
    orders,
    seen: seen.calls,
  })
  await finish?.()
  await driver.quiet()
  const before = await answersOf(tried, { ...playing, orders })
  const evidence = { profile, personMayLook: each.personMayLook === true }
  const verdicts: Verdict[] = [...tried.verdicts, ...before.verdicts]
  const takesBack = each.event === 'reversed' || each.event === 'charged-back'
  if (takesBack)
    verdicts.push(...judge({ ...evidence, answers: before.answers, orders: orders(), deliveries: deliveries() }))

  const happened = (await steps.after?.(event)) ?? true
  const after = each.event === undefined || takesBack ? before : await answersOf(tried, { ...playing, orders })
  // Goods that were delivered stay delivered: what the merchant says of the order after that is its own affair.
  if (!takesBack) {
    const all = { ...evidence, answers: after.answers, orders: orders(), deliveries: deliveries() }
    verdicts.push(...judge(all), ...(after === before ? [] : after.verdicts))
  }
  if (hungCallbacks(deliveries()) > 0) {
    verdicts.push({ kind: 'hung', explanation: 'A callback was not answered within five seconds.' })
  }
  const notStruck = gateway.faults.armed().some(({ struck }) => struck === 0)
  const own = gateway.calls().filter(({ number }) => number > seen.calls)
  return {
    verdicts: [...new Map(verdicts.map(verdict => [verdict.kind, verdict])).values()],
    answers: after.answers,
    orders: orders(),
    applied: happened && !notStruck,
    operations: [...new Set(own.flatMap(({ operation = '' }) => (movesMoney(operation) ? [operation] : [])))],
  }
}

/** Whether faults of requests strike it. */
const movesMoney = (name: string): boolean =>
  Object.hasOwn(operations, name) && operations[name as keyof typeof operations].effect !== 'reads'

interface Tried {
  /** The merchant's ids of what it took on. */
  readonly started: readonly string[]
  /** Whether the customer was told that it failed, without an id. */
  readonly rejected: boolean
  readonly verdicts: readonly Verdict[]
}

interface Paying extends Playing {
  readonly orders: () => readonly OrderView[]
  /** Number of the latest call before the case. */
  readonly seen: number
  /** Whether nothing goes wrong in the case. */
  readonly isPlain: boolean
}

/** How long a customer waits before another try, in milliseconds on the gateway's clock. After the last they go away. */
const pauses = [0, 120_000]

/** The customer pays, and pays again when told that it failed. */
async function payAndRetry(paying: Paying): Promise<Tried> {
  let latest = await payOnce(paying)
  const tries = [latest]
  for (const pause of pauses) {
    const wasToldNo = latest.rejected || latest.said === 'not-paid'
    if (!wasToldNo || paying.isPlain || latest.verdicts.length > 0) break
    if (pause > 0) await paying.driver.advance(pause)
    latest = await payOnce(paying)
    tries.push(latest)
  }
  return {
    started: [...new Set(tries.flatMap(({ started }) => started))],
    rejected: tries.some(({ rejected }) => rejected),
    verdicts: latest.verdicts,
  }
}

async function payOnce(paying: Paying): Promise<Tried & { readonly said?: FinalAnswer }> {
  const { gateway, driver, doors, door, isPlain } = paying
  const payment = { purchase: 'basket-1', ...money, card, ...(door === undefined ? {} : { callbackUrl: door.url }) }
  const ending = await driver.until(() => doors.startPayment(payment))
  const nothing = { started: [], rejected: true, verdicts: [] }
  if (ending.hung) {
    return { ...nothing, verdicts: [{ kind: 'hung', explanation: 'Starting the payment never came to an end.' }] }
  }
  if (!('value' in ending)) {
    if (!isPlain && !(ending.error instanceof MerchantDownError)) return nothing
    return {
      ...nothing,
      verdicts: [
        {
          kind: 'failed',
          explanation: `Starting the payment failed: ${messageOf(ending.error)}`,
        },
      ],
    }
  }
  const { order = latestOrder(paying), redirectUrl } = ending.value ?? {}
  if (redirectUrl !== undefined) {
    const page = new URL(redirectUrl)
    await driver.until(() => payOnPage(page, { dispatcher: gateway.dispatcher, card }))
  }
  if (order === undefined) {
    return {
      ...nothing,
      verdicts: isPlain
        ? [{ kind: 'failed', explanation: 'Nothing was wrong, and no payment reached the gateway.' }]
        : [],
    }
  }
  await driver.calm()
  const { word, isOpen } = await look(order, { ...paying, grace: 0 })
  const hasNone = !paying.orders().some(each => hasMoney(each, paying.profile))
  const early: readonly Verdict[] =
    word === 'paid' && hasNone
      ? [
          {
            kind: 'paid-without-money',
            explanation: `The merchant called ${order} paid before the gateway had any money.`,
          },
        ]
      : []
  return { started: [order], rejected: false, verdicts: early, ...(isOpen ? {} : { said: word }) }
}

/** The merchant's id of the order that the gateway was asked about last. */
function latestOrder({ gateway, seen }: Paying): string | undefined {
  const fields = gateway.calls().flatMap(call => (call.number > seen ? call.fields : []))
  return fields.findLast(([name]) => /^client[-_]order-?id$/.test(name))?.[1]
}

/** What the merchant says in the end of everything it took on, and of what the gateway has though the customer was told no. */
async function answersOf({ started, rejected }: Tried, playing: Playing & Pick<Paying, 'orders'>) {
  const unsaid = rejected ? playing.orders().map(({ clientOrderId }) => clientOrderId) : []
  const answers: Record<string, FinalAnswer> = {}
  const verdicts: Verdict[] = []
  for (const order of new Set([...started, ...unsaid])) {
    const { word, broken } = await finalLook(order, playing)
    // Of an order that the merchant did not name to the customer it need not know.
    if (!started.includes(order) && word === 'no answer') continue
    if (broken !== undefined) verdicts.push(broken)
    answers[order] = word
  }
  return { answers, verdicts }
}
