import type { ClientWithStore } from '@tillkit/client'
import { isForm, type KnownOrder, type RememberedAttempt } from '@tillkit/protocol'
import type { Account } from '../accounts.js'
import { codeOf, isUnanswered } from '../errors.js'
import type { Beginning } from '../requests.js'
import type { FormOrder, NextStep, PayContext, Round } from './pay-context.js'

/** Sends the request of an order. */
export async function openOrder(
  clientOrderId: string,
  { beginning, account, learnt, context }: Round,
): Promise<NextStep | undefined> {
  const { operation, fields, reference } = beginning
  const { callbackUrl } = context
  const order = {
    operation,
    clientOrderId,
    fields: { ...fields, serverCallbackUrl: callbackUrl, notifyUrl: callbackUrl },
  }
  try {
    const address = await send(order, account, context)
    // Nobody is to be sent anywhere: it is decided again, by what the document says now.
    if (address === undefined) return undefined
    const read = await context.payments.read(reference)
    const opened = read.document?.orders.find(each => each.clientOrderId === clientOrderId)
    // The payment went on without it before its address was written down, or it is not written down yet: nobody may have that address.
    if (opened?.left !== undefined || !isKept(operation, opened)) return undefined
    return { kind: 'go', address, payment: context.payments.view(reference, read) }
  } catch (error) {
    // Somebody else was faster, or this id was used for another request: the document says which.
    if (codeOf(error) === 'ERR_ALREADY_SENT') learnt.differs.add(clientOrderId)
    else if (!isUnanswered(error)) throw error
    // Money may have moved: it is waited for, and nothing more is sent.
    else warnOfForeignAnswer(error, account, context)
    return undefined
  }
}

/** What is not the gateway never calls back, so nobody would hear of a wrong address. */
export function warnOfForeignAnswer(error: unknown, { client }: Account, { warn }: Pick<PayContext, 'warn'>): void {
  const { cause, attempt } = Object(error) as { readonly cause?: Error; readonly attempt?: RememberedAttempt }
  if (attempt?.end?.foreignStatus === undefined) return
  const explanation = `${cause?.message ?? ''} Is "baseUrl" (${client.baseUrl}) right? Run till.check().`
  warn('WARN_NOT_THE_GATEWAY', { explanation })
}

/** Whether an order has all that must be kept of it before a customer is sent on: of a form, its address. */
const isKept = (operation: Beginning['operation'], order: KnownOrder | undefined): boolean =>
  !isForm({ operation }) || order?.attempts.some(({ end }) => end?.redirectUrl !== undefined) === true

/** Sends the request of an order. @returns Where the customer is to go; undefined of a card that is charged while its holder is absent. */
async function send(order: FormOrder, account: Account, context: PayContext): Promise<string | undefined> {
  const { operation, clientOrderId, fields } = order
  if (operation === 'makeRebill') {
    // The fields are those of the operation: `pay` takes no others, and the client checks them.
    await (account.client.makeRebill as (request: object) => Promise<unknown>)({ ...fields, clientOrderId })
    return undefined
  }
  if (operation !== 'sale' && operation !== 'preauth') return context.openForm(account, order)
  const redirectUrl = await context.threeDSecureAddress(account, clientOrderId)
  const { [operation]: method }: Pick<ClientWithStore, 'sale' | 'preauth'> = account.client
  // The fields are those of the operation: `pay` takes no others, and the client checks them.
  await (method as (request: object) => Promise<unknown>)({ ...fields, clientOrderId, redirectUrl })
  return redirectUrl
}
