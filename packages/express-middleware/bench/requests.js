/** The requests that are measured, as text. */
import { createHash, createHmac } from 'node:crypto'

export const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
export const webhookSecret = 'a secret of thirty-two characters'

const unsigned = {
  type: 'sale',
  amount: '10.42',
  currency: 'EUR',
  descriptor: 'SHOP.EXAMPLE',
  'approval-code': '036218',
  'processor-rrn': '510458047886',
  bin: '444444',
  'last-four-digits': '4448',
  'card-type': 'VISA',
  'card-holder-name': 'JOAN BAKER',
  email: 'joan@customer.example',
}

/** A callback about order number `number`, signed. */
const callbackOf = number => {
  const signed = { status: 'approved', orderid: String(7_000_000 + number), merchant_order: `order-${number}` }
  const control = createHash('sha1')
    .update(`${Object.values(signed).join('')}${controlKey}`)
    .digest('hex')
  return { ...signed, client_orderid: signed.merchant_order, ...unsigned, control }
}

/** A GET of the callback about order number `number`. */
export const callbackRequest = number =>
  `GET /callback?${new URLSearchParams(callbackOf(number))} HTTP/1.1\r\nHost: shop.example\r\n\r\n`

/** The same as a webhook of octokit. */
export const webhookRequest = number => {
  const body = JSON.stringify(callbackOf(number))
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
  const headers = {
    Host: 'shop.example',
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'X-GitHub-Delivery': `delivery-${number}`,
    'X-GitHub-Event': 'push',
    'X-Hub-Signature-256': `sha256=${signature}`,
  }
  const lines = Object.entries(headers).map(header => header.join(': '))
  return `POST /callback HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
