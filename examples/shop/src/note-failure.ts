/**
 * What an order is told of a payment request that failed. Only a refusal, and a request that never left, say that no payment was
 * made; anything else leaves the question open.
 *
 * @module
 */
import { type AnyGatewayError, isGatewayError } from '@tillkit/client'
import type { NotMade, Orders, ShopOrder } from './orders.js'

/** Notes why the request for the payment, or for the page to pay on, brought no answer. */
export function noteFailure(
  orders: Orders,
  clientOrderId: string,
  error: unknown,
  { isForm = false }: { readonly isForm?: boolean } = {},
): void {
  // The error is about an earlier request with this order id. That one has noted its own end, or is under way.
  if (isGatewayError(error) && error.code === 'ERR_ALREADY_SENT') return
  orders.update(clientOrderId, current =>
    isGatewayError(error) && !error.moneyMayHaveMoved
      ? { ...current, open: [], notMade: notMade(error, isForm) }
      : { ...current, open: current.open.map(question => unanswered(question, isForm)) },
  )
}

const unanswered = (question: ShopOrder['payment'], isForm: boolean): ShopOrder['payment'] => ({
  ...question,
  state: 'unknown',
  ...(isForm ? { isForm } : {}),
})

function notMade(error: AnyGatewayError, isForm: boolean): NotMade {
  switch (error.code) {
    case 'ERR_REQUEST_REFUSED': {
      const why = error.errorMessage === undefined ? '' : ` It says: ${error.errorMessage}`
      const advice = isForm ? '' : ' Check the number of the card, its date and the CVV.'
      return { label: 'Refused', sentence: `The gateway refused this payment and did nothing with it.${why}${advice}` }
    }
    case 'ERR_AUTHENTICATION_REFUSED':
      return {
        label: 'Refused',
        sentence:
          'The gateway did not accept this shop’s signature and did nothing. That is our mistake; another card does not help. Please tell us.',
      }
    case 'ERR_NOT_SENT':
      return {
        label: 'Not sent',
        sentence:
          'We could not reach the gateway, so this payment was not sent. Please wait a moment before you try again.',
      }
    default:
      return { label: 'Not sent', sentence: `Something in this payment is wrong. ${error.message}` }
  }
}
