/**
 * Runs a route of the control API, for a request and for a button of the dashboard alike.
 *
 * @module
 */
import type { GatewayState } from '@tillkit/testing/gateway'
import { type ControlHandler, controlHandlers } from './control-handlers.js'
import { type ControlRouteName, controlRoutes } from './control-routes.js'
import { readControlInput, type SentInput } from './read-control-input.js'

/**
 * Checks what was sent and carries the route out.
 *
 * @throws {@link ControlError} that says what is wrong with it.
 */
export async function runControl(name: ControlRouteName, sent: SentInput, gateway: GatewayState): Promise<object> {
  const input = readControlInput(controlRoutes[name].input, sent)
  // The table gives each handler its own input, which the compiler cannot follow through a name.
  const handler = controlHandlers[name] as ControlHandler<typeof name>
  return handler(input as never, gateway)
}
