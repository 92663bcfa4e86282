import type { Request, RequestHandler } from 'express'
import { checkThreeDSecureOptions, type ThreeDSecureVisitOptions } from '../three-d-secure/options.js'
import { threeDSecureReceiver } from '../three-d-secure/receiver.js'
import type { VisitRequest } from '../three-d-secure/visit.js'
import { toExpress } from './to-express.js'

/** Options of {@link threeDSecure}. */
export interface ThreeDSecureOptions extends ThreeDSecureVisitOptions<Request> {}

/** The router. */
export interface ThreeDSecureRouter extends RequestHandler {
  /**
   * The address of an order's 3DS: `redirectUrl` of its request, and where to send the customer once the gateway has taken
   * it.
   *
   * @throws {TypeError} when it is longer than the gateway takes.
   */
  addressOf(clientOrderId: string): Promise<string>
}

/**
 * Leads customers through 3DS. Mount it with `app.use` at the path of `address`.
 *
 * A forged state ends in {@link StateRejectedError} (403). An expired one still settles, and results are still uploaded; the
 * customer is sent on with `checking`.
 *
 * @example
 * ```ts
 * const secure = threeDSecure({ client, address: 'https://shop.example/3ds', controlKeys, stateSecrets, order, onSettlement, redirectTo })
 * app.use('/3ds', secure)
 * const redirectUrl = await secure.addressOf('order-1')
 * await client.sale({ ...card, ...customerBrowser(request), clientOrderId: 'order-1', redirectUrl })
 * response.redirect(303, redirectUrl)
 * ```
 *
 * @throws {TypeError} when an option is wrong.
 */
export function threeDSecure(options: ThreeDSecureOptions): ThreeDSecureRouter {
  checkThreeDSecureOptions(options)
  // Every request is one of Express.
  const receiver = threeDSecureReceiver(options as ThreeDSecureVisitOptions<VisitRequest>)
  const handler = toExpress(
    'threeDSecureHandler',
    async request => (await receiver.answer(request, request.path)) ?? 'next',
  )
  return Object.assign(handler, { addressOf: receiver.addressOf })
}
