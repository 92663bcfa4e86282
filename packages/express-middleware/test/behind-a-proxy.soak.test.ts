/** The example of docs/behind-a-proxy.md, run behind a real reverse proxy: who gets past it, and what the gateway is answered. */

import type { BlockList } from 'node:net'
import type { Client } from '@tillkit/client'
import { type FakeGateway, testCard } from '@tillkit/testing'
import type { Express } from 'express'
import type { RateLimitRequestHandler } from 'express-rate-limit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callbackQuery } from './callback-desk.js'
import { startReverseProxy } from './reverse-proxy.js'
import { runExample } from './run-example.js'
import { type Served, serve, versions } from './serve.js'

const page = 'docs/behind-a-proxy.md'
/** Addresses as the example has them, and of somebody else. */
const gatewayAddress = '203.0.113.7'
const stranger = '198.51.100.66'

interface Example {
  readonly app: Express
  readonly client: Client
  readonly gateway: FakeGateway
  readonly gatewayAddresses: BlockList
  readonly refusals: RateLimitRequestHandler
}

let complaints: ReturnType<typeof vi.spyOn>
let handled: ReturnType<typeof vi.spyOn>
const open: AsyncDisposable[] = []

beforeEach(() => {
  complaints = vi.spyOn(console, 'error').mockReturnValue()
  handled = vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
  vi.restoreAllMocks()
})

const sale = {
  amount: '10.00',
  currency: 'EUR',
  email: 'joan@customer.example',
  creditCardNumber: testCard,
  cardPrintedName: 'JOAN BAKER',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '123',
}

/** The proxy of these tests is on loopback. */
const trusted = { "'10.0.0.0/8', ": "'loopback', '10.0.0.0/8', " }
/** What the page says to leave out where the gateway's addresses are not known. */
const withoutList = { '  skip: ({ ip }) => isGateway(ip),\n': '', '  onlyTheGateway,\n': '' }

/** The example, served. */
async function shop(replace: Readonly<Record<string, string>> = trusted) {
  const example = await runExample<Example>({
    page,
    replace,
    exports: ['app', 'client', 'gateway', 'gatewayAddresses', 'refusals'],
  })
  await example.gateway.listen()
  const { client } = example
  const served: Served = await serve(example.app)
  open.push({ [Symbol.asyncDispose]: () => example.gateway.close() })
  open.push({ [Symbol.asyncDispose]: () => client.close() }, served)
  return {
    ...example,
    origin: served.origin,
    /** The shop as a sender at that address reaches it. */
    async from(sender: string): Promise<string> {
      const proxy = await startReverseProxy({ to: served.origin, sender })
      open.push(proxy)
      return `${proxy.origin}/payments/callback`
    },
    /** Pays, so that the gateway calls that address. */
    async pay(serverCallbackUrl: string): Promise<void> {
      await client.sale({ ...sale, clientOrderId: 'order-1', serverCallbackUrl })
      await example.gateway.callbacks.idle()
    },
    /** Attempt and HTTP status of everything that the gateway has delivered. */
    deliveries: () => example.gateway.callbacks.list().map(({ attempt, httpStatus }) => [attempt, httpStatus]),
    /** A callback that the control key has signed, wherever it comes from. */
    genuine: (own = {}) =>
      callbackQuery({ merchant_order: 'order-1', ...own }, example.gateway.clientOptions.controlKey),
  }
}

const statusOf = async (address: string, headers: Readonly<Record<string, string>> = {}) =>
  (await fetch(address, { headers })).status

/** One request after the other, so that none is under way when the next comes. */
async function statusesOf(requests: readonly (() => Promise<number>)[]): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const request of requests) statuses.push(await request())
  return statuses
}

describe.each(versions)('`trust proxy` under %s', (_version, express) => {
  it.each([
    ['not set', undefined, /^(::ffff:)?127\.0\.0\.1$/],
    ['true', true, /^203\.0\.113\.7$/],
    ['1', 1, /^198\.51\.100\.66$/],
    ['2', 2, /^203\.0\.113\.7$/],
    ['the addresses of the proxies', ['loopback'], /^198\.51\.100\.66$/],
  ])('%s gives the address that docs/behind-a-proxy.md says', async (_case, setting, address) => {
    const app = express()
    if (setting !== undefined) app.set('trust proxy', setting)
    app.get('/', (request, response) => void response.send(request.ip))
    await using served = await serve(app)
    await using proxy = await startReverseProxy({ to: served.origin, sender: stranger })
    const response = await fetch(proxy.origin, { headers: { 'X-Forwarded-For': gatewayAddress } })
    expect(await response.text()).toMatch(address)
  })
})

describe('the allow-list of docs/behind-a-proxy.md', () => {
  it.each([gatewayAddress, '::ffff:203.0.113.7', '::ffff:cb00:7107', '2001:db8:a::1', '2001:DB8:A:ffff::9'])(
    'lets the gateway through from %s, and the rate limit has nothing to complain of',
    async sender => {
      const till = await shop()
      await till.pay(await till.from(sender))
      expect(till.deliveries()).toEqual([[1, 200]])
      expect(handled.mock.calls).toEqual([['order-1', 'paid']])
      expect(complaints).not.toHaveBeenCalled()
    },
  )

  it.each([stranger, '::ffff:198.51.100.66', '2001:db8:b::1', '::203.0.113.7', 'unknown', ''])(
    'refuses %j, also with a control value that matches',
    async sender => {
      const till = await shop()
      expect(await statusOf(`${await till.from(sender)}?${till.genuine()}`)).toBe(403)
      expect(handled).not.toHaveBeenCalled()
    },
  )

  it.each([
    ['to be the gateway', gatewayAddress],
    ['to be the gateway behind another proxy of ours', `${gatewayAddress}, 10.0.0.9`],
    ['to be the gateway, twice', `${gatewayAddress}, ${gatewayAddress}`],
    ['to be a proxy', '10.0.0.9'],
  ])('refuses whoever writes a header that claims %s', async (_case, claimed) => {
    const till = await shop()
    const address = `${await till.from(stranger)}?${till.genuine()}`
    expect(await statusOf(address, { 'X-Forwarded-For': claimed })).toBe(403)
    expect(await statusOf(address, { 'X-Real-IP': gatewayAddress, Forwarded: `for=${gatewayAddress}` })).toBe(403)
    expect(handled).not.toHaveBeenCalled()
  })

  it('believes nobody who comes past the proxy', async () => {
    const till = await shop({})
    const address = `${till.origin}/payments/callback?${till.genuine()}`
    expect(await statusOf(address, { 'X-Forwarded-For': gatewayAddress })).toBe(403)
  })

  it('that forgot an address delays its callbacks, and loses none', async () => {
    const till = await shop()
    await till.pay(await till.from(stranger))
    await till.gateway.clock.advance(86_400_000)
    const refused = till.deliveries()
    expect(refused.length).toBeGreaterThan(3)
    expect(refused.every(([, status]) => status === 403)).toBe(true)
    expect(handled).not.toHaveBeenCalled()
    till.gatewayAddresses.addAddress(stranger)
    await till.gateway.clock.advance(13 * 86_400_000)
    expect(till.deliveries().slice(refused.length)).toEqual([[refused.length + 1, 200]])
    expect(handled.mock.calls).toEqual([['order-1', 'paid']])
  })
})

describe('the rate limit of docs/behind-a-proxy.md', () => {
  it('slows down whoever sends what is refused, whatever they write about themselves, and nobody else', async () => {
    const till = await shop()
    const address = await till.from(stranger)
    const flood = await statusesOf(
      Array.from({ length: 105 }, (_, index) => () => statusOf(address, { 'X-Forwarded-For': `203.0.113.${index}` })),
    )
    expect(flood).toEqual([...Array(100).fill(403), ...Array(5).fill(429)])
    expect(await statusOf(await till.from('198.51.100.67'))).toBe(403)
    await till.pay(await till.from(gatewayAddress))
    expect(till.deliveries()).toEqual([[1, 200]])
  })

  it('takes an IPv4 address in IPv6 clothes for the same sender, and neighbours of it for others', async () => {
    const till = await shop()
    const plain = await till.from(stranger)
    await statusesOf(Array.from({ length: 100 }, () => () => statusOf(plain)))
    const others = ['::ffff:198.51.100.66', '::ffff:c633:6442', '::ffff:198.51.100.67']
    expect(await statusesOf(others.map(each => async () => statusOf(await till.from(each))))).toEqual([429, 429, 403])
  })

  it('takes a customer’s whole network of IPv6 for one sender', async () => {
    const till = await shop()
    const first = await till.from('2001:db8:b:1::1')
    await statusesOf(Array.from({ length: 100 }, () => () => statusOf(first)))
    const others = ['2001:db8:b:1::2', '2001:db8:b:ff:1:2:3:4', '2001:db8:b:100::1']
    expect(await statusesOf(others.map(each => async () => statusOf(await till.from(each))))).toEqual([429, 429, 403])
  })

  it('lets the gateway send as many at once as it likes, and answers none of them 200 before it is handled', async () => {
    const till = await shop()
    const address = `${await till.from(gatewayAddress)}?${till.genuine({ orderid: '9' })}`
    // Nothing is known at the gateway of the order 9: every one of these is genuine, and none can be handled.
    const statuses = await Promise.all(Array.from({ length: 150 }, () => statusOf(address)))
    expect(new Set(statuses)).toEqual(new Set([503]))
    expect(handled).not.toHaveBeenCalled()
  })

  it('without the list never counts a genuine callback, and what it did refuse comes again', async () => {
    const till = await shop({ ...trusted, ...withoutList })
    const address = await till.from(stranger)
    // Genuine callbacks of orders that status says nothing of yet: 503 each, more than the limit allows.
    const orders = Array.from({ length: 120 }, (_, index) => `order-of-tomorrow-${index}`)
    const early = orders.map(each => () => statusOf(`${address}?${till.genuine({ merchant_order: each })}`))
    expect(new Set(await statusesOf(early))).toEqual(new Set([503]))
    // Somebody behind the same address forges until nothing from there comes through any more, the gateway included.
    const forged = Array.from({ length: 101 }, () => () => statusOf(address))
    expect((await statusesOf(forged)).slice(-2)).toEqual([403, 429])
    await till.pay(address)
    expect(till.deliveries()).toEqual([[1, 429]])
    expect(handled).not.toHaveBeenCalled()
    // The minute is over.
    till.refusals.resetKey(stranger)
    await till.gateway.clock.advance(3_600_000)
    expect(till.deliveries()).toEqual([
      [1, 429],
      [2, 200],
    ])
    expect(handled.mock.calls).toEqual([['order-1', 'paid']])
  })

  it('limits customers for themselves, and their presses of a button do not limit callbacks', async () => {
    const till = await shop()
    const address = await till.from(gatewayAddress)
    const button = address.replace('/payments/callback', '/orders/1/pay')
    const presses = await statusesOf(Array.from({ length: 62 }, () => () => statusOf(button)))
    expect(presses).toEqual([...Array(60).fill(404), 429, 429])
    expect(await statusOf(address.replace('/callback', '/return/state'))).toBe(429)
    await till.pay(address)
    expect(till.deliveries()).toEqual([[1, 200]])
  })
})
