/** `till.check` asks the till's own address whether its routes are there. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFakeGateway } from '@tillkit/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTill, type Till } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { checkRoutes } from '../../src/till/here-page.js'
import { readyAccount } from './ready-account.js'
import { openShop } from './shop.js'

const addressOf = async (till: Till) => {
  const [report] = await till.check()
  const found = report?.findings.find(({ subject }) => subject === 'address')
  return { of: report?.verdict, found, text: report?.text }
}

async function tillAt(address: string, { isClosed = false } = {}) {
  const gateway = createFakeGateway()
  const shop = await openShop({ gateway })
  if (isClosed) await shop.close()
  const options = { account: readyAccount(gateway), store: { ...memoryStore() }, returnTo: () => '/' }
  const till = createTill({ ...options, address: address.replace('shop:', shop.origin), onOutcome: () => {} })
  onTestFinished(() => till.close())
  return till
}

it('finds them where they are mounted', async () => {
  const { till } = await openShop()
  expect(await addressOf(till)).toMatchObject({
    of: 'ok',
    found: { verdict: 'ok', explanation: 'The routes of a till answer there.' },
  })
})

it('finds them in another process', async () => {
  expect(await addressOf(await tillAt('shop:/payments'))).toMatchObject({ found: { verdict: 'ok' } })
})

it('says how to mount them where something else answers', async () => {
  const { of, found, text } = await addressOf(await tillAt('shop:/pay'))
  expect([of, found?.verdict]).toEqual(['wrong', 'wrong'])
  expect(found?.explanation).toMatch(
    /^Something else answers at http:\/\/127\.0\.0\.1:\d+\/pay, with HTTP 200: .* app\.use\("\/pay", till\.express\(\)\)\.$/,
  )
  const lines = text?.split('\n') ?? []
  expect(lines[0]).toMatch(/^Check of http.*: wrong$/)
  expect(lines.at(-1)).toBe(`  address     wrong        ${found?.explanation}`)
})

it('cannot tell where no server listens, and says to compare the ports', async () => {
  const { of, found } = await addressOf(await tillAt('shop:/payments', { isClosed: true }))
  expect([of, found?.verdict]).toEqual(['ok', 'cannot-tell'])
  expect(found?.explanation).toMatch(
    /^Nothing answers this process at http:\/\/127\.0\.0\.1:\d+\/payments: Error ECONNREFUSED: .* No server listens there\. Compare the port of "address" with the port that your shop listens on, and check once it listens\.$/,
  )
})

/** Something that answers where a till should be. */
async function otherServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/payments`
}

it('cannot tell where a server listens that speaks no TLS, and says how to mount them', async () => {
  const at = await otherServer(() => {})
  const { verdict, explanation } = await checkRoutes(new URL(at.replace('http:', 'https:')))
  expect(verdict).toBe('cannot-tell')
  expect(explanation).toMatch(/ Either no server listens there yet, or this machine cannot .* app\.use\(/)
})

it.each([401, 403, 408, 429, 500, 503])(
  'cannot tell by HTTP %i, which something before the shop says',
  async status => {
    const at = await otherServer((_request, response) => void response.writeHead(status).end('no'))
    const { verdict, explanation } = await checkRoutes(new URL(at))
    expect(verdict).toBe('cannot-tell')
    expect(explanation).toContain(`HTTP ${status}`)
  },
)

// Refusals of CSRF protection: csurf and csrf-csrf refuse a form without their token, others one from another origin.
it.each([
  [
    'has no token',
    () => true,
    '/return/here does not: it was answered with HTTP 403. Customers who come back come by POST',
  ],
  [
    'comes from another site',
    (_: string, origin?: string) => origin !== undefined,
    '/return/here does not: it was answered with HTTP 403. Customers who come back come by POST',
  ],
  [
    'is for 3DS',
    (path: string) => path.includes('/3ds/'),
    '/3ds/here does not: it was answered with HTTP 403. Customers who come back from their bank',
  ],
])('says that a POST does not arrive which %s', async (_, isRefused, words) => {
  const { till } = await openShop({
    before: ({ method, url = '', headers }, response) => {
      if (method === 'POST' && isRefused(url, headers.origin)) response.writeHead(403).end('invalid csrf token')
    },
  })
  const { of, found } = await addressOf(till)
  expect([of, found?.verdict]).toEqual(['wrong', 'wrong'])
  expect(found?.explanation).toContain(words)
  expect(found?.explanation).toContain("mount the till's routes before it")
})

it('cannot tell where only callbacks are refused, as by an allow-list of the gateway’s addresses', async () => {
  const { till } = await openShop({
    before: ({ url = '' }, response) => {
      if (url.startsWith('/payments/callback')) response.writeHead(403).end()
    },
  })
  const { of, found } = await addressOf(till)
  expect([of, found?.verdict]).toEqual(['ok', 'cannot-tell'])
  expect(found?.explanation).toContain(
    '/callback does not: it was answered with HTTP 403. That is right if only addresses',
  )
})

it.each([503, 429])('cannot tell where only a POST is answered with HTTP %i', async status => {
  const { till } = await openShop({
    before: ({ method }, response) => {
      if (method === 'POST') response.writeHead(status).end()
    },
  })
  expect(await addressOf(till)).toMatchObject({ of: 'ok', found: { verdict: 'cannot-tell' } })
})

// That of helmet 8.3.0 without options.
const policyOfHelmet =
  "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests"

it('names the policy that stops customers on their way to the gateway', async () => {
  const { till, gateway } = await openShop({
    before: (_, response) => void response.setHeader('Content-Security-Policy', policyOfHelmet),
  })
  const { of, found } = await addressOf(till)
  expect([of, found?.verdict]).toEqual(['ok', 'cannot-tell'])
  const { origin } = new URL(gateway.clientOptions.baseUrl)
  expect(found?.explanation).toContain(`whose form-action leaves out ${origin}.`)
  expect(found?.explanation).toContain(`formAction: ["'self'", "${origin}"]`)
})

it('reads no more of another page than it needs', async () => {
  let tell = () => {}
  const closed = new Promise<void>(resolve => {
    tell = resolve
  })
  const at = await otherServer((_request, response) => {
    response.on('close', () => tell())
    response.write('x'.repeat(101))
  })
  expect(await checkRoutes(new URL(at))).toMatchObject({ verdict: 'wrong' })
  await closed
})

it('cannot tell by an answer that does not end', async () => {
  // The time is over once the answer has begun.
  const time = new AbortController()
  const ask = globalThis.fetch
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const answer = await ask(...request)
    setImmediate(() => time.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')))
    return answer
  })
  onTestFinished(() => {
    timeout.mockRestore()
    fetching.mockRestore()
  })
  const at = await otherServer((_request, response) => void response.write('The routes'))
  const found = await checkRoutes(new URL(at))
  expect(timeout).toHaveBeenCalledWith(5_000)
  expect(found).toMatchObject({
    verdict: 'cannot-tell',
    explanation: expect.stringMatching(/^There was no whole answer/),
  })
})

it('shows no password of an address that it refuses', async () => {
  await expect(tillAt('http://joan:hunter2/x@shop.example/payments')).rejects.toThrow(
    /^(?!.*hunter2).* Found: "http:\/\/\*\*\*@shop\.example\/payments"\.$/,
  )
})
