/**
 * Requests to write down, and a judge of what is written.
 *
 * @module
 */
import { createRequire } from 'node:module'
import type { RequestToWrite } from '../src/explain/index.js'

/** Signs with a public library. */
export const oauthSign: {
  hmacsign(method: string, address: string, parameters: Record<string, string>, consumerSecret: string): string
  generateBase(method: string, address: string, parameters: Record<string, string>): string
} = createRequire(import.meta.url)('oauth-sign')

export const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
export const card = '4444555566661111'

/** The worked example of the vendor's documentation, `control-sale-doc` in `vectors/published.json`. */
export const sale: RequestToWrite = {
  url: new URL('https://gate.example/paynet/api/v2/sale/1111'),
  parameters: [
    ['client_orderid', '902B4FF5'],
    ['amount', '10.42'],
    ['email', 'john.smith@gmail.com'],
    ['order_desc', `it's "a" \\ $gift é`],
    ['credit_card_number', undefined],
  ],
  accept: 'application/vnd.pay+json',
  signing: {
    scheme: 'control',
    field: 'control',
    operation: 'sale',
    items: [
      { name: 'endpointId', value: '1111' },
      { name: 'clientOrderId', value: '902B4FF5' },
      { name: 'amount', value: '1042' },
      { name: 'email', value: 'john.smith@gmail.com' },
    ],
  },
}
export const payout: RequestToWrite = { ...sale, signing: { scheme: 'HMAC-SHA1', consumerKey: 'mer chant' } }
export const form = [...sale.parameters.slice(0, 4), ['credit_card_number', card]]

/** Judges a header by the public library oauth-sign. */
export function judge(authorization: string): { right: boolean; signed: Record<string, string> } {
  const { oauth_signature: signature, ...oauth } = Object.fromEntries(
    [...authorization.matchAll(/(oauth_\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeURIComponent(value),
    ]),
  )
  const all = { ...Object.fromEntries(form), ...oauth }
  return { right: oauthSign.hmacsign('POST', sale.url.href, all, controlKey) === signature, signed: oauth }
}
