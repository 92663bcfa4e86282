import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { channels, onChannel, spanAttributes } from '../../src/index.js'

const tracer = trace.getTracer('tillkit')
const spans = new WeakMap<object, Span>()

/** Each ends one subscription when it is called. */
export const stops = [
  onChannel(channels.requestStart, message => {
    const attributes = spanAttributes(message)
    spans.set(message, tracer.startSpan(`POST ${message.path}`, { kind: SpanKind.CLIENT, attributes }))
  }),
  onChannel(channels.requestError, message => {
    spans.get(message)?.setStatus({ code: SpanStatusCode.ERROR }).recordException(message.error)
  }),
  onChannel(channels.requestEnd, message => spans.get(message)?.setAttributes(spanAttributes(message)).end()),
]
