/**
 * A customer at the gateway's hosted page, over plain HTTP.
 *
 * @module
 */

/** What the gateway's return page would post, and where. */
export interface ReturnForm {
  readonly action: string
  readonly fields: URLSearchParams
}

/** Opens the hosted page, fills in a card and reads the form that takes the customer back. The CVV2 decides. */
export async function payOnHostedPage(address: string, cvv2: string): Promise<ReturnForm> {
  const page = await fetch(address)
  if (page.status !== 200) throw new Error(`The hosted page answered ${page.status}.`)
  const body = new URLSearchParams({
    credit_card_number: '4444444444444448',
    card_printed_name: 'JOAN BAKER',
    expire_month: '12',
    expire_year: '2099',
    cvv2,
  })
  const html = await (await fetch(address, { method: 'POST', body })).text()
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1]
  if (action === undefined) throw new Error(`The gateway did not take the card: ${html}`)
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return {
    action,
    fields: new URLSearchParams(inputs.map(([, name = '', value = '']): [string, string] => [name, value])),
  }
}
