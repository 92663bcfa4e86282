import { addressesFor, allowedHosts, redirectTarget, returnAddress, signState } from '@tillkit/express-middleware/core'
import type { AccountsThen } from '../payment/accounts.js'
import type { PayContext } from '../payment/pay/pay-context.js'
import { isForm } from '../rules/pay/next-step.js'
import { below } from './addresses.js'
import type { PageContext } from './payment-page.js'

/** How long an address is fresh, in seconds: a customer may come back to it on the next day. */
export const addressLifetime = 2 * 86_400

/** Makes what says where customers come back to, and checks the addresses of the gateway's forms. */
export function createForms({
  address,
  secrets,
  clock,
}: Pick<PageContext, 'address' | 'secrets' | 'clock'>): Pick<PayContext, 'checkedForm' | 'comesBackTo'> {
  const pages = { form: new URL(below(address, 'return')), secure: new URL(below(address, '3ds')) }
  return {
    checkedForm: ({ client, redirectHosts }, { clientOrderId, redirectUrl }) =>
      redirectTarget({ redirectUrl, raw: {} }, clientOrderId, {
        hosts: allowedHosts(client, redirectHosts),
        addresses: addressesFor(client),
      }),
    comesBackTo({ profile }, { operation, clientOrderId }) {
      const onForm = isForm({ operation })
      if (!onForm && operation !== 'sale' && operation !== 'preauth') return undefined
      const purpose = onForm ? 'hosted-form' : '3d-secure'
      const state = signState({ clientOrderId, purpose, secrets: secrets(), lifetime: addressLifetime, now: clock() })
      return returnAddress(onForm ? pages.form : pages.secure, { state, profile, operation })
    },
  }
}

/** The gateway's pages are there. */
export const pageOrigins = ({ all }: Pick<AccountsThen, 'all'>): readonly string[] =>
  all.flatMap(({ client: { baseUrl }, redirectHosts }) => {
    const { origin, protocol } = new URL(baseUrl)
    return redirectHosts?.map(host => `${protocol}//${host}`) ?? [origin]
  })
