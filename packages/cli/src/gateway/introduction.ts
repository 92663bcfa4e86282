import { controlItems, controlValue, encodeForm, fromMinorUnits, type Parameter, toMinorUnits } from '@tillkit/signing'
import { testCard } from '@tillkit/testing'
import { gatewayMediaType } from '@tillkit/testing/gateway'
import { controlPath } from './control/routes.js'
import { dashboardPath } from './dashboard/look/layout.js'

export interface IntroducedMerchant {
  readonly login: string
  readonly endpoints: readonly { readonly id: string; readonly currency?: string | undefined }[]
  readonly groups: readonly string[]
  /** Absent where the config file has it. */
  readonly controlKey?: string
  /** PKCS#8 PEM. Absent where the config file names the public half. */
  readonly privateKey?: string
  /** Whether its secrets are the published ones. */
  readonly published?: true
}

/** What the command tells once the gateway listens. */
export interface Introduction {
  readonly version: string
  /** Scheme, host and port of the dashboard and the control API. */
  readonly origin: string
  readonly baseUrl: string
  readonly dashboard: boolean
  readonly form: boolean
  readonly exposed: boolean
  readonly merchants: readonly IntroducedMerchant[]
  /** Control key of the first merchant, for the line with curl; it is not shown. */
  readonly firstControlKey: string
}

/** The introduction for a program: one line of JSON. */
export function introduceAsJson({ version, origin, baseUrl, dashboard, merchants }: Introduction): string {
  const addresses = dashboard ? { dashboard: `${origin}${dashboardPath}`, control: `${origin}${controlPath}` } : {}
  return `${JSON.stringify({ version, baseUrl, ...addresses, merchants })}\n`
}

/**
 * The introduction for a person: where it is, how to stop it, whom it serves.
 *
 * @param show `keys`: whether it shows the keys; `needed`: those that a shop has to be told, without a private key that is published,
 * which few shops need. `sale`: whether it shows a sale to try.
 */
export function introduce(
  introduction: Introduction,
  { keys, sale }: { readonly keys: boolean | 'needed'; readonly sale: boolean },
): string {
  const { version, origin, baseUrl, dashboard, form, exposed, merchants } = introduction
  const replies = form ? 'JSON, or form-encoded to clients that do not ask for JSON' : 'JSON'
  const lines = [
    `tillkit gateway ${version}: a payment gateway for tests. No money moves.`,
    '',
    `  Gateway      ${baseUrl}`,
    `  Answers      ${replies}`,
    ...(dashboard
      ? [
          `  Dashboard    ${origin}${dashboardPath}`,
          `  Control API  ${origin}${controlPath}`,
          `  Its OpenAPI  ${origin}${controlPath}/openapi.json`,
        ]
      : []),
    ...(exposed ? ['  Other machines can reach all of it, and nothing asks them for a password.'] : []),
    '',
    'Stop it with Ctrl+C.',
    '',
    ...merchants.flatMap(merchant => describeMerchant(merchant, keys)),
    ...(sale ? tryIt(introduction) : []),
  ]
  return `${lines.join('\n')}\n`
}

function describeMerchant(
  { login, endpoints, groups, controlKey, privateKey, published }: IntroducedMerchant,
  keys: boolean | 'needed',
): readonly string[] {
  const places = [
    ...endpoints.map(({ id, currency }) => `endpoint ${id}${currency === undefined ? '' : ` (${currency})`}`),
    ...groups.map(id => `group ${id}`),
  ]
  const origin = published === true ? 'published for tests' : 'made for this run'
  const named = `Merchant ${login}: ${places.join(', ')}`
  const isIn = controlKey === undefined && privateKey === undefined
  if (!keys) return [`${named}; ${isIn ? 'its keys are in the config file' : `keys ${origin}: --keys shows them`}`]
  return [
    named,
    ...(controlKey === undefined ? [] : [`  Control key  ${controlKey}   (${origin})`]),
    ...(privateKey === undefined
      ? []
      : keys === 'needed' && published === true
        ? [`  Private key  "tillkit gateway --keys" shows it   (${origin})`]
        : [`  Private key  (${origin})`, privateKey.trimEnd()]),
  ]
}

/** A sale that can be pasted into a terminal; in double quotes, as the terminals of Windows want them. */
function tryIt({ baseUrl, merchants: [merchant], firstControlKey, form }: Introduction): readonly string[] {
  const endpoint = merchant?.endpoints[0]
  if (endpoint === undefined) return []
  const { id: endpointId, currency = 'EUR' } = endpoint
  const amount = fromMinorUnits(1000n, currency)
  const order = { clientOrderId: 'first-sale', email: 'ada@shop.test' }
  const items = { ...order, endpointId, amount: toMinorUnits(amount, currency) }
  const fields: readonly Parameter[] = [
    ['client_orderid', order.clientOrderId],
    ['amount', amount],
    ['currency', currency],
    ['email', order.email],
    // Acquirers usually require these, so the gateway warns where they are missing.
    ['order_desc', 'cups'],
    ['ipaddress', '203.0.113.7'],
    ['phone', '442079460000'],
    ['address1', 'Square 12'],
    ['city', 'London'],
    ['zip_code', 'SW1Y'],
    ['country', 'GB'],
    ['credit_card_number', testCard],
    ['card_printed_name', 'ADA'],
    ['expire_month', '12'],
    ['expire_year', '2099'],
    ['cvv2', '123'],
    ['control', controlValue(controlItems.sale, items, firstControlKey)],
  ]
  const accept = form ? '' : `-H "Accept: ${gatewayMediaType}" `
  return ['', 'Try it, a sale:', `  curl ${accept}-d "${encodeForm(fields)}" ${baseUrl}/api/v2/sale/${endpointId}`]
}
