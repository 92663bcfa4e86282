/**
 * Middleware for 3DS: everything between the shop and the customer's bank, for 3DS that the merchant runs and for 3DS that
 * the gateway runs.
 *
 * One address for each order takes it all: it shows the step that status asks for, and the bank and the gateway send the
 * customer back to it. What a browser brings is uploaded or ignored, never believed; status says how the order ended.
 *
 * @see Interface specification, section 3 (rule 6), section 4 ("3DS uploads"), sections 6 and 8
 * @module
 */
import { defaultProfile, notify } from '@tillkit/protocol'
import type { Request, RequestHandler, Response } from 'express'
import { StateRejectedError } from '../config/errors.js'
import { checkCall } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { unheardWarnings } from '../config/warnings.js'
import { visitSettler } from '../customer-return/settle.js'
import { addressesFor, returnAddress, withPathSegment } from '../http/addresses.js'
import { pollingOf } from '../outcomes/poll.js'
import { findState, issueState } from '../state/state.js'
import {
  checkMountAddress,
  checkThreeDSecureOptions,
  memoryProgress,
  type ThreeDSecureOptions,
  threeDSecureOptionNames,
} from './options.js'
import { pageVoice } from './pages/texts.js'
import { turns } from './turns.js'
import type { Visit } from './visit.js'

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
export function threeDSecure(given: ThreeDSecureOptions): ThreeDSecureRouter {
  checkCall('threeDSecure', given, threeDSecureOptionNames)
  checkThreeDSecureOptions(given)
  const options = heardOptions(given)
  const { address, stateLifetime = 86_400, clock = systemClock, profile = defaultProfile } = options
  const { progress = memoryProgress() } = options
  const voice = pageVoice(options.pages)
  const polling = pollingOf(options.polling)
  const settle = visitSettler(options)
  const uploads = new Map<string, Promise<boolean>>()
  const addresses = addressesFor(options.client)
  const mountedAt = () => checkMountAddress(typeof address === 'function' ? address() : address, addresses)

  const visitOf = async (request: Request, response: Response, token: string): Promise<Visit | undefined> => {
    const state = await findState({ token, purpose: '3d-secure', now: clock() }, options)
    if (!state.valid) {
      const { reason: explanation } = state
      notify(() => options.onRejected?.({ reason: 'forged-state', explanation }, request))
      return undefined
    }
    const own = withPathSegment(mountedAt(), token)
    const addressOf: Visit['addressOf'] = page => (page === undefined ? own : withPathSegment(own, page)).href
    const { clientOrderId, expired: isExpired } = state
    const visit = { clientOrderId, isExpired, request, response, addressOf }
    return { ...visit, options, polling, settle, progress, uploads, voice, profile, addresses, clock }
  }

  const handler: RequestHandler = async function threeDSecureHandler(request, response, next) {
    try {
      const [token = '', page = '', ...rest] = request.path.split('/').slice(1)
      const turn = rest.length > 0 || token === '' ? undefined : turns[`${request.method} ${page}`]
      if (turn === undefined) return next()
      const visit = await visitOf(request, response, token)
      if (visit === undefined) {
        response.statusCode = 403
        return next(new StateRejectedError())
      }
      await turn(visit)
    } catch (error) {
      next(error)
    }
  }

  const addressOf = async (clientOrderId: string): Promise<string> => {
    const subject = { clientOrderId, purpose: '3d-secure', lifetime: stateLifetime, now: clock() } as const
    const state = await issueState(subject, options)
    return returnAddress(mountedAt(), { state, profile, operation: 'sale', addresses })
  }
  return Object.assign(handler, { addressOf })
}

/** The options with hooks that warn the process, where there are no others. */
function heardOptions(options: ThreeDSecureOptions): ThreeDSecureOptions {
  const unheard = unheardWarnings({ clock: options.clock ?? systemClock })
  return {
    ...options,
    onRejected: options.onRejected ?? (rejection => unheard('WARN_CUSTOMER_REFUSED', rejection)),
    onProblem:
      options.onProblem ?? (({ explanation, cause }) => unheard('WARN_3D_SECURE_STUCK', { explanation, cause })),
  }
}
