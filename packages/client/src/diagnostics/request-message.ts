/**
 * What the diagnostics channels say of a request when it starts.
 *
 * @module
 */
import type { ResolvedSigning } from '@tillkit/protocol'
import type { Endpoint } from '../config/addresses.js'
import type { Settings } from '../config/settings.js'
import type { RequestSubject } from '../errors/invalid-request.js'
import { pathTemplate } from '../request/build-request.js'
import type { RequestMessage } from './channels.js'

/** What a message is made of. */
export interface RequestMessageInput {
  readonly subject: RequestSubject
  readonly endpoint: Endpoint
  readonly scheme: ResolvedSigning['scheme']
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly settings: Settings
}

/** Describes a request without ids, as a new object. */
export function requestMessage({
  subject,
  endpoint,
  scheme,
  startedAt,
  settings,
}: RequestMessageInput): RequestMessage {
  const { row, name } = subject
  const { protocol, hostname, port } = new URL(settings.baseUrl.origin)
  return {
    operation: name,
    effect: row.effect,
    scheme,
    path: pathTemplate({ row, endpoint, settings }),
    serverAddress: hostname,
    serverPort: port === '' ? (protocol === 'https:' ? 443 : 80) : Number.parseInt(port, 10),
    startedAt,
  }
}
