import type { GatewaySettings } from '../merchants/options.js'
import type { Redaction } from './redact.js'

/** The keys and names that redaction looks for. */
export function redactionOf(settings: Pick<GatewaySettings, 'merchants' | 'profile'>): Redaction {
  const before = kept.get(settings)
  if (before !== undefined) return before
  const { merchants, profile } = settings
  const redaction = {
    controlKeys: merchants.map(({ controlKey }) => controlKey),
    controlField: profile.controlField.value,
  }
  kept.set(settings, redaction)
  return redaction
}

/** Kept for as long as the settings are: every request asks. */
const kept = new WeakMap<object, Redaction>()
