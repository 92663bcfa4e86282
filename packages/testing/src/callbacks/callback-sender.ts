import type { Parameter } from '@tillkit/signing'
import { Agent } from 'undici'
import type { ArmedFaults } from '../faults/faults.js'
import type { Journal } from '../log/journal.js'
import { redactText } from '../log/redact.js'
import type { GatewaySettings } from '../merchants/settings.js'
import type { Lags } from '../orders/lags.js'
import { type Order, openStage, replaceStage, type Stage } from '../orders/order.js'
import type { OrderBook } from '../orders/order-book.js'
import { latestEnded } from '../rules/stages.js'
import { statusWord } from '../rules/status.js'
import type { FakeClock, Scheduled } from '../time/clock.js'
import { createRing } from '../time/ring.js'
import type { Schedule } from '../time/schedule.js'
import {
  type DeliveryResult,
  localLookup,
  type Parcel,
  patience,
  repetitionDelay,
  sendCallback,
  shownParcel,
  warningOf,
} from './deliver.js'
import { orderNotification } from './signed-callback.js'

/** One attempt to deliver a callback. */
export interface CallbackDelivery {
  /** Milliseconds since the epoch, on the gateway's clock. */
  readonly at: number
  readonly orderId: string
  /** The status word that it carried. */
  readonly status: string
  /** The address that was requested, parameters in its query included, the control value masked. */
  readonly url: string
  /** What was sent, the control value masked. */
  readonly parameters: readonly Parameter[]
  /** 1 for the first one. */
  readonly attempt: number
  /** The merchant's answer. */
  readonly httpStatus?: number
  /** Why there was no answer. */
  readonly error?: string
  /** When it is sent again, in milliseconds since the epoch. Absent where it is not. */
  readonly repeatsAt?: number
}

/** The callbacks of a gateway. */
export interface Callbacks {
  /** Every attempt so far, oldest first, up to the option `maxCalls`. */
  list(): readonly CallbackDelivery[]
  /** Waits until no callback is being sent. It does not wait for repetitions that are due later on the clock. */
  idle(): Promise<void>
  /** Sends the callback of the order's latest final stage once more. */
  resend(orderId: string): Promise<void>
}

/** The callbacks, with what the gateway itself uses to send them. */
export type CallbackSender = Callbacks & ReturnType<typeof createCallbackSender>

interface Attempt {
  readonly attempt: number
  /** Whether it is repeated when it is not taken. */
  readonly repeat: boolean
  /** Whether no host answers, at any address. */
  readonly dead?: boolean
}

/** Where callbacks about a stage go: to the address of its own request, else to that of the order. */
const callbackUrl = (order: Order, stage: Stage): string | undefined =>
  stage.serverCallbackUrl ?? order.notifyUrl ?? (stage === order.stages[0] ? order.serverCallbackUrl : undefined)

export function createCallbackSender(gateway: {
  readonly settings: GatewaySettings
  readonly clock: FakeClock
  readonly schedule: Schedule
  readonly orders: OrderBook
  readonly faults: ArmedFaults
  readonly journal: Journal
  readonly lags: Lags
}) {
  const { settings, clock, schedule, orders, faults, journal, lags } = gateway
  let agent: Agent | undefined
  const underWay = new Set<Promise<void>>()
  const deliveries = createRing<CallbackDelivery>(settings.maxCalls)
  /** Callbacks that wait for their time, by stage. */
  const pending = new Map<string, Scheduled>()
  /** Callbacks that wait for the answer under way to be written, by stage. */
  const due = new Map<string, () => Promise<void>>()
  /** Held back until another callback has been sent. */
  let held: readonly (() => Promise<void>)[] = []
  /** Counts resets: a delivery that was started before one is neither recorded nor repeated after it. */
  let generation = 0

  const track = (delivery: Promise<void>): Promise<void> => {
    underWay.add(delivery)
    return delivery.finally(() => underWay.delete(delivery))
  }

  const deliver = async (parcel: Parcel, { attempt, repeat, dead = false }: Attempt): Promise<void> => {
    const started = generation
    const at = clock.now()
    agent ??= newAgent()
    const answer = dead ? deadHost : await sendCallback(parcel, { settings, agent })
    const { kind, ...result } = answer
    if (started !== generation) return
    const { orderId, status } = parcel
    const isTaken = 'httpStatus' in result && result.httpStatus === 200
    const delay = !repeat || isTaken || kind === 'refused' ? undefined : repetitionDelay(attempt)
    const again = delay === undefined ? {} : { repeatsAt: clock.now() + delay }
    const delivery = { at, orderId, status, ...shownParcel(parcel, settings), attempt, ...result, ...again }
    deliveries.add(Object.freeze(delivery))
    const warning = dead ? undefined : warningOf(delivery.url, answer)
    if (warning !== undefined) settings.warn(warning)
    if (delivery.repeatsAt === undefined) return
    const next = { attempt: attempt + 1, repeat, dead }
    schedule.add(delivery.repeatsAt, () => track(deliver(parcel, next)))
  }

  const parcelFor = (order: Order, stage: Stage): Parcel | undefined => {
    const url = callbackUrl(order, stage)
    if (url === undefined) return undefined
    const parameters = orderNotification('callback', { order, stage }, { settings, clock })
    const status = statusWord(stage, { profile: settings.profile, now: clock.now() })
    return { orderId: order.orderId, status, url, parameters }
  }

  /** The callback of the latest stage that has ended, if the order asks for one about it. */
  const latestParcel = (order: Order): Parcel | undefined => {
    const stage = latestEnded(order, clock.now())
    return stage === undefined ? undefined : parcelFor(order, stage)
  }

  /**
   * Sends a callback for the first time, the way the armed faults let it.
   *
   * @param before The order as status showed it until then.
   */
  const dispatch = async (parcel: Parcel, operation: string | undefined, before: Order): Promise<void> => {
    const struck = faults.strike({ at: 'callback', operation })
    if (struck !== undefined) journal.add(parcel.orderId, { kind: 'fault', fault: struck.fault })
    const first = { attempt: 1, repeat: true }
    const send = (): Promise<void> => track(deliver(parcel, first))
    if (struck?.fault === 'callback-never') return
    if (struck?.fault === 'callback-before-status') lags.begin(before, struck.questions)
    if (struck?.fault === 'callback-late') {
      schedule.add(clock.now() + struck.delay, send)
      return
    }
    if (struck?.fault === 'callback-reordered') return hold(send, struck.delay)
    const released = held
    held = []
    await track(deliver(parcel, { ...first, dead: struck?.fault === 'callback-dead-host' }))
    if (struck?.fault === 'callback-twice') await track(deliver(parcel, { attempt: 1, repeat: false }))
    for (const release of released) await release()
  }

  const hold = (send: () => Promise<void>, delay: number): void => {
    const release = (): Promise<void> => {
      held = held.filter(each => each !== release)
      timer.cancel()
      return send()
    }
    const timer = schedule.add(clock.now() + delay, release)
    held = [...held, release]
  }

  const callOff = (key: string): void => {
    pending.get(key)?.cancel()
    pending.delete(key)
    due.delete(key)
  }

  const begin = (order: Order, stage: Stage, before = whileOpen(order, stage)): Promise<void> => {
    callOff(keyOf(order, stage))
    // A callback tells what the stage is when it is sent: a fault may have struck it since it was announced.
    const latest = orders.byOrderId(order.orderId) ?? order
    const parcel = parcelFor(latest, latest.stages[order.stages.indexOf(stage)] ?? stage)
    return parcel === undefined ? Promise.resolve() : track(dispatch(parcel, stage.operation, before))
  }

  return {
    /**
     * Sends a callback about a stage once it is final, if the order asks for one.
     *
     * @param before The order before that stage was decided; undefined for one that is new.
     */
    announce(order: Order, stage: Stage, before: Order | undefined): void {
      const { finalAt, verdict } = stage
      if (finalAt === undefined || verdict === undefined || verdict.outcome === 'unknown') return
      if (callbackUrl(order, stage) === undefined) return
      // The order may have been decided by hand before its time.
      const key = keyOf(order, stage)
      callOff(key)
      const isOpen = finalAt > clock.now()
      const start = (): Promise<void> => begin(order, stage, isOpen ? undefined : before)
      if (isOpen) pending.set(key, schedule.add(finalAt, start))
      else due.set(key, start)
    },
    /** Whether a callback about the stage waits to be sent. */
    isPending: (order: Order, stage: Stage) => pending.has(keyOf(order, stage)) || due.has(keyOf(order, stage)),
    /** Sends the callback about a stage now, in place of the one that waits. */
    hurry: begin,
    /** Sends what fell due while a request was answered. */
    async flush(): Promise<void> {
      await Promise.all([...due.values()].map(start => start()))
    },
    list: () => deliveries.list(),
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    /** What {@link resend} would send about an order, as it may be shown: the status word and where it goes. */
    resendable(order: Order): Pick<Parcel, 'status' | 'url'> | undefined {
      const parcel = latestParcel(order)
      return parcel && { status: parcel.status, url: redactText(parcel.url, settings.redaction) }
    },
    async resend(orderId: string): Promise<void> {
      const order = orders.byOrderId(orderId)
      if (order === undefined) throw new TypeError(`There is no order "${orderId}" to send a callback about.`)
      const parcel = latestParcel(order)
      if (parcel === undefined) {
        throw new TypeError(`Order "${orderId}" has no final stage that it asked a callback for.`)
      }
      await track(deliver(parcel, { attempt: 1, repeat: false }))
    },
    clear(): void {
      generation += 1
      deliveries.clear()
      pending.clear()
      due.clear()
      held = []
    },
    async close(): Promise<void> {
      generation += 1
      // Bun puts an agent of its own in the place of undici's: one without `destroy`.
      const closing = agent?.destroy?.()
      // A gateway that listens again calls back again, on new connections.
      agent = undefined
      await closing
      await Promise.allSettled(underWay)
    },
  }
}

const newAgent = (): Agent =>
  new Agent({
    connect: { timeout: patience, lookup: localLookup },
    headersTimeout: patience,
    bodyTimeout: patience,
  })

/** The order while the stage was open. */
const whileOpen = (order: Order, stage: Stage): Order => replaceStage(order, { before: stage, after: openStage(stage) })

/** The place of a stage in its order: a changed stage keeps it. */
const keyOf = ({ orderId, stages }: Order, stage: Stage): string => `${orderId}/${stages.indexOf(stage)}`

const deadHost: DeliveryResult = {
  kind: 'failed',
  error: 'No host answered: the fault "callback-dead-host" was armed.',
}
