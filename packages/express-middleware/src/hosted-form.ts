/**
 * Middleware that creates a hosted form at the gateway and sends the customer there.
 *
 * @see Interface specification, section 4, the -form operations
 * @module
 */
import { defaultProfile } from '@tillkit/protocol'
import type { Request, RequestHandler } from 'express'
import { checkCall } from './check-options.js'
import { issueState } from './customer-state.js'
import { systemClock } from './defaults.js'
import type { HostedFormOperation, HostedFormRequests } from './hosted-form-operation.js'
import {
  checkHostedFormOperation,
  checkHostedFormOptions,
  hostedFormOptionNames,
  type RedirectToHostedFormOptions,
} from './hosted-form-options.js'
import { openForm } from './open-form.js'
import { pollingOf } from './poll-status.js'
import { allowedHosts, redirectTarget } from './redirect-target.js'
import { returnAddress } from './return-address.js'
import { seeOther } from './see-other.js'

/**
 * Creates a hosted form and answers with 303 to its address.
 *
 * @returns A handler that calls `onFailed`, or `next` without one, with what `client` or `order` threw, or with
 * {@link RedirectRefusedError} or {@link OrderMismatchError} (502) when the gateway's answer must not be followed.
 * @throws {TypeError} when an option is wrong.
 */
export function redirectToHostedForm<Operation extends HostedFormOperation = 'saleForm'>(
  options: RedirectToHostedFormOptions<Operation>,
): RequestHandler {
  checkCall('redirectToHostedForm', options, hostedFormOptionNames)
  checkHostedFormOptions(options)
  const { client, returnUrl, stateLifetime = 86_400, clock = systemClock, profile = defaultProfile } = options
  const hosts = allowedHosts(client, options.redirectHosts)
  const polling = pollingOf({ attempts: 40, interval: 250, ...options.polling })

  return async function redirectToHostedFormHandler(request, response, next) {
    let clientOrderId: string | undefined
    try {
      const operation = operationFor(options, request)
      const order = await options.order(request, response)
      if (order === undefined && response.headersSent) return
      clientOrderId = checkedOrder(order).clientOrderId
      const subject = { clientOrderId, purpose: 'hosted-form', lifetime: stateLifetime, now: clock() } as const
      const state = await issueState(subject, options)
      const base = typeof returnUrl === 'function' ? returnUrl(request) : returnUrl
      const redirectUrl = returnAddress(base, { state, profile, operation })
      const form = { ...order, redirectUrl } as HostedFormRequests[Operation]
      const { reply, again } = await openForm(client, { operation, form, polling })
      await options.onCreated?.({ operation, clientOrderId, request: form, reply, again })
      seeOther(response, redirectTarget(reply, { clientOrderId, hosts }))
    } catch (error) {
      if (options.onFailed === undefined || response.headersSent) return next(error)
      try {
        // A page that sets no status of its own must not say that all is well.
        response.status(502).set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
        const failure = { error, ...(clientOrderId === undefined ? {} : { clientOrderId }) }
        await options.onFailed(failure, request, response)
      } catch (failure) {
        next(failure)
      }
    }
  }
}

function operationFor<Operation extends HostedFormOperation>(
  { client, operation }: RedirectToHostedFormOptions<Operation>,
  request: Request,
): Operation {
  if (typeof operation !== 'function') return operation ?? ('saleForm' as Operation)
  const chosen = operation(request)
  checkHostedFormOperation(client, chosen)
  return chosen
}

function checkedOrder(order: { readonly clientOrderId?: unknown; readonly redirectUrl?: unknown } | undefined) {
  const { clientOrderId, redirectUrl } = order ?? {}
  if (typeof clientOrderId !== 'string' || clientOrderId === '') {
    throw new TypeError(
      'Option "order" must return an order with a "clientOrderId", or answer the request itself; nothing was sent.',
    )
  }
  if (redirectUrl !== undefined) {
    throw new TypeError('Option "order" returned a "redirectUrl"; leave it to "returnUrl". Nothing was sent.')
  }
  return { clientOrderId }
}
