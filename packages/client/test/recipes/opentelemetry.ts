import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { type ClientObserver, spanAttributes } from '../../src/index.js'

const tracer = trace.getTracer('tillkit')
const spans = new WeakMap<object, Span>()

/** Makes a span of each request. Hand it to `createClient` as `observer`. */
export const tracing: ClientObserver = {
  requestStart(request) {
    const attributes = spanAttributes(request)
    spans.set(request, tracer.startSpan(`POST ${request.path}`, { kind: SpanKind.CLIENT, attributes }))
  },
  requestEnd(request) {
    const span = spans.get(request)?.setAttributes(spanAttributes(request))
    if (request.error !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR }).recordException(request.error)
    span?.end()
  },
}
