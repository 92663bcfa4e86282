/**
 * Deliveries of callbacks as the control API and the dashboard show them, redacted.
 *
 * @module
 */
import type { CallbackDelivery } from '../callbacks.js'
import type { GatewayState } from '../gateway-state.js'
import { redactParameters, redactText } from '../redact.js'
import { redactionOf } from '../redaction-of.js'

/** Shows a delivery. */
export function shownDelivery(
  delivery: CallbackDelivery,
  { settings }: Pick<GatewayState, 'settings'>,
): CallbackDelivery {
  const { callbackParameters } = settings.profile
  const redaction = { ...redactionOf(settings), controlField: callbackParameters.value.control }
  const { url, parameters, error } = delivery
  return {
    ...delivery,
    url: redactText(url, redaction),
    parameters: redactParameters(parameters, redaction),
    ...(error === undefined ? {} : { error: redactText(error, redaction) }),
  }
}
