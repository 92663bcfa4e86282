/**
 * A merchant's wishes in a world: payments at times of the seed's, changes a while after hearing something, and answers of a person.
 *
 * @module
 */

import { testCard } from '@tillkit/testing'
import type { Afterwards, TillOutcome } from '../../../src/index.js'
import type { PaymentQuestion } from '../../../src/rules/people/questions.js'
import type { WantedDecision } from '../../../src/rules/people/wanted.js'
import { visit } from './customers.js'
import type { Fates } from './fates.js'
import { hour, minute, second } from './times.js'
import type { World } from './world.js'

/** Puts on the clock what is wanted by itself. @returns The references of the payments. */
export function planOf(world: World): readonly string[] {
  const chance = world.fates('plan')
  const payments = Array.from({ length: chance.between(1, 3) }, (_, at) => `basket-${at + 1}`)
  for (const reference of payments) {
    const first = chance.between(0, 20 * minute)
    // Some press twice, and some come again.
    for (let calls = chance.pick([1, 1, 1, 2]); calls > 0; calls -= 1) world.later(first, () => pay(reference, world))
    for (let calls = chance.pick([0, 0, 1, 2]); calls > 0; calls -= 1)
      world.later(first + chance.between(1, 6 * hour), () => pay(reference, world))
  }
  const payouts = chance.of(0.3) ? ['payout-1'] : []
  for (const reference of payouts)
    for (let calls = chance.pick([1, 1, 2]); calls > 0; calls -= 1)
      world.later(chance.between(0, hour), () => payOut(reference, world))
  if (chance.of(0.1)) {
    const stopped = chance.between(0, hour)
    world.later(stopped, () => stop('pause', world))
    world.later(stopped + hour, () => stop('resume', world))
  }
  for (const reference of payments)
    if (chance.of(0.3)) world.later(chance.between(0, 4 * hour), () => ask(reference, world))
  for (const reference of [...payments, ...payouts])
    for (const time of [3, 6, 11]) if (chance.of(0.5)) world.later(time * hour, () => decide(reference, world))
  for (let deaths = chance.pick([0, 0, 1, 2]); deaths > 0; deaths -= 1) {
    const which = chance.between(0, 1)
    world.later(chance.between(0, 3 * hour), () => {
      world.count('process dies')
      world.process(which).isDead = true
    })
  }
  return [...payments, ...payouts]
}

interface Hearing {
  readonly world: World
  readonly process: { isDead: boolean }
  /** Its idempotency key. */
  readonly outcome: string
  readonly afterwards: Afterwards
}

/** The merchant is told, and wants something done; or fails. */
export async function hear(told: TillOutcome, { world, process, outcome, afterwards }: Hearing): Promise<void> {
  const { kind, payment, order, stage } = told
  const { reference } = payment
  const { fates, nth, count, isCalm } = world
  const about = [reference, order.clientOrderId, kind, stage.stage] as const
  const chance = fates('handler', ...about, nth('handler', ...about))
  if (process.isDead) return
  if (!isCalm() && chance.of(0.15)) {
    const fate = chance.pick(['throws', 'dies', 'takes long'] as const)
    count(`handler ${fate}`)
    if (fate === 'throws') throw new Error('The handler failed.')
    if (fate === 'dies') process.isDead = true
    if (fate === 'takes long') await world.gateway.clock.wait(2 * minute)
  }
  if (process.isDead) return
  const line = `${kind} ${order.clientOrderId} ${stage.stage} ${stage.amount ?? ''}`.trim()
  world.told.push({ reference, outcome, line })
  // It wants the same each time that it is told.
  if (fates('follows', ...about).of(0.25)) follow(kind, { afterwards, world })
  if (nth('wants', ...about) === 1 && !isCalm()) want(fates('wants', ...about), { kind, reference, world })
}

/** The wishes about the order that the handler gives once the merchant was told of it. */
function follow(kind: TillOutcome['kind'], { afterwards, world }: Pick<Hearing, 'afterwards' | 'world'>): void {
  if (kind !== 'held' && kind !== 'paid') return
  const part = { key: 'parcel-9', amount: '3.00' }
  world.count(`follows ${kind}`)
  if (kind === 'held') afterwards.capture()
  else {
    afterwards.return(part)
    afterwards.return()
  }
}

interface Heard {
  readonly kind: TillOutcome['kind']
  readonly reference: string
  readonly world: World
}

/** The merchant's wishes a while after hearing something. */
function want(chance: ReturnType<Fates>, { kind, reference, world }: Heard): void {
  const after = chance.pick([second, 3 * minute, 20 * minute, 2 * hour])
  const part = chance.of(0.5) ? { key: 'parcel-1', amount: '2.00' } : undefined
  const change = (name: 'capture' | 'return' | 'void') =>
    world.later(after, () => {
      world.count(`wants ${name}${part === undefined || name === 'void' ? '' : ' of a part'}`)
      const { till } = world.process(chance.between(0, 1))
      return (name === 'void' ? till.void(reference) : till[name](reference, part)).catch(expected)
    })
  if (kind === 'paid' && chance.of(0.4)) change('return')
  if (kind === 'returned' && chance.of(0.3)) change('return')
  if (kind === 'held' && chance.of(0.8)) change(chance.pick(['capture', 'capture', 'void', 'return']))
  if ((kind === 'declined' || kind === 'failed') && chance.of(0.6)) world.later(after, () => pay(reference, world))
}

/** An error that says why something is not done. Any other is thrown on. */
function expected(error: unknown): undefined {
  if (!/^ERR_[A-Z_]+$/.test(String(Reflect.get(Object(error), 'code')))) throw error
}

async function pay(reference: string, world: World): Promise<void> {
  const chance = world.fates('pay', reference, world.nth('pay', reference))
  const kind = world.fates('kind', reference)
  const [hold, byCard, isVerified] = [kind.of(0.25), kind.of(0.35), kind.of(0.1)]
  const name = isVerified ? 'verification' : hold ? 'preauth' : 'sale'
  world.count(`wants ${name}${byCard && !isVerified ? ' by card' : ''}`)
  const person = { reference, currency: 'EUR', email: 'joan@customer.example' }
  const order = { ...person, amount: chance.of(0.9) ? '10.00' : '12.00', hold }
  const card = {
    creditCardNumber: testCard,
    cardPrintedName: 'JOAN BAKER',
    expireMonth: '12',
    expireYear: '2099',
    cvv2: chance.pick(['123', '123', '123', '101', '321']),
  }
  const { till } = world.process(chance.between(0, 1))
  const called = isVerified ? till.verify(person) : till.pay(byCard ? { ...order, ...card } : order)
  const step = await called.catch(expected)
  if (step !== undefined) visit(step.address, { world, till })
}

async function payOut(reference: string, { count, fates, nth, process }: World): Promise<void> {
  count('wants payout')
  const checked = fates('kind', reference).of(0.5)
  const { till } = process(fates('payout', reference, nth('payout', reference)).between(0, 1))
  const payout = { reference, amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300', checked }
  await till.payout(payout).catch(expected)
}

/** A person stops new money, or lets it come again. */
async function stop(name: 'pause' | 'resume', { count, process }: World): Promise<void> {
  count(`wants ${name}`)
  await process(1).till[name]({ who: 'ada@shop.example', why: 'ticket 4712' })
}

/** The merchant has status asked now. */
async function ask(reference: string, { count, process }: World): Promise<void> {
  count('wants to ask')
  await process(1).till.ask(reference).catch(expected)
}

/** A person looks at a payment, and answers what is asked about it as the gateway's books say. */
async function decide(reference: string, world: World): Promise<void> {
  const { till } = world.process(0)
  const [question] = await till.questions(reference)
  const answer = question === undefined ? undefined : answerTo(question, world)
  if (answer === undefined) return
  world.count(`decides ${answer.kind}`)
  await till.decide(reference, { ...answer, who: 'ada@shop.example', why: 'ticket 4711' }).catch(expected)
}

function answerTo(question: PaymentQuestion, { gateway }: World): WantedDecision | undefined {
  const { order } = question
  switch (question.kind) {
    case 'unknown': {
      if (question.effect !== 'creates') return undefined
      const orderId = gateway.orders.find(order)?.orderId
      const { request } = question
      return orderId === undefined ? { kind: 'failed', order, request } : { kind: 'arrived', order, request, orderId }
    }
    case 'disputed': {
      const { stage, serialNumber, words, amounts } = question
      const outcome = words.at(-1) === 'approved' ? 'approved' : 'declined'
      const amount = amounts.length > 1 ? amounts.at(-1) : undefined
      return { kind: 'settled', order, stage, serialNumber, outcome, amount }
    }
    case 'surplus':
      return { kind: 'give-back', order }
    case 'open-order':
      return { kind: 'abandon', order }
    case 'not-shown':
      return { kind: 'noted', order }
    case 'failing':
      return { kind: 'skip', outcome: question.outcome }
  }
}
