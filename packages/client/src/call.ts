/**
 * The life of one request: check, build, authenticate, reserve, send, conclude.
 *
 * @module
 */
import { type AnyOperation, operations, type Reply } from '@tillkit/protocol'
import { announceRequest } from './announce.js'
import { attemptOf, noteEnd, reserve } from './attempt-steps.js'
import { authenticate } from './authenticate.js'
import { buildRequest } from './build-request.js'
import { readCallOptions } from './call-options.js'
import { checkRequest } from './check-request.js'
import { type ConcludeInput, type Conclusion, clientClosed, conclude } from './conclude.js'
import { startDeadline } from './deadline.js'
import { exchangeOf } from './exchange.js'
import { notify } from './observer.js'
import type { CallOptions } from './options.js'
import type { Connections } from './pool.js'
import { requestMessage } from './request-message.js'
import { send } from './send.js'
import type { Settings } from './settings.js'
import { wireRequest } from './wire-request.js'

/** One call. */
export interface CallInput {
  readonly row: AnyOperation
  readonly request: unknown
  readonly options: CallOptions
  readonly settings: Settings
  readonly connections: Connections
}

/**
 * Runs one call from its input to its reply.
 *
 * @throws An {@link AnyGatewayError} for every ending but an answer with the record that was asked for.
 */
export async function call({ row, request, options, settings: ours, connections }: CallInput): Promise<Reply> {
  const name = operationName(row)
  const checked = checkRequest({ name, row, request, profile: ours.profile })
  const { values } = checked
  const subject = { name, row, clientOrderId: values.get('clientOrderId'), orderId: values.get('orderId') }
  const { settings, endpoint, timeout, signal, attemptId } = readCallOptions(options, { subject, settings: ours })
  const built = buildRequest({ row, checked, endpoint, settings })
  const authenticated = await authenticate({ subject, built, values, endpoint, settings })
  const { scrubber, signed } = authenticated
  const wire = wireRequest({ subject, url: built.url, authenticated })
  const attempt = attemptOf({ subject, built, settings, attemptId })

  if (connections.isClosed()) throw clientClosed(subject)
  const startedAt = settings.clock()

  // From here on the outcome is somebody's business: nothing below may throw without having been noted.
  const run = async (): Promise<Conclusion> => {
    await reserve(attempt, { subject, settings, scrubber })
    notify(() => settings.observer.signed?.(signed))
    const deadline = startDeadline(timeout, signal)
    const { maxReplyBytes } = settings
    const sending = send({ request: wire, connections, maxReplyBytes, signal: deadline.signal })
    const transmission = await sending.finally(deadline.clear)
    const conclusion = concludeInAnyCase({ ...subject, transmission, scrubber, settings })
    await noteEnd(attempt, { conclusion, settings })
    return conclusion
  }
  const describe = () => requestMessage({ subject, endpoint, scheme: signed.scheme, startedAt, settings })
  const conclusion = await announceRequest({ describe, clock: settings.clock, run })
  notify(() =>
    settings.observer.exchange?.(exchangeOf({ subject, built, authenticated, conclusion, settings, startedAt })),
  )
  if ('error' in conclusion) throw conclusion.error
  return conclusion.reply
}

/** Should reading an answer fail in a way nobody foresaw, it counts as an answer that broke off, and not as a refusal. */
function concludeInAnyCase(input: ConcludeInput): Conclusion {
  try {
    return conclude(input)
  } catch (cause) {
    return conclude({ ...input, transmission: { kind: 'failed', phase: 'receiving', cause } })
  }
}

/** Name in this library of an operation of the table, the row's own name otherwise. */
function operationName(row: AnyOperation): string {
  return Object.entries(operations).find(([, each]) => (each as AnyOperation) === row)?.[0] ?? row.name
}
