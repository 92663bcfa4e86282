import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { createFakeClock, type FakeGateway } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pay } from '../../testing/test/signed-request.js'
import { createGateway } from '../src/index.js'
import { until } from './until.js'

let gateway: FakeGateway
let address: Awaited<ReturnType<FakeGateway['listen']>>
/** The time of day. */
let time: number
beforeEach(async () => {
  time = Date.UTC(2026, 0, 1)
  gateway = createGateway({ processingTime: 60_000, clock: createFakeClock({ base: () => time }) })
  address = await gateway.listen()
})
afterEach(() => gateway.close())

/** Listens to the events. `said` grows as they come. */
async function listen(origin = address.origin) {
  const [answer] = (await once(get(`${origin}/__gateway/events`, { agent: false }), 'response')) as [IncomingMessage]
  const events = {
    answer,
    said: '',
    changes: () => events.said.split('\n').filter(line => line.startsWith('data:')),
    /** Resolves when so many changes were told. */
    async told(count: number): Promise<void> {
      while (events.changes().length < count) await once(answer, 'data')
    },
  }
  answer.setEncoding('utf8').on('data', text => {
    events.said += text
  })
  answer.on('error', () => undefined)
  await events.told(1)
  return events
}

describe('the events of the dashboard', () => {
  it.each<[what: string, change: () => unknown]>([
    ['a request', () => pay(gateway, 'sale', { clientOrderId: 'o-2' })],
    ['an order that is acted on', () => gateway.act({ orderId: orderId(), action: 'charge-back' })],
    ['a delivery', () => gateway.callbacks.resend(orderId())],
    ['a fault', () => gateway.faults.arm('drop')],
    ['an outcome', () => gateway.outcomes.plan('declined')],
    ['the clock', () => gateway.clock.advance(1_000)],
    [
      'a stage that ends because time passes',
      () => {
        time += 60_000
      },
    ],
    ['a reset', () => gateway.reset()],
  ])('tell of %s, on both ports', async (_what, change) => {
    await pay(gateway, 'sale', { clientOrderId: 'o-1', notifyUrl: 'http://127.0.0.1:9/' })
    gateway.act({ orderId: orderId(), action: 'approve' })
    await gateway.clock.advance(60_000)
    await gateway.callbacks.idle()
    await pay(gateway, 'sale', { clientOrderId: 'o-processing' })
    const listeners = [await listen(), await listen(address.controlOrigin)]
    await change()
    await Promise.all(listeners.map(({ told }) => told(2)))
  })

  const orderId = () => gateway.orders.list()[0]?.orderId ?? ''

  it('are a stream as the HTML standard has it, with the time of the gateway, and nothing keeps them', async () => {
    const { answer, said } = await listen()
    expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    expect(said).toMatch(/^retry: 1000\ndata: \d{13}\n\n$/)
  })

  it('tell many changes at once as one', async () => {
    const { changes, told } = await listen()
    for (let count = 0; count < 200; count += 1) gateway.faults.arm('drop')
    await told(2)
    gateway.outcomes.plan('declined')
    await told(3)
    expect(changes()).toHaveLength(3)
  })

  it('end when the gateway closes, which waits for no reader', async () => {
    const { answer } = await listen()
    const ended = new Promise(resolve => answer.once('close', resolve))
    await gateway.close()
    await ended
  })

  it('are refused to the thirty-third listener, and there is room again when one has left', async () => {
    const listeners = await Promise.all(Array.from({ length: 32 }, () => listen()))
    const ask = () => request(`${address.origin}/__gateway/events`, { method: 'HEAD' })
    expect((await ask()).statusCode).toBe(503)
    listeners[0]?.answer.destroy()
    await until(async () => (await ask()).statusCode === 200)
  })

  it('are for this machine only, as the pages are', async () => {
    const { statusCode } = await request(`${address.origin}/__gateway/events`, {
      headers: { host: 'attacker.example' },
    })
    expect(statusCode).toBe(403)
  })
})
