/**
 * 3DS that the gateway runs: the customer proves who they are, and comes back to `redirect_url`.
 *
 * @module
 */
import { donePage } from '../page.js'
import { returnPage } from '../return-page.js'
import { askCode } from './ask-code.js'
import { endThreeDSecure } from './end-stage.js'
import type { ThreeDSecurePage } from './page-turn.js'

/** Asks for the code, decides the order, and takes the customer back with a signed browser return. */
export const gatewayRunPage: ThreeDSecurePage = turn => {
  const { typed = {}, order, threeDSecure, gateway } = turn
  if (threeDSecure.step === 'done') {
    return donePage(order)
  }
  return askCode({
    typed,
    order,
    profile: gateway.settings.profile,
    proceed: passed => returnPage(endThreeDSecure(turn, { passed, gateway }), gateway),
  })
}
