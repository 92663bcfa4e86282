/**
 * Addresses of the pages that customers are sent to.
 *
 * @module
 */
import type { GatewayState } from '../fake/gateway-state.js'

/** What of a gateway an address is made from. */
export type PageHost = Pick<GatewayState, 'origin' | 'settings'>

/** Address of a hosted page. */
export const formAddress = (token: string, { origin, settings }: PageHost): string =>
  `${origin()}${settings.prefix}/form/${token}`

/** Pages of 3DS: the 3DS method, the challenge, that of 3DS 1.0.2, and that of 3DS which the gateway runs. */
export type ThreeDSecurePageName = 'method' | 'challenge' | 'pareq' | 'start'

/** Address of a page of 3DS. */
export const threeDSecureAddress = (
  { page, serverTransId }: { readonly page: ThreeDSecurePageName; readonly serverTransId: string },
  { origin, settings }: PageHost,
): string => `${origin()}${settings.prefix}/3ds/${page}/${serverTransId}`
