import { defaultProfile, notify } from '@tillkit/protocol'
import type { WithRequest } from '../callbacks/options.js'
import { type Rejection, StateRejectedError } from '../config/errors.js'
import { checkCall } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { warningsOf } from '../config/warnings.js'
import { type Answer, endingUnread, failureAnswer, seeOther } from '../http/answer.js'
import { type AnyRequest, pathOf, readWhatIsThere } from '../http/parameters.js'
import { visitLedger } from '../outcomes/ledger.js'
import { findState } from '../state/state.js'
import { checkVisitOptions, type VisitOptions, visitOptions } from './options.js'
import { browserRejection, outcomeView, pageFor, unknownOrder, visitSettler } from './visit.js'

/** Options of {@link customerReceiver}. `Context` is what you hand in with a request, for `onRejected`. */
export interface CustomerReceiverOptions<Context = undefined, Transaction = never>
  extends VisitOptions<Context | undefined, Transaction> {}

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
 * Makes a receiver of customers who come back from a hosted form, for any framework. `customerReturn` is the one for Express.
 *
 * Route GET and POST here of every path that is `returnUrl` and one segment more.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function customerReceiver<Context = undefined, Transaction = never>(
  options: CustomerReceiverOptions<Context, Transaction>,
): CustomerReceiver<Context> {
  checkCall<object>('customerReceiver', options, visitOptions)
  checkVisitOptions(options)
  const { clock = systemClock, profile = defaultProfile, client } = options
  const { payments } = client
  const warn = warningsOf(options)
  const onRejected = options.onRejected ?? ((rejection: Rejection) => warn('WARN_CUSTOMER_REFUSED', rejection))
  const settle = visitSettler(options, visitLedger({ ...options, warn }), { profile, warn })

  const receive = async (
    request: AnyRequest,
    { state: token = lastSegment(request), body, context }: WithRequest<Context> & { readonly state?: string } = {},
  ): Promise<Answer> => {
    const state = await findState({ token, purpose: 'hosted-form', now: clock() }, { ...options, payments })
    if (state.kind === 'refused') {
      notify(() => onRejected(state, context))
      throw new StateRejectedError()
    }
    const { clientOrderId, kind } = state
    const rejection = browserRejection(await readWhatIsThere(request, body), clientOrderId, options)
    if (rejection !== undefined) notify(() => onRejected(rejection, context))
    const onUnknown = () => notify(() => onRejected(unknownOrder(clientOrderId), context))
    const settled = await settle({ clientOrderId, onUnknown, ...(kind === 'expired' ? { attempts: 1 } : {}) })
    const view = kind === 'expired' ? 'checking' : outcomeView(settled?.settlement)
    return endingUnread(seeOther(await pageFor(options, { clientOrderId, view })), { rejection, request })
  }

  return {
    answer: (request, more) => receive(request, more).catch(error => failureAnswer(error, 500)),
  }
}

const lastSegment = (request: AnyRequest): string => pathOf(request).split('/').at(-1) ?? ''
