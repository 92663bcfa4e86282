/**
 * Callbacks: sent when a stage is final, repeated on the clock until they are taken.
 *
 * @module
 */
import type { WireProfile } from '@tillkit/protocol'
import { encodeForm, type Parameter } from '@tillkit/signing'
import { Agent, request } from 'undici'
import type { FakeClock } from './clock.js'
import { isLoopback } from './loopback.js'
import type { GatewaySettings } from './options.js'
import type { OrderBook } from './order-book.js'
import { orderNotification } from './order-notification.js'
import { repetitionDelay } from './retry-schedule.js'
import { hasEnded, latestStage, type Order, type Stage } from './transactions.js'

/** One attempt to deliver a callback. */
export interface CallbackDelivery {
  /** Milliseconds since the epoch, on the gateway's clock. */
  readonly at: number
  readonly orderId: string
  /** The address that was requested, parameters in its query included, the control value masked. */
  readonly url: string
  /** What was sent, the control value masked. */
  readonly parameters: readonly Parameter[]
  /** 1 for the first one. */
  readonly attempt: number
  /** The merchant's answer. */
  readonly httpStatus?: number
  /** Why there was none. */
  readonly error?: string
}

/** The callbacks of a gateway. */
export interface Callbacks {
  /** Every attempt so far, oldest first. */
  list(): readonly CallbackDelivery[]
  /** Waits until nothing is on its way. Repetitions that wait for the clock are not on their way. */
  idle(): Promise<void>
  /** Sends the callback of the order's latest final stage once more. */
  resend(orderId: string): Promise<void>
}

/** Callbacks, and the gateway's own way of sending them. */
export interface Courier extends Callbacks {
  /** Sends a callback about a stage once it is final, if the order asks for one. */
  announce(order: Order, stage: Stage): void
  /** Sends what fell due while a request was answered. */
  flush(): void
  clear(): void
  close(): Promise<void>
}

/** What a courier works with. */
export interface CourierOptions {
  readonly settings: GatewaySettings
  readonly clock: FakeClock
  readonly orders: OrderBook
}

interface Parcel {
  readonly orderId: string
  /** The merchant's address, without the parameters. */
  readonly url: string
  readonly parameters: readonly Parameter[]
}

interface Attempt {
  readonly attempt: number
  /** Whether it is repeated when it is not taken. */
  readonly repeat: boolean
}

/** How long the merchant may take to answer, in milliseconds. */
const patience = 5_000

/** Makes the courier of a gateway. */
export function createCourier({ settings, clock, orders }: CourierOptions): Courier {
  let agent: Agent | undefined
  const underWay = new Set<Promise<void>>()
  let deliveries: readonly CallbackDelivery[] = []
  let due: readonly (() => Promise<void>)[] = []
  /** Deliveries that were started before a reset must not come back after it. */
  let generation = 0

  const track = (delivery: Promise<void>): Promise<void> => {
    underWay.add(delivery)
    return delivery.finally(() => underWay.delete(delivery))
  }

  const deliver = async (parcel: Parcel, { attempt, repeat }: Attempt): Promise<void> => {
    const started = generation
    const at = clock.now()
    agent ??= new Agent({ connect: { timeout: patience }, headersTimeout: patience, bodyTimeout: patience })
    const ending = await send(parcel, { settings, agent })
    if (started !== generation) return
    const { orderId } = parcel
    const { refused = false, ...result } = ending
    deliveries = [...deliveries, Object.freeze({ at, orderId, ...shownParcel(parcel, settings), attempt, ...result })]
    const delay = repetitionDelay(attempt)
    if (!repeat || result.httpStatus === 200 || refused || delay === undefined) return
    clock.schedule(clock.now() + delay, () => track(deliver(parcel, { attempt: attempt + 1, repeat })))
  }

  const parcelFor = (order: Order, stage: Stage): Parcel | undefined => {
    const url = order.notifyUrl ?? (stage === order.stages[0] ? order.serverCallbackUrl : undefined)
    if (url === undefined) return undefined
    const parameters = orderNotification('callback', { order, stage, state: { settings, clock } })
    return { orderId: order.orderId, url, parameters }
  }

  const announce = (order: Order, stage: Stage): void => {
    if (stage.finalAt === undefined || stage.verdict === undefined || stage.verdict.outcome === 'unknown') return
    const start = (): Promise<void> => {
      const parcel = parcelFor(order, stage)
      return parcel === undefined ? Promise.resolve() : track(deliver(parcel, { attempt: 1, repeat: true }))
    }
    if (stage.finalAt <= clock.now()) due = [...due, start]
    else clock.schedule(stage.finalAt, start)
  }

  return {
    announce,
    flush() {
      const starting = due
      due = []
      for (const start of starting) void start()
    },
    list: () => deliveries,
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    async resend(orderId) {
      const order = orders.byOrderId(orderId)
      if (order === undefined) throw new TypeError(`There is no order "${orderId}" to send a callback about.`)
      const stage = order.stages.findLast(each => hasEnded(each, clock.now())) ?? latestStage(order)
      const parcel = hasEnded(stage, clock.now()) ? parcelFor(order, stage) : undefined
      if (parcel === undefined) {
        throw new TypeError(`Order "${orderId}" has no final stage that it asked a callback for.`)
      }
      await track(deliver(parcel, { attempt: 1, repeat: false }))
    },
    clear() {
      generation += 1
      deliveries = []
      due = []
    },
    async close() {
      generation += 1
      const closing = agent?.destroy()
      // A gateway that listens again calls back again, on connections of its own.
      agent = undefined
      await closing
      await Promise.allSettled(underWay)
    },
  }
}

function shownParcel(
  { url, parameters }: Parcel,
  { profile }: GatewaySettings,
): Pick<CallbackDelivery, 'url' | 'parameters'> {
  const { control } = profile.callbackParameters.value
  const shown = parameters.map(([name, value]): Parameter => [name, name === control ? '***' : value])
  return { url: addressOf({ url, parameters: shown }, profile)?.href ?? url, parameters: shown }
}

/** The address to request. @returns undefined for one that is neither http nor https. */
function addressOf({ url, parameters }: Omit<Parcel, 'orderId'>, { callbackMethod }: WireProfile): URL | undefined {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol)) return undefined
  const form = encodeForm(parameters)
  if (callbackMethod.value === 'GET') address.search = address.search === '' ? form : `${address.search}&${form}`
  return address
}

interface Ending {
  readonly httpStatus?: number
  readonly error?: string
  /** Whether it was never sent and never will be. */
  readonly refused?: true
}

async function send(
  parcel: Parcel,
  { settings, agent }: { readonly settings: GatewaySettings; readonly agent: Agent },
): Promise<Ending> {
  const address = addressOf(parcel, settings.profile)
  if (address === undefined) return { error: 'This is no http or https address.', refused: true }
  if (settings.allowCallbacksTo === 'loopback' && !isLoopback(address)) {
    const error = `${address.host} is not this machine, so it was not called. Set "allowCallbacksTo" to "anywhere" if you mean it.`
    return { error, refused: true }
  }
  const post = settings.profile.callbackMethod.value === 'POST'
  try {
    const { statusCode, body } = await request(address, {
      dispatcher: agent,
      signal: AbortSignal.timeout(patience),
      ...(post
        ? {
            method: 'POST' as const,
            body: encodeForm(parcel.parameters),
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          }
        : { method: 'GET' as const }),
    })
    await body.dump()
    return { httpStatus: statusCode }
  } catch (error) {
    return { error: error instanceof Error ? error.message || error.name : String(error) }
  }
}
