import { notify } from '@tillkit/protocol'
import type { GaugeCallback, TillMeter } from '../payment/options.js'
import type { Warn } from '../said/warnings.js'
import type { TillReport } from './types.js'

/** Counts events as they happen. Every attribute is one of few words: no ids, no references, no amounts. */
export interface TillCounts {
  outcomeTold(kind: string): void
  handlerFailed(kind: string): void
  requestEnded(operation: string, ending: string): void
}

/** The parts of the till that metrics need. */
export interface MetricsContext {
  /** Absent: nothing is counted. */
  readonly meter: TillMeter | undefined
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly warn: Warn
  report(): Promise<TillReport>
}

/** For how long one report serves all gauges, and how long a gauge waits for one, in milliseconds. */
const [freshTime, longestWait] = [30_000, 2_000]

const gauges: readonly (readonly [name: string, description: string, unit: string, of: GaugeOf])[] = [
  ['surplus', 'Payments of which two orders took or hold money', '{payment}', ({ surplus }) => surplus.total],
  ['needs_person', 'Payments that a person must look at', '{payment}', ({ needsPerson }) => needsPerson.total],
  ['failing', 'Payments whose handler fails', '{payment}', ({ failing }) => failing.total],
  ['untold', 'Payments of which your handler was not told an outcome yet', '{payment}', ({ untold }) => untold.total],
  ['unknown', 'Payments with requests that were not answered', '{payment}', ({ unknown }) => unknown.total],
  ['open', 'Payments that the gateway is at work on', '{payment}', ({ open }) => open.total],
  ['forms', 'Payments whose form a customer has', '{payment}', ({ forms }) => forms.total],
  [
    'unmatched',
    'Orders that were not sent from here, and callbacks came for',
    '{order}',
    ({ unmatched }) => unmatched.total,
  ],
  [
    'unknown.age',
    'Age of the oldest request that was not answered',
    's',
    ({ unknown }, now) => age(unknown.items, now),
  ],
  ['failing.age', 'For how long a handler fails', 's', ({ failing }, now) => age(failing.items, now)],
  ['untold.age', 'For how long your handler was not told', 's', ({ untold }, now) => age(untold.items, now)],
  ['open.age', 'Age of the oldest request that the gateway is at work on', 's', ({ open }, now) => age([open], now)],
]

type GaugeOf = (report: TillReport, now: number) => number

/** The age of the oldest item, in seconds; 0 where there is none. */
const age = (items: readonly { readonly since: number | undefined }[], now: number): number =>
  Math.max(0, ...items.flatMap(({ since }) => (since === undefined ? [] : [(now - since) / 1000])))

/**
 * Counts for OpenTelemetry. A gauge never throws, and waits two seconds at most: where the store does not answer it says nothing.
 *
 * @see OpenTelemetry semantic conventions, section "Metrics": names, units in curly braces
 */
export function createMetrics({ meter, clock, wait, warn, report }: MetricsContext): TillCounts & { close(): void } {
  if (meter === undefined) {
    const nothing = () => {}
    return { outcomeTold: nothing, handlerFailed: nothing, requestEnded: nothing, close: nothing }
  }
  const reading = new Set<AbortController>()
  let isClosed = false
  let latest: { readonly at: number; readonly report: Promise<TillReport | undefined> } | undefined
  const readNow = (): Promise<TillReport | undefined> =>
    report().catch(cause => {
      latest = undefined
      warn('WARN_STORE_FAILED', { reason: 'metrics', explanation: 'What is to be counted could not be read.', cause })
      return undefined
    })
  const current = async (): Promise<TillReport | undefined> => {
    const now = clock()
    if (latest === undefined || Math.abs(now - latest.at) >= freshTime) latest = { at: now, report: readNow() }
    const isRead = new AbortController()
    // A signal made of one that lives as long as the process would be kept as long, in Node.js 20.
    reading.add(isRead)
    const limit = wait(longestWait, isRead.signal).then(() => undefined)
    try {
      return await Promise.race([latest.report, limit])
    } finally {
      reading.delete(isRead)
      isRead.abort()
    }
  }

  const callbacks = gauges.map(([name, description, unit, of]) => {
    const gauge = meter.createObservableGauge(`tillkit.payments.${name}`, { description, unit })
    const callback: GaugeCallback = async result => {
      if (isClosed) return
      const found = await current().catch(() => undefined)
      if (found !== undefined) notify(() => result.observe(of(found, clock())))
    }
    gauge.addCallback(callback)
    return () => gauge.removeCallback(callback)
  })
  const counter = (name: string, description: string, unit: string) => {
    const counting = meter.createCounter(`tillkit.${name}`, { description, unit })
    return (attributes: { readonly [name: string]: string }) => notify(() => counting.add(1, attributes))
  }
  const told = counter('outcomes.told', 'Outcomes that your handler was told', '{outcome}')
  const failed = counter('handler.failures', 'Times that your handler failed', '{failure}')
  const requests = counter('requests', 'Requests to the gateway that are over', '{request}')
  return {
    outcomeTold: kind => told({ 'tillkit.outcome': kind }),
    handlerFailed: kind => failed({ 'tillkit.outcome': kind }),
    requestEnded: (operation, ending) => requests({ 'tillkit.operation': operation, 'tillkit.ending': ending }),
    close() {
      isClosed = true
      for (const each of reading) each.abort()
      for (const remove of callbacks) notify(remove)
    },
  }
}

/** @throws {TypeError} for what is no meter. */
export function checkMeter(meter: unknown): void {
  if (meter === undefined) return
  const names = ['createCounter', 'createObservableGauge']
  if (names.every(name => typeof Reflect.get(Object(meter), name) === 'function')) return
  throw new TypeError('createTill: "meter" must be a Meter of OpenTelemetry, such as metrics.getMeter("shop").')
}
