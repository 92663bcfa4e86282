/**
 * Opening a hosted form: creating it, or finding the one that a first click has created.
 *
 * @module
 */
import type { AsyncCheckoutFormRedirect } from '@tillkit/protocol'
import type { Polling } from '../outcomes/poll-status.js'
import { formAgain } from './form-again.js'
import type { HostedFormOperation } from './hosted-form-operation.js'

/** What to ask the gateway for. */
export interface FormToOpen {
  readonly operation: HostedFormOperation
  readonly form: object
  readonly polling: Required<Polling>
}

/** A form that is open. */
export interface OpenForm {
  readonly reply: AsyncCheckoutFormRedirect
  /** It was created before; of `reply` only its address and the order id are known. */
  readonly again: boolean
}

/** Creates the form, or finds the first one. Asking again sends nothing: the port refuses it. */
export async function openForm(client: object, { operation, form, polling }: FormToOpen): Promise<OpenForm> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { reply: await createForm(client, { operation, form }), again: false }
    } catch (error) {
      const earlier = formAgain(error, { ...form, operation })
      if (earlier.form === 'open') {
        const { redirectUrl, orderId } = earlier
        const reply: AsyncCheckoutFormRedirect = { redirectUrl, ...(orderId === undefined ? {} : { orderId }), raw: {} }
        return { reply, again: true }
      }
      if (earlier.form === 'none' || attempt === polling.attempts) throw error
      await polling.wait(polling.interval)
    }
  }
}

/** Called on the client, so that one that is a class instance keeps its `this`. */
function createForm(
  client: object,
  { operation, form }: { readonly operation: HostedFormOperation; readonly form: object },
): Promise<AsyncCheckoutFormRedirect> {
  const create = (client as Readonly<Record<string, (form: object) => Promise<AsyncCheckoutFormRedirect>>>)[operation]
  if (create === undefined) throw new TypeError(`Option "client" has no method "${operation}".`)
  return create.call(client, form)
}
