import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { AskAccount } from '../engine/asker.js'
import { endOfWait } from '../engine/end-of-wait.js'
import { type Driving, longestClosing } from '../engine/engine.js'
import { createHandler, type OutcomeContext } from '../engine/handler.js'
import type { Ended } from '../engine/run.js'
import type { AskedOrder } from '../intents/ask.js'
import { type CallbackPlan, type CallbackResult, callback } from '../intents/callback.js'
import type { SettledVisit } from '../intents/customers/visit.js'
import { askAndDeliver, type DeliverResult, nothingMore } from '../intents/deliver.js'
import { type LostOrdersPlan, lostOrdersPlan } from '../intents/find-lost.js'
import { planned } from '../intents/next.js'
import type { Answer } from '../rules/answer.js'
import type { ReceivedOutcome } from '../rules/delivery/outcome.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownOrder, WantedChange } from '../state/known.js'
import { documentKey } from '../store/keys.js'
import { isLasting } from '../store/persist.js'
import type { Store } from '../store/store.js'
import type { Account, Accounts } from './accounts.js'
import { longestWait } from './book.js'
import { TillClosed } from './errors.js'
import { marksOf } from './marks.js'
import { type VisitQuestion, visitOrder } from './visits.js'

/** The handler as outcomes are told to it. */
export interface Teller<Transaction> {
  readonly store: Store<Transaction>
  readonly onOutcome: (outcome: ReceivedOutcome, context: OutcomeContext<Transaction>) => Promise<void>
  /** See `TillOptions`. */
  readonly handlerTimeout?: number
  /** Gives what the handler that was given this context wants done. */
  readonly wantedOf: (context: OutcomeContext<Transaction>) => readonly WantedChange[]
  readonly carryOut: CarryOut
}

/** Does what is written of a payment that handlers wanted. `open`: some of it is left. `foreign`: it is somebody else's. */
export type CarryOut = (payment: {
  readonly key: string
  readonly reference: string
}) => Promise<'done' | 'open' | 'foreign'>

/** Everything that delivering outcomes needs of the till. */
export interface DeliveriesContext<Transaction> {
  readonly accounts: Accounts
  readonly teller: Teller<Transaction>
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Whether outcomes are told here, and by no other process. */
  readonly tells: boolean
  readonly rules: LostOrdersPlan['rules']
}

/** A run about a payment, besides what all of them have in common. */
export type RunOfPayment<Result> = Pick<Driving<Result>, 'next' | 'staged' | 'send' | 'marks' | 'stays'> &
  Partial<Pick<Driving<Result>, 'patience'>>

/** An order that callbacks came for, or that the work in the background looks after. */
export type LookedAfterOrder = CallbackPlan['about'] & Pick<CallbackPlan, 'orderId' | 'callbacks'>

/** The end of delivering for a customer who waits. `busy`: somebody else delivers, or the handler outstays its time. `failed`: it threw. */
export type ToldVisitor =
  | { readonly kind: 'told' | 'nothing' | 'busy' }
  | { readonly kind: 'failed'; readonly cause: unknown /** The name of the payment. */; readonly reference: string }

/** Delivers outcomes by runs of the engine. */
export interface Deliveries {
  /** Asks status about everything that is open of an order and that its callbacks raise, and delivers what was not told. */
  lookAfter(order: LookedAfterOrder): Promise<CallbackResult>
  /** Asks status for a customer who waits, and delivers what is new. @returns Undefined where nothing is awaited. */
  visit(question: VisitQuestion): Promise<(SettledVisit & { readonly told: Promise<ToldVisitor> }) | undefined>
  /** Asks status about everything that is open of an order, and delivers what was not told, where that is done here. */
  ask(order: KnownOrder, account: Account): Promise<AskedOrder>
  /** Drives a run about a payment that may deliver. It goes by the clocks of an account. @returns What its caller hears. */
  drive<Result>(account: Account, key: string, run: RunOfPayment<Result>): Promise<Ended<Result>>
  /** How long the handler has for one outcome, in milliseconds. */
  readonly handlerTimeout: number
  /** Ends every wait for others who deliver. What is under way goes on, for five seconds at most. */
  close(): Promise<void>
}

/** How long the handler has where the merchant does not say, in milliseconds. */
const defaultHandlerTimeout = 30_000

/** Makes what delivers outcomes by runs of the engine. */
export function createDeliveries<Transaction>({
  accounts,
  teller,
  wait,
  tells,
  rules,
}: DeliveriesContext<Transaction>): Deliveries {
  const { store, onOutcome, wantedOf, carryOut, handlerTimeout = defaultHandlerTimeout } = teller
  const delivering = { lease: handlerTimeout }
  const { engine } = accounts
  const closing = new AbortController()
  // As many may wait as there are payments under way; Node.js would warn of a leak from the eleventh on.
  setMaxListeners(0, closing.signal)
  const underWay = new Set<Promise<unknown>>()
  const accountOf = (login: string): Account => accounts.ofLogin(login) ?? accounts.all[0]
  const handler = createHandler<Transaction>({
    store,
    onOutcome,
    wantedOf,
    profileOf: login => accountOf(login).profile,
    wait,
    late(key, end) {
      if (end.kind === 'committed') told(end.known.document, end.wanted)
      else
        void drive(accounts.all[0], key, { next: planned('late', {}, nothingMore), staged: [end] }).catch(
          () => undefined,
        )
    },
  })

  /** It is durable that the handler was told. @param wanted What it wants done about the order. */
  const told = (payment: PaymentDocument | undefined, wanted: readonly WantedChange[]): void => {
    if (payment === undefined) return
    // An order that was adopted is in the payment of another one.
    const { reference } = payment
    const key = keyOf(reference)
    // The work in the background does whatever fails of it.
    if (wanted.length > 0) void carryOut({ key, reference }).catch(() => undefined)
  }

  const driveToEnd: Deliveries['drive'] = <Result>({ runs }: Account, key: string, run: RunOfPayment<Result>) => {
    const driven = engine.drive<Result>({
      ...runs,
      patience: Math.max(handlerTimeout, longestWait),
      ...run,
      key,
      profileOf: login => accountOf(login).profile,
      ask: (question, now, options) =>
        accounts.ofLogin(question.login)?.runs.ask(question, now, options) ?? askedNobody(question, now),
      handler,
      told,
      isPatientAgain: true,
      signal: closing.signal,
      wait,
    })
    underWay.add(driven)
    const isOver = () => underWay.delete(driven)
    driven.then(isOver, isOver)
    return driven
  }

  const drive = async <Result>(account: Account, key: string, run: RunOfPayment<Result>): Promise<Result> => {
    const { result } = await kept(driveToEnd(account, key, run))
    return result
  }

  const keyOf = (clientOrderId: string): string => documentKey({ clientOrderId }, engine.place)

  /** The customer sees what status says before everything is told: a handler may take long. */
  const visited: Deliveries['visit'] = async question => {
    const account = accountOf(question.login)
    const key = keyOf(question.clientOrderId)
    const shown = await visitOrder(question, {
      profile: account.profile,
      ...delivering,
      drive: next => drive(account, key, { next }),
    })
    if (shown === undefined) return undefined
    const { delivered, ...settled } = shown
    const told = delivered.then(
      each => toldOf(each, question.clientOrderId),
      (cause: unknown): ToldVisitor => {
        if (!isLasting(cause)) throw cause
        // The customer goes on: status says it again to whoever asks once the store takes it.
        account.runs.onTrouble({ kind: 'given-up', key, cause, failures: 1 })
        return { kind: 'nothing' }
      },
    )
    return { ...settled, told }
  }

  return {
    lookAfter({ login, clientOrderId, orderId, callbacks }) {
      const account = accountOf(login)
      const about = { clientOrderId, login }
      // A callback is answered at once: the work in the background comes back to its payment.
      const finding =
        callbacks.length > 0 ? {} : { lost: lostOrdersPlan(accounts.all, { rules, madeUp: `never-${randomUUID()}` }) }
      const plan = { about, orderId, callbacks, profile: account.profile, ...finding, ...delivering }
      const marks = callbacks.length > 0 ? undefined : marksOf(engine, account.runs.clocks.system)
      return drive(account, keyOf(clientOrderId), { next: planned('callback', plan, callback), marks })
    },
    visit: visited,
    async ask(order, account) {
      const { clientOrderId = '', login } = order
      const { profile } = account
      const lease = tells ? handlerTimeout : undefined
      const plan = { order, profile, isAsked: login === account.login, lease }
      const next = planned('ask', plan, askAndDeliver)
      return drive(account, keyOf(clientOrderId), { next }).catch(() => 'no-answer' as const)
    },
    drive: driveToEnd,
    handlerTimeout,
    async close() {
      await endOfWait(Promise.allSettled([...underWay]), { most: longestClosing, wait, signal: undefined })
      closing.abort(new TillClosed())
    },
  }
}

/** The end of a run, once all that it did is durable. @throws Why it is not: an answer that is not durable is none. */
export async function kept<Result>(
  driven: Promise<Ended<Result>>,
): Promise<Extract<Ended<Result>, { readonly kind: 'done' }>> {
  const ended = await driven
  if (ended.kind === 'failed') throw ended.cause
  if (ended.unwritten !== undefined) throw ended.unwritten.cause
  return ended
}

/** The account of an order has gone: another one may never have seen it, and nothing may follow from its answer. */
async function askedNobody(...[question, now]: Parameters<AskAccount>): Promise<Answer> {
  const { earliest: askedAt, latest: answeredAt } = now()
  const cause = new Error(`there is no account ${JSON.stringify(question.login)} any more`)
  return { kind: 'no-answer', cause, question, askedAt, answeredAt }
}

/** Says how delivering ended. @throws Why it is not known whether something was told. */
function toldOf(delivered: DeliverResult, clientOrderId: string): ToldVisitor {
  switch (delivered.kind) {
    case 'unknown':
      throw delivered.cause
    case 'failed':
      return { kind: 'failed', cause: delivered.cause, reference: delivered.payment?.reference ?? clientOrderId }
    default:
      return { kind: delivered.kind }
  }
}
