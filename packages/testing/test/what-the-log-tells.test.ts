import { afterEach, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, type FakeGateway, type FakeGatewayOptions } from '../src/index.js'
import { call, pay } from './signed-request.js'

const start = 1_800_000_000_000

const gateways: FakeGateway[] = []
afterEach(() => Promise.all(gateways.splice(0).map(gateway => gateway.close())))

function open(options: FakeGatewayOptions = {}): FakeGateway {
  const gateway = createFakeGateway({ clock: createFakeClock({ base: () => start }), ...options })
  gateways.push(gateway)
  return gateway
}

it('says how long a request took, what a fault made of it included', async () => {
  const gateway = open()
  gateway.handle({
    async sale({ clientOrderId }) {
      if (clientOrderId === 'o-1') await gateway.clock.advance(700)
      return undefined
    },
  })
  await pay(gateway, 'sale', { clientOrderId: 'o-1' })
  gateway.faults.arm({ fault: 'slow-body', delay: 2_000 })
  const slow = pay(gateway, 'sale', { clientOrderId: 'o-2' })
  while (gateway.clock.nextAt() !== start + 700 + 2_000) await new Promise(setImmediate)
  await gateway.clock.advance(2_000)
  await slow
  expect(gateway.calls('sale').map(({ at, duration }) => [at - start, duration])).toEqual([
    [0, 700],
    [700, 2_000],
  ])
})

it('names the fault of a status reply, and of what becomes of the order', async () => {
  const gateway = open()
  gateway.faults.arm('corrected-later')
  await pay(gateway, 'sale', { clientOrderId: 'o-1' })
  for (const fault of ['status-lags', 'status-never-seen', 'unknown-status-word'] as const) {
    gateway.faults.arm(fault)
    await call(gateway, 'status', { clientOrderId: 'o-1' }).catch(() => undefined)
  }
  await call(gateway, 'status', { clientOrderId: 'o-1' })
  expect(gateway.calls().map(({ fault }) => fault)).toEqual([
    'corrected-later',
    'status-lags',
    'status-never-seen',
    'unknown-status-word',
    undefined,
  ])
})

it('says when a delivery is sent again, and nothing where it is not', async () => {
  const gateway = open()
  // Nobody listens on the port 1 of this machine.
  await pay(gateway, 'sale', { clientOrderId: 'o-1', notifyUrl: 'http://127.0.0.1:1/callback' })
  await gateway.callbacks.idle()
  const [first] = gateway.callbacks.list()
  expect(first?.repeatsAt).toBe(start + 60_000)
  await gateway.callbacks.resend(first?.orderId ?? '')
  expect(gateway.callbacks.list().at(-1)).not.toHaveProperty('repeatsAt')
})

it('remembers how far the clock was advanced, and when', async () => {
  const clock = createFakeClock({ base: () => start })
  await clock.advance(60_000)
  await clock.advance(5)
  expect(clock.jumps()).toEqual([
    { at: start, milliseconds: 60_000 },
    { at: start + 60_000, milliseconds: 5 },
  ])
})

it.each(['/orders/{clientOrderId}', 'https://shop.test/orders', 'javascript:{orderId}'])(
  'refuses %s as the page of an order',
  orderPage => expect(() => createFakeGateway({ orderPage })).toThrow(`"orderPage" is "${orderPage}"`),
)
