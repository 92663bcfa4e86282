/** Counts for OpenTelemetry, with the real SDK. */
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { readyAccount } from './ready-account.js'
import { basket, openShop, type ShopOptions } from './shop.js'

const minute = 60_000

/** A meter of the SDK, and what it has collected. */
function openMeter() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const provider = new MeterProvider({ readers: [reader] })
  onTestFinished(() => provider.shutdown())
  return {
    provider,
    meter: provider.getMeter('shop'),
    async collect() {
      exporter.reset()
      await provider.forceFlush()
      const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(each => each.metrics))
      return {
        metrics,
        values: Object.fromEntries(
          metrics.flatMap(({ descriptor: { name }, dataPoints }) =>
            dataPoints.map(({ value, attributes }) => [[name, ...Object.values(attributes)].join(' '), value]),
          ),
        ),
      }
    },
  }
}

async function measuredShop(options: ShopOptions<never> = {}) {
  const gateway = createFakeGateway()
  const store: DocumentStore = memoryStore({ clock: gateway.clientOptions.clock })
  const measured = openMeter()
  let [lists, isDown] = [0, false]
  const counting: DocumentStore = {
    ...store,
    list(given) {
      lists += 1
      return isDown ? Promise.reject(new Error('the database is down')) : store.list(given)
    },
  }
  vi.spyOn(process, 'emitWarning')
    .mockImplementation(() => {})
    .mockClear()
  const shop = await openShop({ gateway, ...options, store: counting as Store<never>, meter: measured.meter })
  return { ...measured, shop, lists: () => lists, setDown: (down: boolean) => (isDown = down) }
}

describe('metrics', () => {
  it('count what the report counts, with its ages, and what was told and sent', async () => {
    let isBroken = true
    const { shop, collect } = await measuredShop({
      onOutcome: ({ payment }) => {
        if (isBroken && payment.reference === 'basket-8') throw new Error('no')
      },
    })
    for (const reference of ['basket-7', 'basket-8']) {
      await shop.customerPays((await shop.till.pay({ ...basket, reference })).address)
      await shop.gateway.callbacks.idle()
    }
    await shop.till.pay({ ...basket, reference: 'basket-9' })
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
    shop.gateway.faults.arm({ fault: 'callback-never', operation: 'return' })
    await shop.till.return('basket-7')
    await shop.gateway.clock.advance(minute)
    const { values } = await collect()
    expect(values).toMatchObject({
      'tillkit.payments.surplus': 0,
      'tillkit.payments.needs_person': 0,
      'tillkit.payments.failing': 1,
      'tillkit.payments.unknown': 1,
      'tillkit.payments.forms': 1,
      'tillkit.payments.unmatched': 0,
      'tillkit.outcomes.told paid': 1,
      'tillkit.requests saleForm accepted': 3,
      'tillkit.requests return unknown': 1,
    })
    expect(values['tillkit.payments.unknown.age']).toBeGreaterThanOrEqual(60)
    expect(values['tillkit.handler.failures paid']).toBeGreaterThanOrEqual(1)
    isBroken = false
  })

  it('count what your handler was not told yet, and for how long', async () => {
    let isTold = () => {}
    const told = new Promise<void>(resolve => (isTold = resolve))
    const { shop, collect } = await measuredShop({ onOutcome: () => told })
    const { address } = await shop.till.pay(basket)
    const paying = shop.customerPays(address)
    await vi.waitFor(async () => expect((await shop.till.report()).untold.total).toBe(1))
    await shop.gateway.clock.advance(minute)
    const { values } = await collect()
    expect(values['tillkit.payments.untold']).toBe(1)
    expect(values['tillkit.payments.untold.age']).toBeGreaterThanOrEqual(60)
    isTold()
    await paying
  })

  it('have units and descriptions, and attributes of few words only', async () => {
    const { shop, collect } = await measuredShop()
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    const { metrics } = await collect()
    for (const { descriptor, dataPoints } of metrics) {
      expect(descriptor.name).toMatch(/^tillkit(\.[a-z_]+)+$/)
      expect(descriptor.unit).toMatch(/^(\{[a-z]+\}|s)$/)
      expect(descriptor.description).not.toBe('')
      for (const { attributes } of dataPoints) {
        for (const [name, value] of Object.entries(attributes)) {
          expect(['tillkit.outcome', 'tillkit.operation', 'tillkit.ending']).toContain(name)
          expect(value).toMatch(/^[a-zA-Z-]{1,40}$/)
        }
      }
    }
    // Times, which may have any digits, stand beside them.
    const words = metrics.map(({ descriptor, dataPoints }) => [descriptor, dataPoints.map(each => each.attributes)])
    expect(JSON.stringify(words)).not.toMatch(/basket-7|joan|4444|10\.00/)
  })

  it('read the store at most every thirty seconds, however often they are collected', async () => {
    const { shop, collect, lists } = await measuredShop()
    await Promise.all([collect(), collect()])
    const once = lists()
    expect(once).toBeGreaterThan(0)
    for (let time = 0; time < 5; time += 1) await collect()
    expect(lists()).toBe(once)
    await shop.gateway.clock.advance(minute)
    await collect()
    expect(lists()).toBe(2 * once)
  })

  it('say nothing while the store fails, and once why', async () => {
    const { collect, setDown } = await measuredShop()
    setDown(true)
    for (let time = 0; time < 3; time += 1) expect((await collect()).values).toEqual({})
    const texts = vi.mocked(process.emitWarning).mock.calls.map(([text]) => String(text))
    expect(texts.filter(text => text.includes('could not be read'))).toHaveLength(1)
    setDown(false)
  })

  it('hold up nobody who shuts down, although the store never answers', async () => {
    const { provider, meter } = openMeter()
    const gateway = createFakeGateway()
    const never = new Promise<never>(() => {})
    const store = { ...memoryStore(), list: () => never, read: () => never }
    const till = createTill({
      account: readyAccount(gateway),
      store: store as unknown as Store<never>,
      address: 'https://shop.example/payments',
      returnTo: () => '/',
      onOutcome: () => {},
      meter,
      wait: () => Promise.resolve(),
    })
    await provider.forceFlush()
    const flushing = provider.forceFlush()
    await till.close()
    await flushing
    await provider.shutdown()
  })

  it('are refused where "meter" is none', () => {
    const make = () =>
      createTill({
        account: createFakeGateway().clientOptions,
        store: memoryStore(),
        address: 'https://shop.example/payments',
        returnTo: () => '/',
        onOutcome: () => {},
        meter: {} as never,
      })
    expect(make).toThrow('"meter" must be a Meter of OpenTelemetry')
  })
})
