import { resolveSigning } from '@tillkit/protocol'
import type { RequestToWrite } from '@tillkit/signing/explain'
import type { Call } from '@tillkit/testing'
import { findRoute, type GatewayState, gatewayMediaType, merchantGateway } from '@tillkit/testing/gateway'
import { isHidden } from '../../explain/explained.js'
import { callSignature } from './signatures.js'

/**
 * Writes the request of a call down, so that it is signed right. What the log hides is left for whoever sends it to fill in.
 *
 * @returns undefined where the path belongs to no operation, or an item that is covered cannot be read.
 */
export function rewrittenCall(call: Call, all: GatewayState): RequestToWrite | undefined {
  const route = findRoute(call.path, all.settings)
  const signature = callSignature(call, all)
  if (route.kind !== 'operation') return undefined
  const { settings } = merchantGateway(route, all)
  const signing = resolveSigning(route.row, settings.profile)
  const field = settings.profile.controlField.value
  const parameters = call.fields
    .filter(([name]) => name !== field)
    .map(([name, value]) => [name, isHidden(value) ? undefined : value] as const)
  const url = new URL(`${call.oauth?.origin ?? all.origin()}${call.path}`)
  const request = { url, parameters, accept: gatewayMediaType }
  if (signing.scheme === 'control') {
    if (signature?.text === undefined) return undefined
    return { ...request, signing: { scheme: 'control', field, operation: route.operation, items: signature.covered } }
  }
  const scheme = signing.scheme === 'oauth-hmac-sha1' ? 'HMAC-SHA1' : 'RSA-SHA256'
  return { ...request, signing: { scheme, consumerKey: settings.login } }
}
