/**
 * What is never shown of a gateway.
 *
 * @module
 */
import type { GatewaySettings } from './options.js'
import type { Redaction } from './redact.js'

/** The keys and names that redaction looks for. */
export const redactionOf = ({ merchants, profile }: GatewaySettings): Redaction => ({
  controlKeys: merchants.map(({ controlKey }) => controlKey),
  controlField: profile.controlField.value,
})
