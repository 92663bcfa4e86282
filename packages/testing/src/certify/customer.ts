/**
 * The customer: pays on the hosted page, and comes back to the merchant as their browser would.
 *
 * @module
 */
import { encodeForm, type Parameter } from '@tillkit/signing'
import { type Dispatcher, request } from 'undici'
import { isLoopback } from '../loopback.js'
import { webAddress } from '../web-address.js'
import type { PaymentToStart } from './merchant-under-test.js'

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
  const html = await answer.body.text()
  const to = webAddress(unescaped(/<form method="post" action="([^"]*)"/.exec(html)?.[1]))
  if (to === undefined || !isLoopback(to)) return
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name, value]): Parameter => [unescaped(name) ?? '', unescaped(value) ?? ''],
  )
  await comeBack(to, fields)
}

/** Posts to the merchant's return address what a browser would. Where it is sent on to is not followed. */
export async function comeBack(to: URL, fields: readonly Parameter[]): Promise<void> {
  const { body } = await request(to, { method: 'POST', headers, body: encodeForm(fields) })
  await body.dump()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescaped = (text: string | undefined): string | undefined =>
  text?.replaceAll(/&(amp|lt|gt|quot|#39);/g, (all, name: string) => entities[name] ?? all)
