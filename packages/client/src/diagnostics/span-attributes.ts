/**
 * A request as OpenTelemetry names things.
 *
 * @module
 */
import type { RequestEndMessage, RequestMessage } from './channels.js'

/**
 * Attributes of a span or a metric, by the OpenTelemetry conventions for HTTP clients, and ours under `tillkit.`. They hold
 * no ids. Needs no OpenTelemetry package.
 *
 * @param message A message of the request channels; one of `requestEnd` says more than one of `requestStart`.
 * @see OpenTelemetry semantic conventions for HTTP, section "HTTP client span"
 */
export function spanAttributes(message: RequestMessage | RequestEndMessage): Readonly<Record<string, string | number>> {
  const { operation, effect, scheme, path, serverAddress, serverPort } = message
  const { ending, httpStatus, error }: Partial<RequestEndMessage> = message
  return {
    'http.request.method': 'POST',
    'url.template': path,
    'server.address': serverAddress,
    'server.port': serverPort,
    'tillkit.operation': operation,
    'tillkit.effect': effect,
    'tillkit.scheme': scheme,
    ...(ending === undefined ? {} : { 'tillkit.ending': ending }),
    ...(httpStatus === undefined ? {} : { 'http.response.status_code': httpStatus }),
    ...(error === undefined ? {} : { 'error.type': error.code }),
  }
}
