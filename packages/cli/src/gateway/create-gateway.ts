import type { FakeGateway, FakeGatewayOptions } from '@tillkit/testing'
import {
  createExtendedGateway,
  type GatewayRequest,
  type GatewayState,
  type OtherPaths,
  type WrittenAnswer,
} from '@tillkit/testing/gateway'
import { answerControl } from './control/answer.js'
import { controlPath } from './control/routes.js'
import { answerDashboard } from './dashboard/answer.js'
import { dashboardPath } from './dashboard/look/layout.js'

/** How the gateway is set up. Everything has a default. */
export interface GatewayOptions extends FakeGatewayOptions {
  /** Requests, callbacks and pages of customers that are kept, oldest dropped first. Default: 10000. */
  readonly maxCalls?: number
  /** Serves the dashboard and the control API below `/__gateway/`, to this machine only. Default: true. */
  readonly dashboard?: boolean
}

/**
 * Makes a fake gateway with a dashboard and a control API. Once it listens, `/__gateway/` shows what happens in it and has
 * buttons, and `/__gateway/api` does the same for programs. Neither asks for a password; `listen({ exposed: true })` shows
 * both to other machines.
 *
 * @example
 * ```ts
 * const gateway = createGateway({ processingTime: 1_000 })
 * const { origin } = await gateway.listen({ port: 4010 })
 * console.log(`${origin}/__gateway/`)
 * ```
 *
 * @throws {TypeError} naming the option that cannot work.
 */
export function createGateway({ dashboard = true, maxCalls = 10_000, ...options }: GatewayOptions = {}): FakeGateway {
  return createExtendedGateway({ maxCalls, ...options }, dashboard ? ownPaths : undefined)
}

/** The address without a path: a person in a browser wants the dashboard, a program wants to know what this is. */
function answerRoot({ url, headers }: GatewayRequest, gateway: GatewayState): WrittenAnswer {
  const vary = { vary: 'accept' }
  if (headers.accept?.includes('text/html') === true)
    return { status: 303, headers: { ...vary, location: `${openOrigin(url, gateway)}${dashboardPath}` }, body: '' }
  const control = gateway.controlOrigin() ?? gateway.origin()
  const addresses = {
    what: 'tillkit gateway: a payment gateway for tests. No money moves.',
    baseUrl: `${gateway.origin()}${gateway.settings.prefix}`,
    dashboard: `${control}${dashboardPath}`,
    control: `${control}${controlPath}`,
  }
  return {
    status: 200,
    headers: { ...vary, 'content-type': 'application/json' },
    body: `${JSON.stringify(addresses)}\n`,
  }
}

/**
 * The port that no fault closes, under the name that a browser knows this machine by. Empty, which is where the browser is,
 * for one that came through something else.
 */
function openOrigin(url: URL, { origin, controlOrigin }: GatewayState): string {
  const own = new URL(origin())
  const control = new URL(controlOrigin() ?? own)
  if (control.hostname !== own.hostname || url.port !== own.port) return ''
  control.hostname = url.hostname
  return control.origin
}

const ownPaths: OtherPaths = {
  has: path => path === '/' || `${path}/`.startsWith(dashboardPath),
  answer: async (request, gateway) => {
    const path = request.url.pathname
    if (path === '/') return answerRoot(request, gateway)
    const isControl = `${path}/`.startsWith(`${controlPath}/`)
    return isControl ? answerControl(request, gateway) : answerDashboard(request, gateway)
  },
}
