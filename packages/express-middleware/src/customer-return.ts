/**
 * Middleware for the customer who comes back from a hosted form.
 *
 * The browser is believed in nothing. The signed state in the path says which order it is about, status says how that
 * order ended, and the customer is sent on to a page of the merchant's own.
 *
 * @module
 */
import type { AskedSettlement, Expectation, Order, StatusAsker, WireProfile } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Request, RequestHandler } from 'express'
import { checkCallback } from './callback.js'
import {
  checkCall,
  checkControlKeys,
  checkFunction,
  checkOptionalCount,
  checkOptionalFunction,
  checkOptionalProfile,
  type OptionNames,
} from './check-options.js'
import { defaultMaxBodyBytes, systemClock, systemWait } from './defaults.js'
import { BodyConsumedError, OrderMismatchError, RedirectRefusedError, StateRejectedError } from './errors.js'
import { type OutcomeView, outcomeView } from './outcome-view.js'
import { type Polling, pollStatus } from './poll-status.js'
import { type ParameterRequest, type ReadParameters, readParameters } from './read-parameters.js'
import { quote, type Rejection } from './rejection.js'
import { seeOther } from './see-other.js'
import { checkStateSecrets, type StateSecrets } from './state-secrets.js'
import { readState } from './state-token.js'
import { endUnreadBody } from './unread-body.js'
import { sameOriginPath } from './web-address.js'

/** What the merchant knows of an order, and what it waits for. */
export interface KnownOrder {
  readonly order: Order
  readonly expected: Expectation
}

/** Options of {@link customerReturn}. */
export interface CustomerReturnOptions {
  /** All of them verify. */
  readonly stateSecrets: StateSecrets
  /** For the control value of the browser's parameters, which is only ever reported on. */
  readonly controlKeys: ControlKeys
  /** Asks status. It is handed in, so that any client will do. */
  readonly client: StatusAsker
  /** Finds an order. Undefined when there is nothing to ask about it: the customer is sent on with `checking`. */
  readonly order: (clientOrderId: string) => KnownOrder | undefined | Promise<KnownOrder | undefined>
  /**
   * Told what status said. Store what `reduceOrder` of `@tillkit/protocol` makes of your current order and
   * `settlement.observation`, so that what a callback brought meanwhile is not lost; fulfil where it settled. Customers
   * reload, and a callback may have brought the same before: run what must run once under `outcomeKey`.
   */
  readonly onSettlement: (
    settlement: AskedSettlement,
    context: { readonly clientOrderId: string },
  ) => void | Promise<void>
  /** Path of a GET page of this very site. Anything that leads elsewhere is refused. */
  readonly redirectTo: (result: { readonly clientOrderId: string; readonly view: OutcomeView }) => string
  readonly polling?: Polling
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /** Told why a state or the browser's parameters were refused, and of which request. The sender is not told. */
  readonly onRejected?: (rejection: Rejection, request: Request) => void
}

const optionNames: OptionNames<CustomerReturnOptions> = {
  stateSecrets: true,
  controlKeys: true,
  client: true,
  order: true,
  onSettlement: true,
  redirectTo: true,
  polling: true,
  clock: true,
  profile: true,
  onRejected: true,
}

/**
 * Settles the order that a customer comes back for, and answers with 303 to the merchant's page.
 *
 * Mount it with `app.all` at the path of `returnUrl` followed by `/:state`. A forged state ends in
 * {@link StateRejectedError} (403). An expired one still settles: it is no login and shows nothing by itself.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function customerReturn(options: CustomerReturnOptions): RequestHandler {
  checkCall('customerReturn', options, optionNames)
  checkReturnOptions(options)
  const { stateSecrets, client, clock = systemClock, profile, onRejected } = options
  const { attempts = 4, interval = 1000, wait = systemWait } = options.polling ?? {}

  return async function customerReturnHandler(request, response, next) {
    try {
      const token: unknown = request.params.state
      if (typeof token !== 'string') throw new TypeError('Mount customerReturn at a path that ends in "/:state".')
      const state = await readState({ token, purpose: 'hosted-form', secrets: stateSecrets, now: clock() })
      if (!state.valid) {
        onRejected?.({ reason: 'forged-state', explanation: state.reason }, request)
        return next(new StateRejectedError())
      }
      const { clientOrderId } = state
      const rejection = await browserRejection(request, { clientOrderId, options })
      if (rejection !== undefined) {
        endUnreadBody(response, rejection)
        onRejected?.(rejection, request)
      }

      const known = await options.order(clientOrderId)
      if (known === undefined) return seeOther(response, pageFor(options, { clientOrderId, view: 'checking' }))
      checkSameOrder(known.order, clientOrderId)
      const question = { client, ...known, clock, ...(profile === undefined ? {} : { profile }) }
      const settlement = await pollStatus(question, { attempts, interval, wait })
      await options.onSettlement(settlement, { clientOrderId })
      seeOther(response, pageFor(options, { clientOrderId, view: outcomeView(settlement) }))
    } catch (error) {
      next(error)
    }
  }
}

function checkReturnOptions(options: CustomerReturnOptions): void {
  checkStateSecrets(options.stateSecrets)
  checkControlKeys(options.controlKeys)
  checkOptionalProfile(options.profile, 'browserReturnItems')
  checkSeparateSecrets(options)
  if (typeof options.client?.status !== 'function') {
    throw new TypeError('Option "client" must have a method "status", as createClient of @tillkit/client makes it.')
  }
  checkFunction('order', options.order)
  checkFunction('onSettlement', options.onSettlement)
  checkFunction('redirectTo', options.redirectTo)
  checkOptionalCount('polling.attempts', options.polling?.attempts)
  checkOptionalCount('polling.interval', options.polling?.interval, 0)
  checkOptionalFunction('polling.wait', options.polling?.wait)
  checkOptionalFunction('clock', options.clock)
  checkOptionalFunction('onRejected', options.onRejected)
}

/** Whoever leaks one of the two must not have leaked the other. */
function checkSeparateSecrets({ stateSecrets, controlKeys }: CustomerReturnOptions): void {
  const keys = (Array.isArray(controlKeys) ? controlKeys : [controlKeys]).map(entry =>
    typeof entry === 'string' ? entry : entry.key,
  )
  if (stateSecrets.some(({ secret }) => typeof secret === 'string' && keys.includes(secret))) {
    throw new TypeError('Option "stateSecrets" holds a control key. Make a secret of its own.')
  }
}

/** A customer who reloads the page brings no parameters at all; that is no rejection. */
async function browserRejection(
  request: ParameterRequest,
  { clientOrderId, options }: { readonly clientOrderId: string; readonly options: CustomerReturnOptions },
): Promise<Rejection | undefined> {
  const read = await readWhatIsThere(request)
  if (!read.read) return { reason: read.reason, explanation: read.explanation }
  if (read.parameters.length === 0) return undefined
  const { controlKeys, profile } = options
  const verdict = checkCallback({ parameters: read.parameters, controlKeys, profile, kind: 'browser-return' })
  if (!verdict.verified) return { reason: verdict.reason, explanation: verdict.explanation }
  const named = verdict.callback.signed.clientOrderId
  if (named === clientOrderId) return undefined
  return {
    reason: 'other-order',
    explanation: `The browser returned for order ${quote(named)} with the state of order ${quote(clientOrderId)}.`,
  }
}

/** Nothing depends on the browser's parameters, so a body that somebody else consumed is no reason to fail. */
async function readWhatIsThere(request: ParameterRequest): Promise<ReadParameters> {
  try {
    return await readParameters(request, { maxBytes: defaultMaxBodyBytes })
  } catch (error) {
    if (error instanceof BodyConsumedError) return { read: true, parameters: [] }
    throw error
  }
}

function checkSameOrder(order: Order, clientOrderId: string): void {
  if (order.clientOrderId === clientOrderId) return
  throw new OrderMismatchError(
    `Option "order" was asked for order ${clientOrderId} and returned order ${order.clientOrderId}. Status was not asked.`,
    { status: 500 },
  )
}

function pageFor(
  { redirectTo }: CustomerReturnOptions,
  result: { readonly clientOrderId: string; readonly view: OutcomeView },
): string {
  const path = redirectTo(result)
  const location = sameOriginPath(path)
  if (location !== undefined) return location
  throw new RedirectRefusedError(
    `Option "redirectTo" returned ${quote(String(path))} for order ${result.clientOrderId}. It must be a path of this ` +
      'site, starting with one "/".',
    { status: 500 },
  )
}
