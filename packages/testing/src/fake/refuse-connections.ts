import type { GatewayServer } from '../http/server.js'
import type { GatewayState } from '../state/gateway-state.js'
import { findRoute } from '../verification/route.js'

/** Whether the connection for a request through the dispatcher is refused. */
export function refusesConnection(path: string, { settings, faults }: GatewayState): boolean {
  if (!faults.waits('connection')) return false
  const route = findRoute(path, settings)
  const target = route.kind === 'operation' ? { operation: route.operation, effect: route.row.effect } : undefined
  return faults.strike({ at: 'connection', operation: undefined, ...target }) !== undefined
}

/**
 * Makes what closes the port if the fault `refuse-connection` is armed, and opens it when it no longer is: to be called when the
 * faults or the server changed. A server never hears of a refused connection and cannot count them, so over HTTP each strike
 * closes the port for the fault's delay, for every operation.
 */
export function createPortKeeper(state: GatewayState, server: () => GatewayServer | undefined): () => Promise<void> {
  let closed = false
  const update = async (): Promise<void> => {
    if (closed && state.faults.waits('connection')) return
    const { faults, schedule, clock } = state
    const port = server()
    if (port === undefined) return
    const operation = faults.armed().find(({ fault }) => fault === 'refuse-connection')?.operation
    const waits = faults.waits('connection')
    const struck = faults.strike({ at: 'connection', operation })
    closed = struck !== undefined
    if (struck !== undefined) port.refuse()
    else await port.accept()
    if (!waits) return
    schedule.add(clock.now() + (struck?.delay ?? redraw), () => {
      closed = false
      return update()
    })
  }
  return update
}

/** How long until chance decides again after it let connections pass, in milliseconds on the clock. */
const redraw = 60_000
