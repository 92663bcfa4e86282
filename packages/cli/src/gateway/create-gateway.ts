import type { FakeGateway, FakeGatewayOptions } from '@tillkit/testing'
import { createExtendedGateway, type OtherPaths } from '@tillkit/testing/gateway'
import { answerControl } from './control/answer.js'
import { controlPath } from './control/routes.js'
import { answerDashboard } from './dashboard/answer.js'
import { dashboardPath } from './dashboard/layout.js'

/** How the gateway is set up. Everything has a default. */
export interface GatewayOptions extends FakeGatewayOptions {
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
export function createGateway({ dashboard = true, ...options }: GatewayOptions = {}): FakeGateway {
  return createExtendedGateway(options, dashboard ? paths : undefined)
}

const paths: OtherPaths = {
  has: path => path === '/' || `${path}/`.startsWith(dashboardPath),
  answer: async (request, gateway) => {
    const path = request.url.pathname
    // A person who opens the address that the gateway printed, without a path, wants the dashboard.
    if (path === '/') return { status: 303, headers: { location: dashboardPath }, body: '' }
    const isControl = `${path}/`.startsWith(`${controlPath}/`)
    return isControl ? answerControl(request, gateway) : answerDashboard(request, gateway)
  },
}
