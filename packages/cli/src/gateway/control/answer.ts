import { isLoopbackHost } from '@tillkit/protocol'
import {
  type GatewayRequest,
  type GatewayState,
  isOwnName,
  isSentByAnotherSite,
  type WrittenAnswer,
} from '@tillkit/testing/gateway'
import { type ControlHandler, controlHandlers } from './handlers.js'
import { ControlError, findControlRoute, readControlInput, readSentInput, type SentInput } from './input.js'
import type { ControlRouteName } from './routes.js'

/** Answers a request to the control API. */
export async function answerControl(request: GatewayRequest, gateway: GatewayState): Promise<WrittenAnswer> {
  try {
    refuseStranger(request, gateway)
    const { maxBodyBytes } = gateway.settings
    if (request.body.byteLength > maxBodyBytes)
      throw new ControlError(413, `The body is larger than ${maxBodyBytes} bytes.`)
    const { name, input } = findControlRoute(request.url.pathname, request.method)
    return writeJson(200, await runControl(name, { ...readSentInput(request), ...input }, gateway))
  } catch (error) {
    if (error instanceof ControlError) return writeJson(error.status, { error: error.message })
    return writeJson(500, { error: `The fake failed: ${error instanceof Error ? error.message : String(error)}` })
  }
}

const writeJson = (status: number, value: object): WrittenAnswer => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  },
  body: `${JSON.stringify(value, undefined, 2)}\n`,
})

/** Checks what was sent and carries the route out. @throws {@link ControlError} that says what is wrong with it. */
export async function runControl(name: ControlRouteName, sent: SentInput, gateway: GatewayState): Promise<object> {
  // The table gives each handler its own input, which the compiler cannot follow through a name.
  const handler = controlHandlers[name] as ControlHandler<typeof name>
  return handler(readControlInput(name, sent) as never, gateway)
}

/**
 * Keeps the dashboard and the control API for this machine and for their own pages.
 *
 * A page on the web can make a visitor's browser send requests to 127.0.0.1, and can give its own name that address. So the
 * name in `Host` must be one of this machine, and what changes something must not come from the page of another site.
 *
 * @throws {@link ControlError} 403 for the request of a stranger.
 */
export function refuseStranger(request: GatewayRequest, gateway: StrangerCheck): void {
  const { method, url, headers } = request
  if (!isForUs(request, gateway)) {
    const ask = gateway.controlOrigin?.() ?? gateway.origin()
    const text = `The dashboard and the control API are for this machine. Ask ${ask}, not ${url.host}.`
    throw new ControlError(403, text)
  }
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  if (method === 'GET' || method === 'HEAD') {
    // A link of another site may lead here. A page of one that only makes us work shows nothing to anybody.
    if (site === 'cross-site' && mode !== undefined && mode !== 'navigate')
      throw new ControlError(403, 'A page of another site asked for this.')
    return
  }
  if (isSentByAnotherSite(request, gateway))
    throw new ControlError(403, 'A page of another site sent this. Nothing was done.')
}

type StrangerCheck = Pick<GatewayState, 'origin' | 'exposed'> &
  Partial<Pick<GatewayState, 'controlOrigin'>> & { readonly settings: { readonly origin: string } }

/**
 * Another machine can put any name into its requests. So a gateway that listens beyond this machine answers only when it is
 * exposed. Unless it is, its control port answers requests to a loopback name only. An exposed gateway refuses names that it does
 * not have, so that no web page reaches it under a name of its own; addresses in numbers are let in.
 */
function isForUs({ url, viaControl }: GatewayRequest, gateway: StrangerCheck): boolean {
  if (gateway.exposed()) return isOwnName(url, gateway)
  const own = new URL(gateway.origin())
  if (viaControl) return isLoopbackHost(url.hostname)
  const listens = own.origin !== gateway.settings.origin
  return listens ? isLoopbackHost(own.hostname) && isLoopbackHost(url.hostname) : url.origin === own.origin
}
