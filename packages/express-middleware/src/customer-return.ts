/**
 * Middleware for the customer who comes back from a hosted form.
 *
 * The browser is believed in nothing. The signed state in the path says which order it is about, status says how that
 * order ended, and the customer is sent on to a page of the merchant's own.
 *
 * @module
 */
import { notify } from '@tillkit/protocol'
import type { RequestHandler } from 'express'
import { checkCall, type OptionNames } from './check-options.js'
import { findState } from './customer-state.js'
import {
  browserRejection,
  type CustomerVisitOptions,
  checkVisitOptions,
  knownOrder,
  pageFor,
  tellSettlement,
  visitOptionNames,
} from './customer-visit.js'
import { systemClock } from './defaults.js'
import { StateRejectedError } from './errors.js'
import { outcomeView } from './outcome-view.js'
import { pollingOf, pollStatus } from './poll-status.js'
import { readWhatIsThere } from './read-parameters.js'
import { seeOther } from './see-other.js'
import { endUnreadBody } from './unread-body.js'

/** Options of {@link customerReturn}. */
export interface CustomerReturnOptions extends CustomerVisitOptions {}

const optionNames: OptionNames<CustomerReturnOptions> = visitOptionNames

/**
 * Settles the order that a customer comes back for, and answers with 303 to the merchant's page.
 *
 * Mount it with `app.all` at the path of `returnUrl` followed by `/:state`. A forged state ends in
 * {@link StateRejectedError} (403). An expired one is no login: status is asked and the merchant told all the same, and
 * the customer is sent on with `checking`.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function customerReturn(options: CustomerReturnOptions): RequestHandler {
  checkCall('customerReturn', options, optionNames)
  checkVisitOptions(options)
  const { client, clock = systemClock, profile, onRejected } = options
  const polling = pollingOf(options.polling)

  return async function customerReturnHandler(request, response, next) {
    try {
      const token: unknown = request.params.state
      if (typeof token !== 'string') throw new TypeError('Mount customerReturn at a path that ends in "/:state".')
      const state = await findState({ token, purpose: 'hosted-form', now: clock() }, options)
      if (!state.valid) {
        const { reason: explanation } = state
        notify(() => onRejected?.({ reason: 'forged-state', explanation }, request))
        response.statusCode = 403
        return next(new StateRejectedError())
      }
      const { clientOrderId, expired } = state
      const rejection = browserRejection(await readWhatIsThere(request), { clientOrderId, options })
      if (rejection !== undefined) {
        endUnreadBody(response, rejection)
        notify(() => onRejected?.(rejection, request))
      }

      const known = await knownOrder(options, clientOrderId)
      if (known === undefined) return seeOther(response, pageFor(options, { clientOrderId, view: 'checking' }))
      const question = { client, ...known, clock, ...(profile === undefined ? {} : { profile }) }
      const settlement = await pollStatus(question, expired ? { ...polling, attempts: 1 } : polling)
      await tellSettlement(options, { settlement, clientOrderId })
      seeOther(response, pageFor(options, { clientOrderId, view: expired ? 'checking' : outcomeView(settlement) }))
    } catch (error) {
      next(error)
    }
  }
}
