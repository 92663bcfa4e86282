/**
 * The customer: pays on the hosted page, and comes back to the merchant as their browser would.
 *
 * @module
 */

import { isLoopbackHost } from '@tillkit/protocol'
import { encodeForm, type Parameter } from '@tillkit/signing'
import { formsOf } from '@tillkit/testing/gateway'
import { type Dispatcher, request } from 'undici'
import type { PaymentToStart } from './merchant.js'

const headers = { 'content-type': 'application/x-www-form-urlencoded' }

/**
 * Pays on a hosted page of the gateway.
 *
 * @throws An error when the page is not the gateway's, or the merchant's return address breaks the connection.
 */
export async function payOnPage(
  page: URL,
  { dispatcher, card }: { readonly dispatcher: Dispatcher; readonly card: PaymentToStart['card'] },
): Promise<void> {
  const typed: readonly Parameter[] = [
    ['credit_card_number', card.creditCardNumber],
    ['card_printed_name', card.cardPrintedName],
    ['expire_month', card.expireMonth],
    ['expire_year', card.expireYear],
    ['cvv2', card.cvv2],
  ]
  const answer = await request(page, { method: 'POST', headers, body: encodeForm(typed), dispatcher })
  const paid = { url: page, status: answer.statusCode, html: await answer.body.text() }
  const back = formsOf(paid).find(({ inputs }) => inputs.length === 0)
  if (back === undefined || !isLoopbackHost(back.action.hostname)) return
  await comeBack(back.action, back.fields)
}

/** Posts to the merchant's return address what a browser would. Where it is sent on to is not followed. */
export async function comeBack(to: URL, fields: readonly Parameter[]): Promise<void> {
  const { body } = await request(to, { method: 'POST', headers, body: encodeForm(fields) })
  await body.dump()
}
