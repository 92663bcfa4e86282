/** Why the till sent nothing, or the gateway did nothing. Only that is shown as the answer to a click: anything else is no answer. */
import { isGatewayError } from '@tillkit/client'
import { TillError } from '@tillkit/till'
import type { Side } from './orders.js'

/**
 * What a customer or a merchant is told of a payment or a change that was not made.
 *
 * @returns undefined where that is not known.
 */
export function whyNotMade(error: unknown, side: Side): string | undefined {
  if (error instanceof TillError) return error.message
  if (!isGatewayError(error) || error.moneyMayHaveMoved) return undefined
  switch (error.code) {
    case 'ERR_REQUEST_REFUSED': {
      // Its words name fields of the interface: the merchant knows those.
      const why = side === 'customer' || error.errorMessage === undefined ? '' : ` It says: ${error.errorMessage}`
      return `The gateway refused this and did nothing with it.${why}`
    }
    case 'ERR_AUTHENTICATION_REFUSED':
      return (
        'The gateway did not accept this shop’s signature and did nothing. ' +
        'That is our mistake; another card does not help. Please tell us.'
      )
    case 'ERR_NOT_SENT':
      return 'We could not reach the gateway, so nothing was sent. Please wait a moment before you try again.'
    default:
      return `Something in this is wrong, and it was not sent. ${error.message}`
  }
}
