/**
 * The life of one request: check, build, authenticate, reserve, send, conclude.
 *
 * @module
 */
import { type AnyOperation, operations, type Reply } from '@tillkit/protocol'
import { encodeForm, type Parameter } from '@tillkit/signing'
import packageJson from '../package.json' with { type: 'json' }
import { attemptOf, noteEnd, reserve } from './attempt-steps.js'
import { authenticate } from './authenticate.js'
import { buildRequest } from './build-request.js'
import { checkRequest } from './check-request.js'
import { type Conclusion, conclude } from './conclude.js'
import { startDeadline } from './deadline.js'
import { type Endpoint, readEndpoint } from './endpoint.js'
import type { AnyGatewayError } from './errors.js'
import type { ClientObserver, Exchange } from './observer.js'
import type { CallOptions } from './options.js'
import { mediaType } from './parse-reply.js'
import type { Connections } from './pool.js'
import { redactField } from './redact.js'
import { type RequestSubject, requestMistake } from './request-mistake.js'
import { send } from './send.js'
import { readCount, type Settings } from './settings.js'

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
export async function call({ row, request, options, settings, connections }: CallInput): Promise<Reply> {
  const name = operationName(row)
  const checked = checkRequest({ name, row, request, profile: settings.profile })
  const { values } = checked
  const subject = { name, row, clientOrderId: values.get('clientOrderId'), orderId: values.get('orderId') }
  const timeout = options.timeout === undefined ? settings.timeout : readCount('timeout', options.timeout)
  const endpoint = endpointOf(subject, options, settings)
  const built = buildRequest({ row, checked, endpoint, settings })
  const authenticated = await authenticate({ subject, built, values, endpoint, settings })
  const { form, authorization, scrubber, signed } = authenticated
  const wireRequest = {
    origin: settings.baseUrl.origin,
    path: built.path,
    headers: {
      accept: mediaType,
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': `tillkit/${packageJson.version}`,
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: encodeForm(form.map((field): Parameter => [field.name, field.value])),
  }

  const attempt = attemptOf({ subject, built, settings, attemptId: options.attemptId })
  await reserve(attempt, { subject, settings, scrubber })
  notify(() => settings.observer.signed?.(signed))
  const startedAt = settings.clock()
  const deadline = startDeadline(timeout, options.signal)
  const transmission = await send({
    request: wireRequest,
    connections,
    maxReplyBytes: settings.maxReplyBytes,
    signal: deadline.signal,
  }).finally(deadline.clear)
  const conclusion = conclude({ ...subject, transmission, scrubber, settings })
  await noteEnd(attempt, { conclusion, settings })

  notify(() =>
    settings.observer.exchange?.({
      operation: name,
      path: built.path,
      scheme: signed.scheme,
      startedAt,
      finishedAt: settings.clock(),
      fields: form.map((field): Parameter => [field.name, redactField(field, scrubber)]),
      signed,
      ...shownConclusion(subject, conclusion),
    }),
  )
  if ('error' in conclusion) throw conclusion.error
  return conclusion.reply
}

/** Name in this library of an operation of the table, the row's own name otherwise. */
function operationName(row: AnyOperation): string {
  return Object.entries(operations).find(([, each]) => (each as AnyOperation) === row)?.[0] ?? row.name
}

function endpointOf(subject: RequestSubject, options: CallOptions, settings: Settings): Endpoint {
  if (options.endpointId === undefined && options.endpointGroupId === undefined) return settings.endpoint
  const endpoint = readEndpoint(options)
  if (!('message' in endpoint)) return endpoint
  throw requestMistake(subject, { field: endpoint.option, problem: endpoint.message })
}

function shownConclusion(
  subject: RequestSubject,
  conclusion: Conclusion,
): Pick<Exchange, 'ending'> & Partial<Exchange> {
  const { ending, httpStatus, received, orderId = subject.orderId } = conclusion
  const { clientOrderId } = subject
  return {
    ending,
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(received === undefined ? {} : { reply: received }),
    ...('error' in conclusion ? { error: shownError(conclusion.error) } : {}),
  }
}

const shownError = ({ code, message }: AnyGatewayError): NonNullable<Exchange['error']> => ({ code, message })

/** An observer looks on: what it throws changes nothing. */
function notify(tell: () => ReturnType<NonNullable<ClientObserver['exchange']>>): void {
  try {
    tell()
  } catch {
    // Dropped, as documented.
  }
}
