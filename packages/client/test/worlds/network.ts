/**
 * The way from one process to the gateway: connections are refused or slow, requests arrive late, and arrive although whoever sent
 * them has given up or died. Each carries the number of its call, by which the gateway's books tell the calls apart.
 *
 * @module
 */
import type { FakeGateway } from '@tillkit/testing'
import type { Dispatcher } from 'undici'
import type { RequestDispatcher } from '../../src/index.js'
import type { StoreView } from './failing-store.js'

/** A field that the gateway's books show as it is: the part of an order, and behind it the number of the call. */
export const noteField = 'merchant_order'

/** The longest that a request is on its way after its start, in milliseconds: shorter than a quiet period. */
export const longestWay = 120_000

/** A call under way, as the network knows it. */
export interface NumberedCall {
  readonly number: number
  hasStarted: boolean
}

/** What a network is made of. */
export interface NetworkOptions extends StoreView {
  readonly gateway: FakeGateway
  /** The call that is under way about an order: the programs of one process make one at a time. */
  readonly current: (clientOrderId: string) => NumberedCall | undefined
}

type Handler = Dispatcher.DispatchHandler

/** Makes the dispatcher of one process. */
export function networkOf({ gateway, clock, chance, sky, isDead, stir, current }: NetworkOptions): RequestDispatcher {
  const dispatcher = gateway.clientOptions.dispatcher
  if (dispatcher === undefined) throw new Error('The gateway listens.')
  const pause = (odds: number, most: number) =>
    chance.of(odds * sky.trouble) ? clock.wait(chance.between(1, most)) : Promise.resolve()

  async function carry(options: Dispatcher.DispatchOptions, handler: Handler): Promise<void> {
    const form = new URLSearchParams(String(options.body))
    // A call may ask status first.
    const call = options.path.includes('/status/') ? undefined : current(form.get('client_orderid') ?? '')
    const isLostWithSender = chance.of(0.3)
    let isOver = false
    let reason: Error | null = null
    const end = (tell: () => void): void => {
      stir()
      if (!isOver && !isDead()) tell()
      isOver = true
    }
    const controller: Dispatcher.DispatchController = {
      get aborted() {
        return isOver
      },
      get reason() {
        return reason
      },
      paused: false,
      pause() {},
      resume() {},
      abort(why) {
        reason = why
        end(() => handler.onResponseError?.(controller, why))
      },
    }
    await pause(0.5, 40_000)
    if (isDead()) return
    if (chance.of(sky.trouble * 0.5)) {
      end(() => handler.onResponseError?.(controller, new Error('connect ECONNREFUSED')))
      return
    }
    handler.onRequestStart?.(controller, {})
    if (isOver) return
    if (call !== undefined) call.hasStarted = true
    await pause(0.5, longestWay)
    if (isLostWithSender && (isOver || isDead())) return
    if (call !== undefined) form.set(noteField, `${form.get(noteField) ?? ''}#${call.number}`)
    const body = Buffer.from(form.toString())
    dispatcher?.dispatch(
      { ...options, body },
      {
        onRequestStart() {},
        onResponseStart: (_, ...rest) => {
          if (!isOver && !isDead()) handler.onResponseStart?.(controller, ...rest)
        },
        onResponseData: (_, chunk) => {
          if (!isOver && !isDead()) handler.onResponseData?.(controller, chunk)
        },
        onResponseEnd: (_, trailers) => end(() => handler.onResponseEnd?.(controller, trailers)),
        onResponseError: (_, error) => end(() => handler.onResponseError?.(controller, error)),
      },
    )
  }

  return {
    reportsStart: true,
    dispatch(options, handler) {
      stir()
      if (!isDead()) void carry(options, handler)
      return true
    },
  }
}
