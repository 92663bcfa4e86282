/** `next build` and `next start`, behind a proxy that says where each customer comes from. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'

const gateway = createFakeGateway()
const { baseUrl } = await gateway.listen()
const { login, controlKey, endpointId } = gateway.clientOptions

// What the customer wrote into the header does not come through.
let nextPort = 0
const proxy = createServer((request, response) => {
  const { method, url: path, headers } = request
  const address = { ...headers, 'x-real-ip': request.socket.remoteAddress }
  const onward = httpRequest({ host: '127.0.0.1', port: nextPort, method, path, headers: address }, answer => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.writeHead(502).end())
  request.pipe(onward)
}).listen(0, '127.0.0.1')
await once(proxy, 'listening')
const shop = `http://127.0.0.1:${proxy.address().port}`

// Next.js uses calls of Node.js that are deprecated.
const { NODE_OPTIONS, ...inherited } = process.env
const env = {
  ...inherited,
  GATEWAY: String(baseUrl),
  LOGIN: login,
  CONTROL_KEY: controlKey,
  ENDPOINT_ID: String(endpointId),
  SHOP: shop,
  DATABASE: 'shop.db',
  NEXT_TELEMETRY_DISABLED: '1',
}
const next = (...parameters) => {
  const child = spawn(process.execPath, ['node_modules/next/dist/bin/next', ...parameters], { env })
  const lines = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => lines.push(text))
  return { child, output: () => lines.join('') }
}
const build = next('build')
const [status] = await once(build.child, 'close')
assert.equal(status, 0, build.output())

const server = next('start', '--port', '0', '--hostname', '127.0.0.1')
const closed = once(server.child, 'close')
const ready = new Promise(resolve => {
  server.child.stdout.on('data', () => {
    const [, port] = /Local:\s+http:\/\/[^\s:]+:(\d+)/.exec(server.output()) ?? []
    if (port !== undefined) resolve(Number(port))
  })
})
try {
  nextPort = await Promise.race([ready, closed.then(() => assert.fail(server.output()))])
  const card = { number: '4444444444444448', name: 'JOAN BAKER', month: '12', year: '2099', cvv2: '321' }
  const sent = await fetch(`${shop}/orders/tickets-7/card`, {
    method: 'POST',
    body: new URLSearchParams(card),
    headers: { 'x-forwarded-for': '198.51.100.66', 'x-real-ip': '198.51.100.66' },
    redirect: 'manual',
  })
  assert.equal(sent.status, 303, server.output())
  assert.equal((await payAsCustomer(sent, { gateway, cvv2: '321' })).html, 'paid', server.output())
  assert.equal(Object.fromEntries(gateway.calls('sale')[0].fields).ipaddress, '127.0.0.1')
  assert.ok(
    gateway.calls().some(({ operation }) => /^upload/.test(operation ?? '')),
    'the till brought no result of 3DS',
  )
  assert.equal(gateway.orders.list().length, 1)
  assert.match(server.output(), /told tickets-7 paid/)
  assert.equal((await fetch(`${shop}/payments/nothing-here`)).status, 404)
} finally {
  server.child.kill()
  await closed
}
proxy.close()
proxy.closeAllConnections()
await gateway.close()
