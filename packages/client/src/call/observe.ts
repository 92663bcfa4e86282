import { notify, redactField } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import type { EndedRequest, Exchange, StartedRequest } from '../diagnostics/observer.js'
import { clockDifference } from '../reply/judge-answer.js'
import type { CallResult } from '../reply/types.js'
import { pathTemplate } from '../request/form.js'
import type { AuthenticatedRequest, CallContext } from '../request/types.js'

/** Tells the observer that a request starts. @returns What tells it of the rest. */
export function observe(context: CallContext, authenticated: AuthenticatedRequest, startedAt: number) {
  const { plan, options, settings } = context
  const { observer, clock } = settings
  const { protocol, hostname, port } = new URL(settings.baseUrl.origin)
  const started: StartedRequest = {
    operation: plan.name,
    effect: plan.row.effect,
    scheme: authenticated.scheme,
    path: pathTemplate({ plan, endpoint: options.endpoint, settings }),
    serverAddress: hostname,
    serverPort: port === '' ? (protocol === 'https:' ? 443 : 80) : Number.parseInt(port, 10),
    startedAt,
  }
  notify(() => observer.requestStart?.(started))
  // A clock that fails here must not hide the outcome.
  const end = (seen: Pick<EndedRequest, 'ending' | 'httpStatus' | 'error'>): void =>
    notify(() => observer.requestEnd?.(Object.assign(started, seen, { duration: clock() - startedAt })))
  return {
    signed: () => notify(() => observer.signed?.(authenticated.signed())),
    ended(result: CallResult) {
      const { httpStatus } = result.answered
      end({
        ending: result.kind,
        ...(httpStatus === undefined ? {} : { httpStatus }),
        ...('error' in result ? { error: result.error } : {}),
      })
      notify(() => observer.exchange?.(exchangeOf(context, authenticated, startedAt, result)))
    },
  }
}

/** Describes a finished exchange, redacted. */
function exchangeOf(
  { subject, built, settings }: CallContext,
  { form, scrubber, scheme, signed }: AuthenticatedRequest,
  startedAt: number,
  result: CallResult,
): Exchange {
  const { httpStatus, record, receivedText, date } = result.answered
  const orderId = record?.orderId() ?? subject.orderId
  const finishedAt = settings.clock()
  const difference = clockDifference(date, finishedAt)
  return {
    operation: subject.name,
    login: settings.login,
    path: built.path,
    scheme,
    ...(subject.clientOrderId === undefined ? {} : { clientOrderId: subject.clientOrderId }),
    ...(orderId === undefined ? {} : { orderId }),
    startedAt,
    finishedAt,
    fields: form.map((field): Parameter => [field.name, redactField(field, scrubber)]),
    signed: signed(),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(difference === undefined ? {} : { clockDifference: difference }),
    ...(record === undefined ? {} : { reply: record.received() }),
    ...(receivedText === undefined ? {} : { receivedText }),
    ending: result.kind,
    ...('error' in result ? { error: { code: result.error.code, message: result.error.message } } : {}),
  }
}
