import { randomUUID } from 'node:crypto'
import {
  controlItems,
  controlValue,
  createRequestSigner,
  encodeForm,
  importPrivateKey,
  type RequestSigner,
  rsaSha256Signer,
  toMinorUnits,
} from '../src/index.js'

/** Returns the gateway's order id. When this throws, the form may have arrived: ask status, and do not send it again. */
async function post(url: string, form: Record<string, string>, authorization?: string): Promise<string> {
  const headers = {
    Accept: 'application/vnd.pay+json', // without it the gateway answers 406
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(authorization && { Authorization: authorization }),
  }
  const response = await fetch(url, { method: 'POST', headers, body: encodeForm(form), redirect: 'error' })
  // An order id may be a number of 19 digits, which response.json() rounds: quote each number, and leave texts alone.
  const numbers = /("(?:[^"\\]|\\.)*")|-?\d[\d.eE+-]*/g
  const text = (await response.text()).replace(numbers, (number, string) => string ?? `"${number}"`)
  const reply: Record<string, string | undefined> = JSON.parse(text)
  const orderId = reply['paynet-order-id']
  if (reply.type === 'async-response' && orderId) return orderId // there is an order: status says how it ends
  throw new Error(`HTTP ${response.status}, ${reply.type}: ${reply['error-message']}`)
}

/** `baseUrl`: https://gate.example/paynet */
export function sale(baseUrl: string, endpointId: string, clientOrderId: string, controlKey: string): Promise<string> {
  const money = { amount: '10.42', currency: 'EUR' }
  const email = 'anna@example.com'
  const street = { address1: '12 St James Square', city: 'London', zip_code: 'SW1Y 4LB', country: 'GB' }
  const customer = { email, phone: '+44 20 7946 0000', ipaddress: '203.0.113.7', ...street }
  const expiry = { expire_month: '12', expire_year: '2031' }
  const card = { credit_card_number: '4444444444444448', card_printed_name: 'ANNA SMITH', cvv2: '123', ...expiry }
  const values = { endpointId, clientOrderId, amount: toMinorUnits(money.amount, money.currency), email }
  const control = controlValue(controlItems.sale, values, controlKey)
  const order = { client_orderid: clientOrderId, order_desc: 'Bread for a week', ...money }
  return post(`${baseUrl}/api/v2/sale/${endpointId}`, { ...order, ...customer, ...card, control })
}

/** Reads the key: call it once and keep the result. `pem` is the private half of generateKeyPair(). */
export const rsaRequestSigner = (login: string, pem: string): RequestSigner =>
  createRequestSigner({ consumerKey: login, signer: rsaSha256Signer(importPrivateKey(pem)) })

export async function payoutCheck(baseUrl: string, endpointId: string, clientOrderId: string, rsa: RequestSigner) {
  const url = new URL(`${baseUrl}/api/v4/payout-check/${endpointId}`)
  const money = { amount: '10.00', currency: 'EUR' }
  const parameters = { 'client-order-id': clientOrderId, ...money, account_number: 'GB33BUKB20201555555555' }
  const timestamp = Math.floor(Date.now() / 1000)
  const authorization = await rsa.header({ url, parameters, timestamp, nonce: randomUUID() })
  return post(url.href, parameters, authorization)
}
