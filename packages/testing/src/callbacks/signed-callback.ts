import { defaultProfile, type NotificationParameters, type WireProfile } from '@tillkit/protocol'
import { controlValue, encodeForm, type Parameter } from '@tillkit/signing'
import { type GatewaySettings, settingsOfLogin } from '../merchants/settings.js'
import { notificationFields, type Saying, statusWord } from '../rules/status.js'
import type { FakeClock } from '../time/clock.js'

/** Names and items of the two are separate entries of the profile. */
export type NotificationKind = 'callback' | 'browserReturn'

/** What a callback says. */
export interface SignedCallbackOptions {
  readonly controlKey: string
  /** Word of status, such as `approved`. Signed. */
  readonly status: string
  /** The gateway's order id. Signed. */
  readonly orderId: string
  /** The merchant's order id. Signed. */
  readonly clientOrderId: string
  /** Other parameters by wire name, such as `amount`; callbacks do not sign them. */
  readonly extra?: Readonly<Record<string, string>>
  /** Names and items. Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /** What the gateway sends, or what the customer's browser brings to `redirect_url`. Default: `callback`. */
  readonly kind?: NotificationKind
}

/** A callback. */
export interface SignedCallback {
  /** The address to request: `base` with the parameters added to its query. */
  url(base: string | URL): URL
  /** The body to post instead: the browser's, or the gateway's where the profile says POST. */
  readonly body: string
  /** In the order they are sent. */
  readonly parameters: readonly Parameter[]
}

/**
 * Makes a callback with a right control value.
 *
 * @example
 * ```ts
 * const callback = signedCallback({ controlKey, status: 'approved', orderId: '17', clientOrderId: 'o-1' })
 * await fetch(callback.url('http://127.0.0.1:3000/callback'))
 *
 * const returned = signedCallback({ kind: 'browserReturn', controlKey, status: 'approved', orderId: '17', clientOrderId: 'o-1' })
 * await fetch('http://127.0.0.1:3000/return', { method: 'POST', headers, body: returned.body }) // application/x-www-form-urlencoded
 * ```
 */
export function signedCallback(options: SignedCallbackOptions): SignedCallback {
  const { profile = defaultProfile, extra = {}, kind = 'callback', ...signed } = options
  const parameters = notificationParameters(kind, { ...signed, profile, extra: Object.entries(extra) })
  const body = encodeForm(parameters)
  return {
    parameters,
    body,
    url(base) {
      const address = new URL(base)
      address.search = address.search === '' ? body : `${address.search}&${body}`
      return address
    },
  }
}

interface NotificationInput extends Required<Omit<SignedCallbackOptions, 'kind' | 'extra'>> {
  readonly extra: readonly Parameter[]
}

function notificationParameters(kind: NotificationKind, input: NotificationInput): readonly Parameter[] {
  const { profile, status, orderId, clientOrderId, extra } = input
  const names: NotificationParameters = profile[`${kind}Parameters`].value
  const items: readonly string[] = profile[`${kind}Items`].value
  const values: Readonly<Record<string, string>> = { status, orderId, clientOrderId, merchantOrderId: clientOrderId }
  const signed = Object.fromEntries(items.map(item => [item, values[item] ?? '']))
  return [
    [names.status, status],
    [names.orderId, orderId],
    ...names.clientOrderId.map(name => [name, clientOrderId] as const),
    ...extra,
    [names.control, controlValue(items, signed, input.controlKey, { encoding: profile.controlEncoding.value })],
  ]
}

export function orderNotification(
  kind: NotificationKind,
  { order, stage }: Saying,
  { settings, clock }: { readonly settings: GatewaySettings; readonly clock: FakeClock },
): readonly Parameter[] {
  const { profile, controlKey } = settingsOfLogin(order.login, settings)
  const now = clock.now()
  const isReturn = kind === 'browserReturn'
  const names = (isReturn ? profile.unsignedReturnParameters : profile.unsignedParameters).value
  const fields = notificationFields({ order, stage }, { profile, now })
  const errorMessage = fields.errorMessage ?? (isReturn ? profile.noErrorMessage.value : undefined)
  return notificationParameters(kind, {
    status: statusWord(stage, { profile, now }),
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    controlKey,
    profile,
    extra: Object.entries({ ...fields, errorMessage }).flatMap(([field, value]) => {
      const name = names[field]
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  })
}
