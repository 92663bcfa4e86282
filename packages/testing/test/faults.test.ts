import { defineProfile } from '@tillkit/protocol'
import { encodeForm } from '@tillkit/signing'
import { Agent, type Dispatcher } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, type FakeGateway, type FakeGatewayOptions } from '../src/index.js'
import { call, pay, prepare, readReply } from './signed-request.js'

const transports = ['dispatcher', 'http'] as const
type Transport = (typeof transports)[number]

const gateways: FakeGateway[] = []
afterEach(() => Promise.all(gateways.splice(0).map(gateway => gateway.close())))

async function open(transport: Transport, options: FakeGatewayOptions = {}): Promise<FakeGateway> {
  const gateway = createFakeGateway({
    clock: createFakeClock({ base: () => 1_800_000_000_000 }),
    // A word of its own for an order nobody knows, so that it cannot be mistaken for another refusal.
    profile: defineProfile({ orderNeverSeen: 'never-seen' }),
    ...options,
  })
  gateways.push(gateway)
  if (transport === 'http') await gateway.listen()
  return gateway
}

/** What a client saw of a request: whether it started, how it ended. */
interface Seen {
  started: boolean
  /** HTTP status and what of the body came. */
  status?: number
  text: string
  error?: string
}

/** Sends a sale on a connection of its own, and looks at it as a dispatch handler does. */
async function dispatchSale(
  gateway: FakeGateway,
  clientOrderId: string,
  onHead = (): void => undefined,
): Promise<Seen> {
  const sale = {
    clientOrderId,
    amount: '10.00',
    currency: 'EUR',
    email: 'ada@shop.test',
    creditCardNumber: '4444444444444448',
  }
  const rest = { cardPrintedName: 'ADA', expireMonth: '12', expireYear: '2099', cvv2: '123' }
  const { url, headers, parameters } = await prepare(gateway, 'sale', { ...sale, ...rest })
  const own = new Agent({ pipelining: 0 })
  const dispatcher: Dispatcher = gateway.clientOptions.dispatcher ?? own
  const seen: Seen = { started: false, text: '' }
  await new Promise<void>(resolve => {
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname, method: 'POST', headers, body: encodeForm(parameters) },
      {
        onRequestStart: () => {
          seen.started = true
        },
        onResponseStart: (_controller, status) => {
          seen.status = status
        },
        onResponseData: (_controller, chunk) => {
          seen.text += chunk.toString('utf8')
          onHead()
        },
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => {
          seen.error = 'code' in error ? String(error.code) : error.message
          resolve()
        },
      },
    )
  })
  await own.destroy()
  return seen
}

const statusOf = async (gateway: FakeGateway, clientOrderId: string): Promise<string> => {
  const { status, reply } = await call(gateway, 'status', { clientOrderId })
  return status === 200 ? (reply.status ?? '') : `${status} ${reply['error-code']}`
}

const broken = expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/)

describe.each(transports)('a fault of a request, through the %s', transport => {
  it.each([
    ['refuse-connection', { started: false, text: '', error: 'ECONNREFUSED' }, '400 never-seen'],
    ['drop', { started: true, text: '', error: broken }, '400 never-seen'],
    ['maintenance-page', { started: true, status: 503, text: expect.stringContaining('<h1>') }, '400 never-seen'],
    ['commit-then-drop', { started: true, text: '', error: broken }, 'approved'],
    ['server-error-after-commit', { started: true, status: 500, text: expect.stringContaining('"error"') }, 'approved'],
    [
      'half-answer',
      {
        started: true,
        status: 200,
        text: expect.stringMatching(/^\{"type"[^}]*$/),
        error: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
      },
      'approved',
    ],
  ] as const)(
    '%s shows the client what it should, and does to the order what it should',
    async (fault, seen, order) => {
      const gateway = await open(transport)
      gateway.faults.arm({ fault, operation: 'sale' })
      expect(await dispatchSale(gateway, 'o-1')).toEqual(seen)
      await gateway.clock.advance(60_000)
      expect(await statusOf(gateway, 'o-1')).toBe(order)
      expect(gateway.faults.armed()).toEqual([])
      expect((await dispatchSale(gateway, 'o-2')).status).toBe(200)
    },
  )

  it('commit-then-timeout takes the sale and says nothing until the delay is over', async () => {
    const gateway = await open(transport)
    gateway.faults.arm({ fault: 'commit-then-timeout', delay: 30_000 })
    let ended = false
    const sale = dispatchSale(gateway, 'o-1').finally(() => {
      ended = true
    })
    while (gateway.calls('sale').length === 0) await new Promise(setImmediate)
    expect(await statusOf(gateway, 'o-1')).toBe('approved')
    await gateway.clock.advance(29_999)
    expect(await statusOf(gateway, 'o-1')).toBe('approved')
    expect(ended).toBe(false)
    await gateway.clock.advance(1)
    expect(await sale).toEqual({ started: true, text: '', error: broken })
  })

  it('slow-body sends half of the answer, and the rest after the delay', async () => {
    const gateway = await open(transport)
    gateway.faults.arm({ fault: 'slow-body', delay: 5_000 })
    let pieces = 0
    const sale = dispatchSale(gateway, 'o-1', () => {
      pieces += 1
    })
    while (pieces === 0) await new Promise(setImmediate)
    await gateway.clock.advance(4_999)
    await statusOf(gateway, 'o-1')
    expect(pieces).toBe(1)
    await gateway.clock.advance(1)
    const seen = await sale
    expect(seen).toMatchObject({ started: true, status: 200 })
    expect(readReply(seen.text)).toMatchObject({ 'merchant-order-id': 'o-1' })
  })

  it('delayed-commit takes the sale after status said that it never saw the order', async () => {
    const gateway = await open(transport)
    gateway.faults.arm({ fault: 'delayed-commit', delay: 20_000 })
    expect(await dispatchSale(gateway, 'o-1')).toEqual({ started: true, text: '', error: broken })
    await gateway.clock.advance(19_999)
    expect(await statusOf(gateway, 'o-1')).toBe('400 never-seen')
    await gateway.clock.advance(1)
    expect(await statusOf(gateway, 'o-1')).toBe('approved')
  })

  it('strikes n times, then no more', async () => {
    const gateway = await open(transport)
    gateway.faults.arm({ fault: 'server-error-after-commit', times: 2 })
    const statuses: (number | undefined)[] = []
    for (const id of ['a', 'b', 'c']) statuses.push((await dispatchSale(gateway, id)).status)
    expect(statuses).toEqual([500, 500, 200])
  })

  it('strikes with a probability that the seed decides, the same in every run', async () => {
    const struck = async (seed: string): Promise<string> => {
      const gateway = await open(transport, { seed })
      gateway.faults.arm({ fault: 'drop', probability: 0.5 })
      let text = ''
      for (let index = 0; index < 12; index += 1) {
        text += (await dispatchSale(gateway, `o-${index}`)).status === 200 ? '.' : 'x'
      }
      return text
    }
    const run = await struck('7')
    expect(run).toMatch(/x.*\..*x/)
    expect(await struck('7')).toBe(run)
    expect(await struck('8')).not.toBe(run)
  })
})

describe('faults of status, through either', () => {
  const lagging = ['status-lags', 'status-never-seen', 'unknown-status-word'] as const
  it.each(transports.flatMap(transport => lagging.map(fault => [transport, fault] as const)))(
    'through the %s: %s is over after one reply',
    async (transport, fault) => {
      const gateway = await open(transport)
      await pay(gateway, 'sale', { clientOrderId: 'o-1' })
      gateway.faults.arm(fault)
      const shown = { 'status-lags': 'processing', 'status-never-seen': '400 never-seen' }
      const expected = { ...shown, 'unknown-status-word': 'reconciling' }[fault]
      expect(await statusOf(gateway, 'o-1')).toBe(expected)
      expect(await statusOf(gateway, 'o-1')).toBe('approved')
    },
  )

  it('status-lags shows the hold while the capture has happened', async () => {
    const gateway = await open('dispatcher')
    const { reply } = await pay(gateway, 'preauth', { clientOrderId: 'o-1' })
    const orderId = reply['paynet-order-id'] ?? ''
    const captured = await call(gateway, 'capture', { clientOrderId: 'o-1', orderId })
    gateway.faults.arm({ fault: 'status-lags', times: 2 })
    const latest = await call(gateway, 'status', { clientOrderId: 'o-1', orderId })
    expect(latest.reply).toMatchObject({ 'transaction-type': 'preauth', status: 'approved' })
    const byRequestSn = captured.reply['serial-number'] ?? ''
    const own = await call(gateway, 'status', { clientOrderId: 'o-1', orderId, byRequestSn })
    expect(own.reply).toMatchObject({ 'transaction-type': 'capture', status: 'processing' })
  })

  it('unknown-status-word takes the word it is given', async () => {
    const gateway = await open('dispatcher')
    await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    gateway.faults.arm({ fault: 'unknown-status-word', status: 'chain_declined' })
    expect(await statusOf(gateway, 'o-1')).toBe('chain_declined')
  })
})

describe('arming', () => {
  it.each([
    [{ fault: 'explode' }, '"fault" is "explode"'],
    [{ fault: 'drop', operation: 'sell' }, '"operation" is "sell"; it must be "uploadCresResult"'],
    [{ fault: 'status-lags', operation: 'sale' }, 'strikes status replies. Leave it out.'],
    [{ fault: 'drop', times: 1.5 }, '"times" is 1.5'],
    [{ fault: 'drop', probability: 0 }, '"probability" is 0'],
    [{ fault: 'drop', probability: 1.1 }, '"probability" is 1.1'],
    [{ fault: 'drop', delay: 5 }, '"delay" is 5; the fault "drop" takes none'],
    [{ fault: 'slow-body', delay: -1 }, '"delay" is -1; it must be a number of milliseconds'],
    [{ fault: 'slow-body', delay: 1e300 }, '"delay" is 1e+300; it must be a number of milliseconds'],
    [{ fault: 'drop', status: 'approved' }, '"status" is "approved"; the fault "drop" takes none'],
    [{ fault: 'corrected-later', status: 'maybe' }, '"status" is "maybe"; it must be "approved"'],
    [{ fault: 'drop', time: 2 }, 'A fault has no option "time". Did you mean "times"?'],
  ])('refuses %j', (fault, text) => {
    const { faults } = createFakeGateway()
    expect(() => faults.arm(fault as never)).toThrow(text)
    expect(faults.armed()).toEqual([])
  })

  it('tells what is armed, how often it struck, and complains of what never did', async () => {
    const gateway = await open('dispatcher')
    gateway.faults.arm({ fault: 'slow-body', times: 2, delay: 0 })
    gateway.faults.arm({ fault: 'drop', operation: 'capture', probability: 0.5 })
    await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    expect(gateway.faults.armed()).toEqual([
      { number: 1, fault: 'slow-body', delay: 0, times: 1, struck: 1 },
      { number: 2, fault: 'drop', operation: 'capture', probability: 0.5, struck: 0 },
    ])
    expect(() => gateway.assertAllHandled()).toThrow('"slow-body" is armed 1 more time(s)')
    expect(() => gateway.assertAllHandled()).not.toThrow('"drop"')
  })

  it('is disarmed alone, by its number', async () => {
    const gateway = await open('dispatcher')
    gateway.faults.arm({ fault: 'drop', times: 2 })
    gateway.faults.arm('callback-never')
    const [first] = gateway.faults.armed()
    expect(gateway.faults.disarm(first?.number ?? 0)).toBe(true)
    expect(gateway.faults.armed()).toMatchObject([{ fault: 'callback-never' }])
    expect(gateway.faults.disarm(first?.number ?? 0)).toBe(false)
    expect((await pay(gateway, 'sale', { clientOrderId: 'o-1' })).status).toBe(200)
  })

  it('is not used up by a request that is refused when it is carried out', async () => {
    const gateway = await open('dispatcher', { profile: defineProfile({ usedClientOrderId: 'refused' }) })
    await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    gateway.faults.arm('commit-then-drop')
    expect((await pay(gateway, 'sale', { clientOrderId: 'o-1' })).reply['error-message']).toContain('was used before')
    await expect(pay(gateway, 'sale', { clientOrderId: 'o-2' })).rejects.toThrow()
    expect(gateway.calls('sale').map(({ fault }) => fault)).toEqual([undefined, undefined, 'commit-then-drop'])
  })

  it('leaves nothing waiting when the gateway is reset or closed', async () => {
    for (const end of ['reset', 'close'] as const) {
      const gateway = await open('dispatcher')
      gateway.faults.arm('commit-then-timeout')
      const sale = dispatchSale(gateway, 'o-1')
      while (gateway.calls('sale').length === 0) await new Promise(setImmediate)
      await gateway[end]()
      expect(await sale).toMatchObject({ error: 'UND_ERR_SOCKET' })
    }
  })
})

describe.each(transports)('faults of the option, through the %s', transport => {
  it('are armed from the start, and again after a reset', async () => {
    const gateway = await open(transport, { faults: ['maintenance-page', { fault: 'callback-never', times: 2 }] })
    for (const round of [1, 2]) {
      expect(gateway.faults.armed()).toMatchObject([
        { fault: 'maintenance-page' },
        { fault: 'callback-never', times: 2 },
      ])
      expect((await dispatchSale(gateway, `o-${round}`)).status).toBe(503)
      expect((await dispatchSale(gateway, `o-${round}`)).status).toBe(200)
      gateway.faults.clear()
      expect(gateway.faults.armed()).toEqual([])
      gateway.reset()
    }
  })
})

it('a fault of the option that does not exist is refused at once', () => {
  expect(() => createFakeGateway({ faults: ['drop', 'dropp' as never] })).toThrow('"fault" is "dropp"')
})

describe('refuse-connection over HTTP', () => {
  it('closes the port for its delay, as often as it was armed, and clear opens it again', async () => {
    const gateway = await open('http')
    gateway.faults.arm({ fault: 'refuse-connection', times: 2, delay: 5_000 })
    for (const after of [0, 5_000]) {
      await gateway.clock.advance(after)
      expect(await dispatchSale(gateway, 'o-1')).toMatchObject({ started: false, error: 'ECONNREFUSED' })
    }
    await gateway.clock.advance(5_000)
    expect((await dispatchSale(gateway, 'o-1')).status).toBe(200)
    gateway.faults.arm({ fault: 'refuse-connection', times: 2 })
    expect((await dispatchSale(gateway, 'o-2')).error).toBe('ECONNREFUSED')
    gateway.faults.clear()
    await new Promise(setImmediate)
    expect((await dispatchSale(gateway, 'o-2')).status).toBe(200)
  })

  it('keeps the port closed, whatever else is armed and disarmed meanwhile', async () => {
    const gateway = await open('http')
    gateway.faults.arm({ fault: 'refuse-connection', delay: 5_000 })
    gateway.faults.arm('callback-twice')
    await new Promise(setImmediate)
    expect((await dispatchSale(gateway, 'o-1')).error).toBe('ECONNREFUSED')
    const [other] = gateway.faults.armed()
    expect(gateway.faults.disarm(other?.number ?? 0)).toBe(true)
    await new Promise(setImmediate)
    expect((await dispatchSale(gateway, 'o-1')).error).toBe('ECONNREFUSED')
    await gateway.clock.advance(5_000)
    expect((await dispatchSale(gateway, 'o-1')).status).toBe(200)
  })

  it('that was armed before it listens strikes when it does', async () => {
    const gateway = await open('dispatcher')
    gateway.faults.arm({ fault: 'refuse-connection', delay: 5_000 })
    await gateway.listen()
    expect((await dispatchSale(gateway, 'o-1')).error).toBe('ECONNREFUSED')
    await gateway.clock.advance(5_000)
    expect((await dispatchSale(gateway, 'o-1')).status).toBe(200)
  })
})
