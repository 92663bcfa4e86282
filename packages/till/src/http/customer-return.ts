import { type Answer, type AnyRequest, endingUnread, readWhatIsThere, seeOther } from '@tillkit/express-middleware/core'
import { browserRejection, findVisitor, type VisitorContext } from './visitors.js'
import { createVisits, polling, type VisitsContext } from './visits.js'

/** Everything that receiving customers needs. */
export interface CustomerContext extends VisitorContext, VisitsContext {
  /** The path of the till's page of the payment, for a customer who is back. */
  readonly pagePath: (visitor: { readonly clientOrderId: string; readonly isExpired: boolean }) => Promise<string>
}

/**
 * Makes what receives customers who come back from a hosted form: status is asked, the merchant is told, and 303 leads to the till's
 * page of the payment. What the browser brings is only reported on, and never believed.
 * An address that is no longer fresh asks status once.
 *
 * @returns A function that takes the request and the state in its path. It throws a `StateRejectedError` for a state that is not the
 * till's own.
 */
export function createCustomerReturn(context: CustomerContext) {
  const settle = createVisits(context)
  return async (request: AnyRequest, token: string): Promise<Answer> => {
    const visitor = await findVisitor({ token, purpose: 'hosted-form' }, context)
    const rejection = browserRejection(await readWhatIsThere(request), visitor)
    if (rejection !== undefined) context.warn('WARN_CUSTOMER_REFUSED', rejection)
    await settle({ ...visitor, attempts: visitor.isExpired ? 1 : polling.attempts })
    return endingUnread(seeOther(await context.pagePath(visitor)), { rejection, request })
  }
}
