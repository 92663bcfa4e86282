import { isLoopbackHost, type WireProfile } from '@tillkit/protocol'
import type { Dispatcher } from 'undici'
import type { EndpointIdOption, Merchant } from '../merchants/merchants.js'
import { flatMerchant } from '../merchants/settings.js'
import type { GatewayState } from '../state/gateway-state.js'
import type { SignedEvidence } from '../state/signed-evidence.js'

interface CommonClientOptions {
  readonly baseUrl: URL
  /** Present where the gateway is reached by plain http from other machines. */
  readonly allowPlainHttp?: true
  readonly login: string
  readonly controlKey: string
  /** PKCS#8 PEM. */
  readonly privateKey: string
  readonly profile: WireProfile
  /** Absent once the gateway listens. */
  readonly dispatcher?: Dispatcher
  /** The gateway's clock, in milliseconds since the epoch. */
  readonly clock: () => number
  /** Tells the gateway what was signed, so that it can name what was altered on the way. */
  readonly observer: { signed(evidence: SignedEvidence): void }
}

/** What a client needs to talk to a gateway; hand it to `createClient` of `@tillkit/client` as it is. */
export interface ClientOptions extends CommonClientOptions {
  readonly endpointId: string
}

/** The same for a client that sends to an endpoint group. */
export interface GroupClientOptions extends CommonClientOptions {
  readonly endpointGroupId: string
}

/** Which merchant, and which of its endpoints or groups. */
export interface MerchantChoice {
  readonly login: string
  /** Default: the merchant's first endpoint; its first group where it has no endpoint. */
  readonly endpointId?: EndpointIdOption
  readonly endpointGroupId?: EndpointIdOption
}

/** @throws {TypeError} when no merchant has that login or endpoint, or the private half of the key pair is not known. */
export function clientOptionsOf(
  state: GatewayState,
  choice: MerchantChoice,
  dispatcher: Dispatcher | undefined,
): ClientOptions | GroupClientOptions {
  const merchant = state.settings.merchants.find(({ login }) => login === choice.login)
  if (merchant === undefined) {
    const logins = state.settings.merchants.map(({ login }) => `"${login}"`)
    throw new TypeError(`"login" is "${choice.login}"; there are: ${logins.join(', ')}.`)
  }
  const { login, controlKey, privateKey } = merchant
  if (privateKey === undefined) {
    throw new TypeError('"privateKey" was not given with "publicKey": a client needs the private half to sign.')
  }
  const baseUrl = new URL(`${state.origin()}${state.settings.prefix}`)
  return {
    baseUrl,
    ...(baseUrl.protocol === 'http:' && !isLoopbackHost(baseUrl.hostname) ? { allowPlainHttp: true } : {}),
    ...endpointOf(merchant, choice),
    login,
    controlKey,
    privateKey,
    profile: state.settings.profile,
    ...(dispatcher === undefined ? {} : { dispatcher }),
    clock: state.clock.now,
    observer: { signed: evidence => state.signedEvidence.record(evidence) },
  }
}

function endpointOf(merchant: Merchant, { endpointId, endpointGroupId }: MerchantChoice) {
  const first = flatMerchant(merchant)
  const id = String(endpointGroupId ?? endpointId ?? first.endpointId ?? first.endpointGroupId ?? '')
  const group = endpointGroupId !== undefined || (endpointId === undefined && first.endpointId === undefined)
  const known = merchant.endpoints.filter(each => each.group === group).map(each => each.id)
  if (known.includes(id)) return group ? { endpointGroupId: id } : { endpointId: id }
  const option = group ? 'endpointGroupId' : 'endpointId'
  throw new TypeError(`"${option}" is "${id}"; "${merchant.login}" has: ${known.join(', ') || 'none'}.`)
}
