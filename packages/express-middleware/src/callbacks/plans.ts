import { nextPause, type Pace, startPace } from '@tillkit/protocol'
import type { VerifiedCallback } from './check.js'
import type { OrderWork } from './left.js'
import type { ReceiverSettings, ReportedResult } from './options.js'
import { callbackResult } from './settle.js'

/** One order that this process works on, or will after a pause. */
interface Plan {
  /** Another callback came since the last try began. */
  hasNews: boolean
  /** Those that came here since the work began, each as it was sent. */
  readonly callbacks: Map<string, VerifiedCallback>
  pausing: AbortController | undefined
  /** Called once it was tried. */
  readonly tried: () => void
}

/** What one try at an order came to. */
export interface Worked {
  /** Absent where there is nothing to say. */
  readonly result?: ReportedResult
  /** Whether it is an order of the merchant who is at work: any other is left to whoever has it. */
  readonly isOwn: boolean
}

/** Work that has begun. */
export interface Begun {
  /** Resolves once the order was tried. */
  readonly firstTry: Promise<void>
  readonly end: Promise<End>
}

/** How work on an order ended: nothing is left to do, it has not come to its end, or somebody else has it. */
export type End = 'done' | 'open' | 'foreign'

/** What working on orders needs. */
export interface PlansContext extends Pick<ReceiverSettings<never, never>, 'retry' | 'clock' | 'wait' | 'pace'> {
  work(order: OrderWork): Promise<Worked>
  report(result: ReportedResult): void
  /** Keeps what is under way, so that closing waits for it. */
  track<Result>(working: Promise<Result>): Promise<Result>
  isClosed(): boolean
}

/** Keeps the callbacks of an order: none is answered before status has shown what it says. */
function note({ callbacks }: Plan, order: OrderWork): void {
  for (const each of order.callbacks ?? []) callbacks.set(JSON.stringify([each.signed, each.unsigned]), each)
}

/** Makes what works on orders, each at growing intervals, until it has brought its outcome. */
export function createPlans(context: PlansContext) {
  const { retry: schedule, clock, wait, pace: speed, work, report, track, isClosed } = context
  const plans = new Map<string, Plan>()
  const planKey = ({ key, login, clientOrderId }: OrderWork) => JSON.stringify([key, login, clientOrderId])

  /** A signal that ends a pause: news end it, and closing does. */
  const pausing = (plan: Plan): AbortSignal => {
    // A signal made of one that lives as long as the process would be kept as long, in Node.js 20.
    plan.pausing = new AbortController()
    if (isClosed()) plan.pausing.abort()
    return plan.pausing.signal
  }

  /** One try, once it is its turn. What a callback came for goes first. */
  const attempt = async (order: OrderWork, plan: Plan): Promise<End> => {
    const inTurn = async (): Promise<Worked> => {
      if (!plan.hasNews && speed !== undefined) await speed.turn(order.login, pausing(plan))
      plan.hasNews = false
      return isClosed() ? { isOwn: true } : work({ ...order, callbacks: [...plan.callbacks.values()] })
    }
    const { result, isOwn }: Worked = await inTurn().catch(cause => ({
      result: callbackResult('failed', `Order ${order.clientOrderId} could not be worked on.`, { cause }),
      isOwn: true,
    }))
    if (result !== undefined) report(result)
    if (!isOwn) return 'foreign'
    return result?.status === 200 ? 'done' : 'open'
  }

  const workOn = async (order: OrderWork, plan: Plan): Promise<End> => {
    let pace: Pace = startPace(clock())
    let end: End = 'open'
    let { hasNews } = order
    while (!isClosed()) {
      end = await attempt(order, plan)
      plan.tried()
      if (plan.hasNews) {
        hasNews = true
        pace = startPace(clock())
        continue
      }
      const isLeft = end === 'open' && hasNews
      const next = isLeft ? nextPause(pace, { schedule, now: clock(), random: () => 0 }) : undefined
      if (next === undefined) {
        // Now, not a turn later: what comes from here on begins anew.
        plans.delete(planKey(order))
        break
      }
      pace = next.pace
      await wait(next.pause, pausing(plan))
    }
    return end
  }

  const begin = (order: OrderWork, isCalled: boolean): Begun => {
    let tried = () => {}
    const firstTry = new Promise<void>(resolve => {
      tried = resolve
    })
    const plan: Plan = { hasNews: isCalled, callbacks: new Map(), pausing: undefined, tried }
    note(plan, order)
    plans.set(planKey(order), plan)
    return { firstTry, end: track(workOn(order, plan).finally(tried)) }
  }

  return {
    /** Whether an order is worked on here. */
    has: (order: OrderWork): boolean => plans.has(planKey(order)),
    /** Begins to work on an order that nobody works on here. */
    begin: (order: OrderWork): Begun => begin(order, false),
    /** Begins to work on an order that a callback came for, or tries it again now. */
    call(order: OrderWork): void {
      const plan = plans.get(planKey(order))
      if (plan === undefined) void begin(order, true)
      else {
        plan.hasNews = true
        note(plan, order)
        plan.pausing?.abort()
      }
    },
    /** Ends every pause. */
    wake(): void {
      for (const { pausing: pause } of plans.values()) pause?.abort()
    },
  }
}
