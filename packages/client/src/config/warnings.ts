/**
 * Warnings: what will probably not work as it is set up, and is no mistake for certain.
 *
 * @module
 */
import { type AskedSettlement, isLoopbackHost, type WireProfile } from '@tillkit/protocol'
import { isGatewayError } from '../errors/errors.js'
import type { Settings } from './settings.js'

/** Something to look at. It holds no secret. */
export interface ClientWarning {
  /**
   * `WARN_CALLBACK_PORT`: the gateway does not call back on the port of `serverCallbackUrl`. `WARN_STATUS_REFUSED`: a wait
   * for an outcome asked status, and the gateway did not accept the signature, key or login.
   */
  readonly code: 'WARN_CALLBACK_PORT' | 'WARN_STATUS_REFUSED'
  /** What will not work, and what to do. */
  readonly message: string
}

/** What is odd about the settings of a client. */
export function warningsOf({ serverCallbackUrl, baseUrl, profile }: Settings): readonly ClientWarning[] {
  // A gateway without TLS is one for tests, which calls on any port.
  if (serverCallbackUrl === undefined || baseUrl.isPlainHttp) return []
  const warning = callbackWarning(new URL(serverCallbackUrl), profile)
  return warning === undefined ? [] : [warning]
}

/** What to say while a wait goes on although its question was refused: with a wrong key it would ask for an hour unheard. */
export function refusalWarning(settlement: AskedSettlement): ClientWarning | undefined {
  if (settlement.kind !== 'no-answer') return undefined
  const { cause } = settlement
  if (!isGatewayError(cause) || cause.code !== 'ERR_AUTHENTICATION_REFUSED') return undefined
  return {
    code: 'WARN_STATUS_REFUSED',
    message: `${cause.message} The wait for the outcome goes on and asks again, for this says nothing about the order.`,
  }
}

/** A callback to this machine comes from a test, which calls on any port. */
function callbackWarning({ protocol, port, hostname }: URL, profile: WireProfile): ClientWarning | undefined {
  const { value: ports, source } = profile.callbackPorts
  const actual = port === '' ? (protocol === 'https:' ? 443 : 80) : Number.parseInt(port, 10)
  if (ports.includes(actual) || isLoopbackHost(hostname)) return undefined
  return {
    code: 'WARN_CALLBACK_PORT',
    message:
      `"serverCallbackUrl" has port ${actual}, and the gateway calls back on ${ports.join(', ')} only (${source}): no ` +
      'callback will arrive. Use one of these, or say with defineProfile({ callbackPorts }) what yours does.',
  }
}
