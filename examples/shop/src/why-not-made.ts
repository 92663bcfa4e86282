/**
 * Why no payment was made. Only a refusal, and a request that never left, say that none was; anything else leaves the question open.
 *
 * @module
 */
import { isGatewayError } from '@tillkit/client'

/**
 * What a customer is told of a request for a payment, or for a page to pay on, that failed.
 *
 * @returns undefined where the payment may have been made, by this request or by an earlier one.
 */
export function whyNotMade(error: unknown, { isForm = false }: { readonly isForm?: boolean } = {}): string | undefined {
  if (!isGatewayError(error) || error.moneyMayHaveMoved || error.code === 'ERR_ALREADY_SENT') return undefined
  switch (error.code) {
    case 'ERR_REQUEST_REFUSED': {
      const why = error.errorMessage === undefined ? '' : ` It says: ${error.errorMessage}`
      const advice = isForm ? '' : ' Check the number of the card, its date and the CVV.'
      return `The gateway refused this payment and did nothing with it.${why}${advice}`
    }
    case 'ERR_AUTHENTICATION_REFUSED':
      return 'The gateway did not accept this shop’s signature and did nothing. That is our mistake; another card does not help. Please tell us.'
    case 'ERR_NOT_SENT':
      return 'We could not reach the gateway, so this payment was not sent. Please wait a moment before you try again.'
    default:
      return `Something in this payment is wrong. ${error.message}`
  }
}
