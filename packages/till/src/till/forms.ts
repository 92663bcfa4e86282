import {
  addressesFor,
  allowedHosts,
  hostedFormOpener,
  redirectTarget,
  returnAddress,
  type StateSecrets,
  signState,
} from '@tillkit/express-middleware/core'
import { isForm } from '@tillkit/protocol'
import type { Account, Accounts } from '../payment/accounts.js'
import type { RunContext } from '../payment/pay/pay-by-run.js'
import type { FormOrder, PayContext } from '../payment/pay/pay-context.js'
import { below } from './addresses.js'

/** How long an address is fresh, in seconds: a customer may come back to it on the next day. */
export const addressLifetime = 2 * 86_400

/** What forms need of the till. */
export interface FormContext {
  readonly address: URL
  /** Those of the accounts as they are now. */
  readonly secrets: () => StateSecrets
  readonly clock: () => number
}

/** Makes what opens the gateway's forms, and checks the addresses of those that were opened. */
export function createForms({
  address,
  secrets,
  clock,
}: FormContext): Pick<PayContext, 'openForm' | 'checkedForm'> & Pick<RunContext, 'comesBackTo'> {
  const pages = { form: new URL(below(address, 'return')), secure: new URL(below(address, '3ds')) }
  const opener = (account: Account, operation: FormOrder['operation']) =>
    hostedFormOpener({
      client: account.client,
      operation: operation as 'saleForm',
      returnUrl: below(address, 'return'),
      stateSecrets: secrets(),
      stateLifetime: addressLifetime,
      profile: account.profile,
      clock,
      ...(account.redirectHosts === undefined ? {} : { redirectHosts: account.redirectHosts }),
    })
  return {
    async openForm(account, { operation, clientOrderId, fields }) {
      // What a form is asked for with is checked by the client.
      const order = { ...fields, clientOrderId } as unknown as Parameters<ReturnType<typeof opener>['open']>[0]
      const answer = await opener(account, operation).open(order)
      if (answer.error !== undefined) throw answer.error
      return answer.headers.Location ?? ''
    },
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

/** Where the gateway's pages are. */
export const pageOrigins = ({ all }: Accounts): readonly string[] =>
  all.flatMap(({ client: { baseUrl }, redirectHosts }) => {
    const { origin, protocol } = new URL(baseUrl)
    return redirectHosts?.map(host => `${protocol}//${host}`) ?? [origin]
  })
