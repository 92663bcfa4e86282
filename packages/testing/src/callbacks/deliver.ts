import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isLoopbackHost, type WireProfile } from '@tillkit/protocol'
import { encodeForm, type Parameter } from '@tillkit/signing'
import { type Agent, request } from 'undici'
import { webAddress } from '../http/addresses.js'
import { maskValue, redactText } from '../log/redact.js'
import type { GatewaySettings } from '../merchants/settings.js'

export interface Parcel {
  readonly orderId: string
  /** The status word that it carries. */
  readonly status: string
  /** The merchant's address, without the parameters. */
  readonly url: string
  readonly parameters: readonly Parameter[]
}

/** What became of an attempt. A callback that was refused is not sent and not repeated. */
export type DeliveryResult =
  | { readonly kind: 'answered'; readonly httpStatus: number }
  | { readonly kind: 'failed' | 'refused'; readonly error: string }

/** How long the merchant may take to answer, in milliseconds. */
export const patience = 5_000

/** What may be shown of a parcel: the control value is masked, and card numbers and keys that a merchant sent along. */
export function shownParcel(
  { url, parameters }: Pick<Parcel, 'url' | 'parameters'>,
  settings: GatewaySettings,
): { readonly url: string; readonly parameters: readonly Parameter[] } {
  const { profile, redaction } = settings
  const { control } = profile.callbackParameters.value
  const shown = parameters.map(
    (parameter): Parameter => [parameter[0], parameter[0] === control ? '***' : maskValue(parameter, redaction)],
  )
  const address = redactText(url, redaction)
  return { url: addressOf({ url: address, parameters: shown }, profile)?.href ?? address, parameters: shown }
}

/** The address to request. @returns undefined for one that is neither http nor https. */
function addressOf(
  { url, parameters }: Pick<Parcel, 'url' | 'parameters'>,
  { callbackMethod }: WireProfile,
): URL | undefined {
  const address = webAddress(url)
  if (address === undefined) return undefined
  const form = encodeForm(parameters)
  if (callbackMethod.value === 'GET') address.search = address.search === '' ? form : `${address.search}&${form}`
  return address
}

/** Makes one attempt to deliver a callback. It never rejects. */
export async function sendCallback(
  parcel: Parcel,
  { settings, agent }: { readonly settings: GatewaySettings; readonly agent: Agent },
): Promise<DeliveryResult> {
  const address = addressOf(parcel, settings.profile)
  if (address === undefined) return { kind: 'refused', error: 'This is no http or https address.' }
  if (settings.allowCallbacksTo === 'loopback' && !isLoopbackHost(address.hostname)) {
    const error = `${address.host} is not this machine, so it was not called. Set "allowCallbacksTo" to "anywhere" if you mean it.`
    return { kind: 'refused', error }
  }
  const post = settings.profile.callbackMethod.value === 'POST'
  try {
    const { statusCode, body } = await request(address, {
      dispatcher: agent,
      signal: AbortSignal.timeout(patience),
      ...(post
        ? {
            method: 'POST' as const,
            body: encodeForm(parcel.parameters),
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          }
        : { method: 'GET' as const }),
    })
    await body.dump()
    return { kind: 'answered', httpStatus: statusCode }
  } catch (error) {
    return { kind: 'failed', error: error instanceof Error ? error.message || error.name : String(error) }
  }
}

/**
 * What the merchant's developer has to hear of an attempt: that nothing at that address takes callbacks.
 *
 * @param url As it may be shown.
 */
export function warningOf(url: string, result: DeliveryResult): string | undefined {
  const to = `The callback to ${url.replace(/[?#].*/s, '')}`
  if (result.kind === 'failed')
    return `${to} was not answered (${result.error}): does your shop listen there? This is said once.`
  const isMissing = result.kind === 'answered' && result.httpStatus === 404
  return isMissing ? `${to} was answered with 404: does your shop take callbacks there? This is said once.` : undefined
}

/** Names below `localhost` are this machine, and no name server is asked, RFC 6761 section 6.3. */
export const localLookup: LookupFunction = (name, options, callback) =>
  lookup(isLoopbackHost(name) ? 'localhost' : name, options, callback)

/** Public documents say 30 times within 14 days at growing intervals. The intervals are the fake's own. */
export const mostRepetitions = 30

/** In milliseconds: a minute first, then a third longer each time, 13.3 days in all. Undefined after the last one. */
export const repetitionDelay = (repetition: number): number | undefined =>
  repetition > mostRepetitions ? undefined : Math.round(60_000 * 1.34 ** (repetition - 1))
