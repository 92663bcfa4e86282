/**
 * The line between a process and the gateway: whether a request arrives, and its answer, by its operation, its order and how many of its kind
 * there were.
 *
 * @module
 */
import { operations } from '@tillkit/protocol'
import type { FakeGateway, FaultName } from '@tillkit/testing'
import { lineFaults } from '../worlds/world.js'
import type { World } from './world.js'

/** Faults that leave a question without an answer. */
const silences = ['drop', 'half-answer', 'maintenance-page'] as const satisfies readonly FaultName[]

/** How long a stretch of time is in which a question about an order is answered, or none is. Milliseconds. */
const stretch = 5 * 60_000

const byPath = Object.entries(operations).map(([name, { path }]) => ({ name, path }))

type Line = FakeGateway['dispatcher']
type Sending = Parameters<Line['dispatch']>[0]

interface ArmedFault {
  readonly operation: string
  readonly fault: FaultName
}

/** The operation and the order of a request. */
function readRequest({ path, body }: Sending) {
  const { pathname } = new URL(path, 'https://gateway.test')
  const operation = byPath.find(each => pathname.includes(`${each.path}/`) || pathname.endsWith(each.path))?.name
  const fields = new URLSearchParams(typeof body === 'string' ? body : '')
  const field = (name: string) => fields.get(name) ?? undefined
  return { operation, order: merchantsIdIn(field) ?? gatewaysIdIn(field) ?? '' }
}

type Fields = (name: string) => string | undefined

/** The merchant's order id among the fields of a request: section 4 of the specification has two spellings. */
export const merchantsIdIn = (field: Fields): string | undefined => field('client_orderid') ?? field('client-order-id')

/** The gateway's order id among them. */
export const gatewaysIdIn = (field: Fields): string | undefined => field('orderid') ?? field('order-id')

/** The gateway as a process reaches it. One that is dead sends nothing. */
export function lineFor(
  { gateway, fates, nth, isCalm }: Pick<World, 'gateway' | 'fates' | 'nth' | 'isCalm'>,
  isDead: () => boolean,
): Line {
  const faultOf = (options: Sending): ArmedFault | undefined => {
    const { operation, order } = readRequest(options)
    if (operation === undefined) return undefined
    if (operation === 'status') {
      // How often an engine asks is its own matter.
      const chance = fates('line', operation, order, Math.floor(gateway.clock.now() / stretch))
      return chance.of(0.05) ? { operation, fault: chance.pick(silences) } : undefined
    }
    const chance = fates('line', operation, order, nth('line', operation, order))
    return chance.of(0.3) ? { operation, fault: chance.pick(lineFaults) } : undefined
  }
  const dispatch: Line['dispatch'] = (options, handler) => {
    if (isDead()) return true
    const fault = isCalm() ? undefined : faultOf(options)
    const disarm = fault === undefined ? () => undefined : arm(gateway, fault)
    // Another engine may send the same order another request of that kind: none may meet the fault of this one.
    return gateway.dispatcher.dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart(...response) {
        disarm()
        handler.onResponseStart?.(...response)
      },
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError(controller, error) {
        disarm()
        handler.onResponseError?.(controller, error)
      },
    })
  }
  // A client takes what a dispatcher promises to report, and asks for nothing else of it.
  return { dispatch, reportsStart: true } as unknown as Line
}

/** @returns Takes it back, where it did not strike. */
function arm({ faults }: FakeGateway, fault: ArmedFault): () => void {
  faults.arm(fault)
  const { number = 0 } = faults.armed().at(-1) ?? {}
  return () => void faults.disarm(number)
}
