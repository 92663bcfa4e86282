import { defaultProfile, notify } from '@tillkit/protocol'
import type { WithRequest } from '../callbacks/options.js'
import { type Rejection, StateRejectedError } from '../config/errors.js'
import { checkCall } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { createWarnings, ownWords } from '../config/warnings.js'
import { type Answer, endingUnread, failureAnswer, seeOther } from '../http/answer.js'
import { type AnyRequest, pathOf, readWhatIsThere } from '../http/parameters.js'
import { readState } from '../state/token.js'
import { expectedFor, outcomeView } from './expected.js'
import { checkVisitOptions, type VisitOptions, type VisitResult, visitOptions } from './options.js'
import { pageFor, readBrowserReturn, visitSettler } from './visit.js'

/** Options of {@link customerReceiver}. `Context` is what you hand in with a request, for `onRejected`. */
export interface CustomerReceiverOptions<Context = undefined> extends VisitOptions<Context | undefined> {}

/** Receives customers. */
export interface CustomerReceiver<Context = undefined> {
  /**
   * Asks status of the order that a customer comes back for, and says how to answer: 303 to your page.
   *
   * Never throws: what failed is in `error` of the answer, for your log and your error page, with its status. A forged
   * state is {@link StateRejectedError} (403). An expired one is no login: the customer is sent on with `checking`.
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
export function customerReceiver<Context = undefined>(
  options: CustomerReceiverOptions<Context>,
): CustomerReceiver<Context> {
  checkCall<object>('customerReceiver', options, visitOptions)
  checkVisitOptions(options)
  const { clock = systemClock, profile = defaultProfile, stateSecrets } = options
  const warn = createWarnings(ownWords, { clock })
  const onRejected = options.onRejected ?? ((rejection: Rejection) => warn('WARN_CUSTOMER_REFUSED', rejection))
  const settle = visitSettler(options, profile)

  const receive = async (
    request: AnyRequest,
    { state: token = lastSegment(request), body, context }: WithRequest<Context> & { readonly state?: string } = {},
  ): Promise<Answer> => {
    const state = await readState({ token, purpose: 'hosted-form', secrets: stateSecrets, now: clock() })
    if (state.kind === 'refused') {
      notify(() => onRejected(state, context))
      throw new StateRejectedError()
    }
    const { clientOrderId, kind } = state
    const { orderId, rejection } = readBrowserReturn(await readWhatIsThere(request, body), clientOrderId, options)
    if (rejection !== undefined) notify(() => onRejected(rejection, context))
    const expected = kind === 'expired' ? undefined : expectedFor(state.expected)
    const result = expected === undefined ? checking(clientOrderId) : await visit({ clientOrderId, orderId, expected })
    return endingUnread(seeOther(await pageFor(options, result)), { rejection, request })
  }

  const visit = async (visited: Parameters<typeof settle>[0]): Promise<VisitResult> => {
    const { clientOrderId } = visited
    const settlement = await settle(visited)
    const view = outcomeView(settlement)
    if (settlement === undefined || view === 'checking') return checking(clientOrderId)
    return { clientOrderId, view, reply: settlement.observation.reply }
  }

  return {
    answer: (request, more) => receive(request, more).catch(error => failureAnswer(error, 500)),
  }
}

const checking = (clientOrderId: string): VisitResult => ({ clientOrderId, view: 'checking' })

const lastSegment = (request: AnyRequest): string => pathOf(request).split('/').at(-1) ?? ''
