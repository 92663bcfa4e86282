/**
 * Receives customers who come back from a hosted form, in whatever framework: a request in, an answer out.
 *
 * The browser is believed in nothing. The signed state in the path says which order it is about, status says how that
 * order ended, and the customer is sent on to a page of the merchant's own.
 *
 * @module
 */
import { notify } from '@tillkit/protocol'
import type { WithRequest } from '../callbacks/receiver.js'
import { type Rejection, StateRejectedError } from '../config/errors.js'
import { checkCall, type OptionNames } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { unheardWarnings } from '../config/warnings.js'
import { type Answer, endingUnread, failureAnswer, seeOtherAnswer } from '../http/answer.js'
import { readWhatIsThere } from '../http/parameters.js'
import { type AnyRequest, pathOf } from '../http/request.js'
import { outcomeView } from '../outcomes/received.js'
import { findState } from '../state/state.js'
import { visitSettler } from './settle.js'
import {
  browserRejection,
  checkVisitOptions,
  pageFor,
  unknownOrder,
  type VisitOptions,
  visitOptionNames,
} from './visit.js'

/** Options of {@link customerReceiver}. `Context` is whatever you hand in with a request, for `onRejected`. */
export interface CustomerReceiverOptions<Context = undefined> extends VisitOptions<Context | undefined> {}

const optionNames: OptionNames<CustomerReceiverOptions> = visitOptionNames

/** Receives customers. */
export interface CustomerReceiver<Context = undefined> {
  /**
   * Settles the order that a customer comes back for, and says how to answer: 303 to your page.
   *
   * Never throws: what failed is in `error` of the answer, for your log and your error page, with its status. A forged
   * state is {@link StateRejectedError} (403). An expired one is no login: status is asked and you are told all the same,
   * and the customer is sent on with `checking`.
   *
   * @param more `state`: default, the last segment of the path.
   */
  answer(request: AnyRequest, more?: WithRequest<Context> & { readonly state?: string }): Promise<Answer>
}

/**
 * Makes a receiver of customers for any framework. `customerReturn` is the one for Express.
 *
 * Route GET and POST here of every path that is `returnUrl` and one segment more.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function customerReceiver<Context = undefined>(
  options: CustomerReceiverOptions<Context>,
): CustomerReceiver<Context> {
  checkCall('customerReceiver', options, optionNames)
  checkVisitOptions(options)
  const { clock = systemClock } = options
  const unheard = unheardWarnings({ clock })
  const onRejected = options.onRejected ?? ((rejection: Rejection) => unheard('WARN_CUSTOMER_REFUSED', rejection))
  const settle = visitSettler(options)

  return {
    async answer(request, { state: token = lastSegment(request), body, context } = {}) {
      try {
        const state = await findState({ token, purpose: 'hosted-form', now: clock() }, options)
        if (!state.valid) {
          const { reason: explanation } = state
          notify(() => onRejected({ reason: 'forged-state', explanation }, context))
          throw new StateRejectedError()
        }
        const { clientOrderId, expired } = state
        const rejection = browserRejection(await readWhatIsThere(request, body), { clientOrderId, options })
        if (rejection !== undefined) notify(() => onRejected(rejection, context))
        const onUnknown = () => notify(() => onRejected(unknownOrder(clientOrderId), context))
        const settled = await settle({ clientOrderId, onUnknown, ...(expired ? { attempts: 1 } : {}) })
        const view = expired ? 'checking' : outcomeView(settled?.settlement)
        return endingUnread(seeOtherAnswer(pageFor(options, { clientOrderId, view })), { rejection, request })
      } catch (error) {
        return failureAnswer(error, 500)
      }
    },
  }
}

const lastSegment = (request: AnyRequest): string => pathOf(request).split('/').at(-1) ?? ''
