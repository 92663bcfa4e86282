import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createFakeGateway } from '@tillkit/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ClientObserver, createClient } from '../src/index.js'
import { importFresh } from './import-fresh.js'
import { saleRequest } from './sample-requests.js'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

/** As the context manager of the OpenTelemetry SDK for Node.js works. */
function contextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...parameters) => storage.run(active, () => run.call(self as never, ...parameters)),
    bind: (_active, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

let observer: ClientObserver

beforeAll(async () => {
  context.setGlobalContextManager(contextManager())
  trace.setGlobalTracerProvider(provider)
  // Test files share modules, and another one may have loaded the recipe with another provider.
  const recipe = new URL('recipes/opentelemetry.ts', import.meta.url)
  observer = (await importFresh<typeof import('./recipes/opentelemetry.js')>(recipe)).tracing
})

afterEach(() => exporter.reset())

afterAll(async () => {
  trace.disable()
  context.disable()
  await provider.shutdown()
})

describe('the recipe for OpenTelemetry', () => {
  it('makes a span of a request, below the span that was active', async () => {
    const gateway = createFakeGateway({ endpointId: 39 })
    const client = createClient({ ...gateway.clientOptions, observer })
    await trace.getTracer('shop').startActiveSpan('checkout', async parent => {
      await client.sale({ ...saleRequest, cvv2: '123' })
      parent.end()
    })
    await gateway.close()
    const [request, checkout] = exporter.getFinishedSpans()
    expect(request?.name).toBe('POST /paynet/api/v2/sale/{endpointId}')
    expect(request?.kind).toBe(SpanKind.CLIENT)
    expect(request?.parentSpanContext?.spanId).toBe(checkout?.spanContext().spanId)
    expect(request?.spanContext().traceId).toBe(checkout?.spanContext().traceId)
    expect(request?.status.code).toBe(SpanStatusCode.UNSET)
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'url.template': '/paynet/api/v2/sale/{endpointId}',
      'server.address': 'gateway.test',
      'server.port': 443,
      'tillkit.ending': 'accepted',
    })
  })

  it('records what a request failed with', async () => {
    const gateway = createFakeGateway({ endpointId: 39 })
    const client = createClient({ ...gateway.clientOptions, controlKey: 'another', observer })
    await expect(client.sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_AUTHENTICATION_REFUSED' })
    await gateway.close()
    const [request] = exporter.getFinishedSpans()
    expect(request?.status.code).toBe(SpanStatusCode.ERROR)
    expect(request?.attributes).toMatchObject({
      'http.response.status_code': 401,
      'error.type': 'ERR_AUTHENTICATION_REFUSED',
      'tillkit.ending': 'refused',
    })
    expect(request?.events).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'ERR_AUTHENTICATION_REFUSED' } },
    ])
  })
})
