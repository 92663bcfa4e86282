/**
 * One world that any engine can live in: a gateway, a store, processes that come and go, customers, a merchant who wants things done, and a
 * gateway's own people. What happens follows from a seed and from what happened at the gateway, never from how often an engine asks or writes.
 *
 * @module
 */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { memoryStore, type PaymentQuestion, type Store, type WantedDecision } from '@tillkit/protocol'
import {
  createFakeClock,
  createFakeGateway,
  type FakeGateway,
  ImpossibleActionError,
  signedCallback,
  testCard,
} from '@tillkit/testing'
import { vi } from 'vitest'
import type { Till, TillOptions, TillOutcome } from '../../../src/index.js'
import { readyAccount } from '../ready-account.js'
import { inWorld, type Quiet, timersOf, watchCrypto } from '../worlds/quiet.js'
import { walk } from '../worlds/walk.js'
import { counting, type Fates, fatesOf } from './fates.js'
import { keptFor } from './kept.js'
import { gatewaysIdIn, lineFor, merchantsIdIn } from './line.js'

/** Makes a till. */
export type Engine = (options: TillOptions<never>) => Till

/** What became of one payment. */
export interface Lived {
  /** What the gateway was asked for besides status, in that order. */
  readonly sent: readonly string[]
  /** What the merchant was told, in that order. */
  readonly told: readonly string[]
  /** How the payment stands in the end, and what a person is asked. */
  readonly end: readonly string[]
}

/** What a world came to, by the reference of each payment; and how often each fault struck and each thing was wanted. */
export interface Trace {
  readonly payments: ReadonlyMap<string, Lived>
  readonly counts: ReadonlyMap<string, number>
}

export interface World {
  readonly gateway: FakeGateway
  readonly store: Store
  readonly fates: Fates
  /** How often something was seen by now, this time included. */
  readonly nth: (...about: readonly string[]) => number
  /** Notes that something happened. */
  readonly count: (what: string) => void
  /** Whether nothing fails any more. */
  readonly isCalm: () => boolean
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const shop = 'https://shop.example'

/** Lives through the world of a seed with an engine. */
export const liveWith = (seed: string, engine: Engine): Promise<Trace> => inWorld(() => new Life(seed, engine).live())

/** A process with a till in it. */
interface Process {
  readonly till: Till
  isDead: boolean
}

class Life {
  readonly #engine: Engine
  readonly #fates: Fates
  readonly #nth = counting()
  readonly #counts = new Map<string, number>()
  readonly #clock = createFakeClock({ base: () => Date.UTC(2026, 0, 5) })
  readonly #gateway: FakeGateway
  readonly #world: World
  readonly #processes = new Map<number, Process>()
  readonly #told: { readonly reference: string; readonly line: string }[] = []
  /** Forms and pages that customers were sent to. */
  readonly #visited = new Set<string>()
  readonly #seen = new Set<string>()
  /** What nobody expected. */
  readonly #faults: string[] = []
  #mail = 0
  #isCalm = false

  constructor(seed: string, engine: Engine) {
    this.#engine = engine
    this.#fates = fatesOf(seed)
    this.#gateway = createFakeGateway({ clock: this.#clock, seed, maxCalls: 100_000 })
    this.#world = {
      gateway: this.#gateway,
      store: memoryStore({ clock: this.#clock.now }),
      fates: this.#fates,
      nth: this.#nth,
      count: what => void this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1),
      isCalm: () => this.#isCalm,
    }
  }

  async live(): Promise<Trace> {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    timersOf(this.#clock)
    const quiet = watchCrypto()
    try {
      const references = this.#plan()
      await this.#pass(quiet, 12 * hour)
      this.#isCalm = true
      await this.#calm(quiet)
      return { payments: await this.#come(references), counts: this.#counts }
    } finally {
      quiet.restore()
      vi.unstubAllGlobals()
      vi.mocked(performance.now).mockRestore()
      warnings.mockRestore()
      this.#clock.clear()
      await this.#gateway.close()
    }
  }

  /** Puts all that happens by itself on the clock. @returns The references of the payments. */
  #plan(): readonly string[] {
    const chance = this.#fates('plan')
    const payments = Array.from({ length: chance.between(1, 3) }, (_, at) => `basket-${at + 1}`)
    for (const reference of payments) {
      const first = chance.between(0, 20 * minute)
      // Some press twice, and some come again.
      for (let calls = chance.pick([1, 1, 1, 2]); calls > 0; calls -= 1) this.#at(first, () => this.#pay(reference))
      for (let calls = chance.pick([0, 0, 1, 2]); calls > 0; calls -= 1)
        this.#at(first + chance.between(1, 6 * hour), () => this.#pay(reference))
    }
    const payouts = chance.of(0.3) ? ['payout-1'] : []
    for (const reference of payouts)
      for (let calls = chance.pick([1, 1, 2]); calls > 0; calls -= 1)
        this.#at(chance.between(0, hour), () => this.#payOut(reference))
    if (chance.of(0.1)) {
      const stopped = chance.between(0, hour)
      this.#at(stopped, () => this.#stop('pause'))
      this.#at(stopped + hour, () => this.#stop('resume'))
    }
    for (const reference of payments)
      if (chance.of(0.3)) this.#at(chance.between(0, 4 * hour), () => this.#ask(reference))
    for (const reference of [...payments, ...payouts])
      for (const time of [3, 6, 11]) if (chance.of(0.5)) this.#at(time * hour, () => this.#decide(reference))
    for (let deaths = chance.pick([0, 0, 1, 2]); deaths > 0; deaths -= 1) {
      const which = chance.between(0, 1)
      this.#at(chance.between(0, 3 * hour), () => {
        this.#world.count('process dies')
        this.#process(which).isDead = true
      })
    }
    return [...payments, ...payouts]
  }

  #at(after: number, task: () => unknown): void {
    // The clock waits for what it runs, and this may wait for the clock.
    this.#clock.schedule(this.#clock.now() + after, () => {
      void (async () => task())().catch((error: unknown) => void this.#faults.push(String(error)))
    })
  }

  /** The process with a number; another one in its place where it is dead. */
  #process(at: number): Process {
    const known = this.#processes.get(at)
    if (known !== undefined && !known.isDead) return known
    const state = { isDead: false }
    const isDead = () => state.isDead
    const die = () => {
      state.isDead = true
    }
    const store = keptFor(this.#world, { isDead, die })
    const random = this.#fates('pauses', at, this.#nth('process', String(at))).number
    const { now, wait } = this.#clock
    const account = { ...readyAccount(this.#gateway), dispatcher: lineFor(this.#world, isDead), wait, random }
    const till = this.#engine({
      account,
      store: store as Store<never>,
      address: `${shop}/payments`,
      returnTo: ({ reference }) => `/orders/${reference}`,
      replaceOpenForm: this.#fates('replaces').of(0.3),
      clock: now,
      wait,
      onOutcome: outcome => this.#hear(outcome, state),
    })
    const made: Process = Object.assign(state, { till })
    this.#processes.set(at, made)
    return made
  }

  /** The merchant is told, wants something done, and writes it down; or fails. */
  async #hear(outcome: TillOutcome, process: { isDead: boolean }): Promise<void> {
    const { kind, payment, order, stage } = outcome
    const { reference } = payment
    const about = [reference, order.clientOrderId, kind, stage.stage] as const
    const chance = this.#fates('handler', ...about, this.#nth('handler', ...about))
    if (process.isDead) return
    if (!this.#isCalm && chance.of(0.15)) {
      const fate = chance.pick(['throws', 'dies', 'takes long'] as const)
      this.#world.count(`handler ${fate}`)
      if (fate === 'throws') throw new Error('The handler failed.')
      if (fate === 'dies') process.isDead = true
      if (fate === 'takes long') await this.#clock.wait(2 * minute)
    }
    if (process.isDead) return
    this.#told.push({ reference, line: `${kind} ${order.clientOrderId} ${stage.stage} ${stage.amount ?? ''}`.trim() })
    if (this.#nth('wants', ...about) === 1) this.#want(reference, kind, this.#fates('wants', ...about))
  }

  /** What the merchant does a while after hearing something. */
  #want(reference: string, kind: TillOutcome['kind'], chance: ReturnType<Fates>): void {
    if (this.#isCalm) return
    const later = chance.pick([second, 3 * minute, 20 * minute, 2 * hour])
    const part = chance.of(0.5) ? { key: 'parcel-1', amount: '2.00' } : undefined
    const change = (name: 'capture' | 'return' | 'void') =>
      this.#at(later, () => {
        this.#world.count(`wants ${name}${part === undefined || name === 'void' ? '' : ' of a part'}`)
        const { till } = this.#process(chance.between(0, 1))
        return (name === 'void' ? till.void(reference) : till[name](reference, part)).catch(this.#expected)
      })
    if (kind === 'paid' && chance.of(0.4)) change('return')
    if (kind === 'returned' && chance.of(0.3)) change('return')
    if (kind === 'held' && chance.of(0.8)) change(chance.pick(['capture', 'capture', 'void', 'return']))
    if ((kind === 'declined' || kind === 'failed') && chance.of(0.6)) this.#at(later, () => this.#pay(reference))
  }

  readonly #expected = (error: unknown): undefined => {
    const code = String(Reflect.get(Object(error), 'code'))
    if (!/^ERR_[A-Z_]+$/.test(code)) throw error
    return undefined
  }

  async #pay(reference: string): Promise<void> {
    const chance = this.#fates('pay', reference, this.#nth('pay', reference))
    const kind = this.#fates('kind', reference)
    const [hold, byCard, isVerified] = [kind.of(0.25), kind.of(0.35), kind.of(0.1)]
    this.#world.count(
      `wants ${isVerified ? 'verification' : hold ? 'preauth' : 'sale'}${byCard && !isVerified ? ' by card' : ''}`,
    )
    const amount = chance.of(0.9) ? '10.00' : '12.00'
    const common = { reference, amount, currency: 'EUR', email: 'joan@customer.example', hold }
    const card = {
      creditCardNumber: testCard,
      cardPrintedName: 'JOAN BAKER',
      expireMonth: '12',
      expireYear: '2099',
      cvv2: chance.pick(['123', '123', '123', '101', '321']),
    }
    const { till } = this.#process(chance.between(0, 1))
    const { amount: _amount, hold: _hold, ...person } = common
    const called = isVerified ? till.verify(person) : till.pay(byCard ? { ...common, ...card } : common)
    const step = await called.catch(this.#expected)
    if (step !== undefined) this.#visit(step.address, till)
  }

  /** A customer who was sent to an address, if this is the first one. */
  #visit(address: string, till: Till): void {
    const isForm = !address.startsWith(shop)
    const about = isForm ? this.#orderOf(address) : new URL(address).pathname.split('/').slice(0, 3).join('/')
    if (isForm && this.#visited.has(about)) return
    this.#visited.add(about)
    const chance = this.#fates('customer', about, this.#nth('customer', about))
    if (chance.of(0.12)) return
    const cvv2 = chance.pick(['123', '123', '123', '123', '101', '321'])
    const go = () => {
      this.#world.count('customer goes')
      void walk(address, { gateway: this.#gateway, till, chance, shop, cvv2 }).catch(() => {})
    }
    this.#at(chance.pick([second, 40 * second, 8 * minute, 50 * minute, 5 * hour]), go)
    if (chance.of(0.1)) this.#at(chance.pick([second, 9 * minute]), go)
  }

  /** The merchant's id of the order that a form is of. */
  #orderOf(address: string): string {
    const opened = this.#gateway.calls().find(({ reply }) => reply?.['redirect-url'] === address)
    return merchantsIdIn(name => opened?.fields.find(each => each[0] === name)?.[1]) ?? address
  }

  async #payOut(reference: string): Promise<void> {
    this.#world.count('wants payout')
    const checked = this.#fates('kind', reference).of(0.5)
    const { till } = this.#process(this.#fates('payout', reference, this.#nth('payout', reference)).between(0, 1))
    const payout = { reference, amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300', checked }
    await till.payout(payout).catch(this.#expected)
  }

  /** A person stops new money, or lets it come again. */
  async #stop(name: 'pause' | 'resume'): Promise<void> {
    this.#world.count(`wants ${name}`)
    await this.#process(1).till[name]({ who: 'ada@shop.example', why: 'ticket 4712' })
  }

  /** The merchant has status asked now. */
  async #ask(reference: string): Promise<void> {
    this.#world.count('wants to ask')
    await this.#process(1).till.ask(reference).catch(this.#expected)
  }

  /** A person looks at a payment, and answers what is asked about it as the gateway's books say. */
  async #decide(reference: string): Promise<void> {
    const { till } = this.#process(0)
    const [question] = await till.questions(reference)
    const answer = question === undefined ? undefined : this.#answerTo(question)
    if (answer === undefined) return
    this.#world.count(`decides ${answer.kind}`)
    await till.decide(reference, { ...answer, who: 'ada@shop.example', why: 'ticket 4711' }).catch(this.#expected)
  }

  #answerTo(question: PaymentQuestion): WantedDecision | undefined {
    const { order } = question
    switch (question.kind) {
      case 'unknown': {
        if (question.effect !== 'creates') return undefined
        const orderId = this.#gateway.orders.find(order)?.orderId
        const { request } = question
        return orderId === undefined ? { kind: 'failed', order, request } : { kind: 'arrived', order, request, orderId }
      }
      case 'disputed': {
        const { stage, serialNumber, words, amounts } = question
        const outcome = words.at(-1) === 'approved' ? 'approved' : 'declined'
        return {
          kind: 'settled',
          order,
          stage,
          serialNumber,
          outcome,
          amount: amounts.length > 1 ? amounts.at(-1) : undefined,
        }
      }
      case 'surplus':
        return { kind: 'give-back', order }
      case 'failing':
        return { kind: 'skip', outcome: question.outcome }
    }
  }

  /** Time passes, in steps to whatever comes next. */
  async #pass(quiet: Quiet, milliseconds: number): Promise<void> {
    const clock = this.#clock
    const end = clock.now() + milliseconds
    for (;;) {
      await quiet.settled()
      this.#look()
      const next = clock.nextAt()
      if (next === undefined || next > end) break
      await clock.advance(Math.max(0, next - clock.now()))
    }
    await clock.advance(Math.max(0, end - clock.now()))
  }

  /** Nothing fails any more, and one process brings everything to its end. */
  async #calm(quiet: Quiet): Promise<void> {
    for (const process of this.#processes.values()) process.isDead = true
    for (let pause = 5 * minute; pause < 20 * 24 * hour; pause *= 1.6) {
      void this.#process(0)
        .till.tick()
        .catch(() => 0)
      await this.#pass(quiet, pause)
    }
  }

  /** Callbacks that the gateway has made, and orders that were approved or declined: what follows from them is put on the clock. */
  #look(): void {
    const all = this.#gateway.callbacks.list()
    for (const { orderId, status, attempt } of all.slice(this.#mail)) if (attempt === 1) this.#post(orderId, status)
    this.#mail = all.length
    for (const { clientOrderId, orderId, stages } of this.#gateway.orders.list()) {
      const [first] = stages
      const about = `${clientOrderId} ${first?.status}`
      if (first === undefined || first.status === 'processing' || this.#seen.has(about)) continue
      this.#seen.add(about)
      this.#act({ orderId, about, isApproved: first.status === 'approved' })
    }
  }

  /** A callback is on its way: it is lost, late, brought twice, and brought again where it was not taken. */
  #post(orderId: string, status: string): void {
    const clientOrderId = this.#gateway.orders.find(orderId)?.clientOrderId ?? ''
    const chance = this.#fates('callback', clientOrderId, status, this.#nth('callback', clientOrderId, status))
    if (!this.#isCalm && chance.of(0.2)) {
      this.#world.count('callback lost')
      return
    }
    const { controlKey } = this.#gateway.clientOptions
    const callback = signedCallback({ controlKey, status, orderId, clientOrderId }).url(`${shop}/payments/callback`)
    const at = chance.between(0, 1)
    const deliver = async (again: readonly number[]) => {
      const url = `${callback.pathname}${callback.search}`
      const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url })
      const answer = await this.#process(at).till.answer(request)
      const [next, ...rest] = again
      if (answer?.status !== 200 && next !== undefined) this.#at(next, () => deliver(rest))
    }
    const repeats = [minute, 5 * minute, 30 * minute, 6 * hour, 24 * hour]
    this.#at(chance.pick([10, 10, second, minute, 10 * minute, 3 * hour]), () => deliver(repeats))
    if (!chance.of(0.15)) return
    this.#world.count('callback twice')
    this.#at(chance.pick([10, second, hour]), () => deliver([]))
  }

  /** What the gateway's own people and the bank do to an order that has ended. */
  #act({
    orderId,
    about,
    isApproved,
  }: {
    readonly orderId: string
    readonly about: string
    readonly isApproved: boolean
  }) {
    const chance = this.#fates('act', about)
    if (this.#isCalm || !chance.of(isApproved ? 0.4 : 0.2)) return
    const amount = chance.pick(['2.00', '4.00', undefined])
    const wish = isApproved
      ? chance.pick([
          { action: 'correct', status: 'declined' },
          { action: 'charge-back', amount },
          { action: 'reverse', amount, toldApartBy: chance.pick(['serial-number', 'codes'] as const) },
        ] as const)
      : ({ action: 'correct', status: 'approved', stage: 1 } as const)
    const act = () => {
      try {
        this.#gateway.act({ orderId, ...wish } as Parameters<FakeGateway['act']>[0])
        this.#world.count(`gateway: ${wish.action}`)
      } catch (error) {
        if (!(error instanceof ImpossibleActionError)) throw error
      }
    }
    for (let times = chance.pick([1, 1, 2]); times > 0; times -= 1)
      this.#at(chance.pick([2 * second, 10 * minute, 3 * hour]), act)
  }

  /** What became of each payment. */
  async #come(references: readonly string[]): Promise<ReadonlyMap<string, Lived>> {
    const { till } = this.#process(0)
    const report = await till.report()
    const found = new Map<string, Lived>()
    for (const { fault } of this.#gateway.calls()) if (fault !== undefined) this.#world.count(`line ${fault}`)
    for (const reference of references) {
      const payment = await till.payment(reference)
      const lists = (['surplus', 'needsPerson', 'failing', 'unknown', 'untold'] as const).filter(list =>
        report[list].items.some(item => item.reference === reference),
      )
      found.set(reference, {
        sent: this.#sent(reference),
        told: this.#told.filter(each => each.reference === reference).map(({ line }) => line),
        end: [
          `${payment.state} ${payment.totals === undefined ? 'without totals' : JSON.stringify(payment.totals)}`,
          ...lists.map(list => `on list ${list}`),
          ...(payment.needsPerson === undefined ? [] : [`a person: ${payment.needsPerson}`]),
        ],
      })
    }
    if (this.#faults.length > 0) throw new Error(this.#faults.join('\n'))
    const strangers = report.unmatched.items.map(({ clientOrderId }) => `unmatched ${clientOrderId}`)
    if (strangers.length > 0) found.set('elsewhere', { sent: [], told: [], end: strangers })
    return found
  }

  #sent(reference: string): readonly string[] {
    const ids = new Map(this.#gateway.orders.list().map(({ orderId, clientOrderId }) => [orderId, clientOrderId]))
    return this.#gateway.calls().flatMap(({ operation, fields, verdict }) => {
      const field = (name: string) => fields.find(each => each[0] === name)?.[1]
      const order = merchantsIdIn(field) ?? ids.get(gatewaysIdIn(field) ?? '') ?? ''
      if (operation === 'status' || order.replace(/\.\d+r$/, '') !== reference) return []
      return [`${operation} ${order} ${field('amount') ?? ''} ${verdict}`]
    })
  }
}
