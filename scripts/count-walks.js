/**
 * Counts the source files that three walks cross: a sale, a callback on its way to the merchant's handler, and a request in the
 * fake. A file counts when one of its functions runs. ARCHITECTURE.md describes the walks; this says how long they are.
 *
 *   npm run pm -- run walks            the counts
 *   npm run pm -- run walks --files    the files as well
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { root } from './workspaces.js'

const load = (name, entry = 'index') => import(pathToFileURL(join(root, 'packages', name, `src/${entry}.ts`)).href)
const sha1 = (...items) => createHash('sha1').update(items.join('')).digest('hex')
const controlKey = 'AF4B5DE6-3468-424C-A922-C1DAD7CB4509'
const login = 'merchant'
const price = { amount: '10.00', currency: 'EUR' }

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Files with a function that ran since this was asked the last time. */
async function filesSince() {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => /\/packages\/[^/]+\/src\/.*\.ts$/.test(url))
    .filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0))
    .map(({ url }) => relative(join(root, 'packages'), fileURLToPath(url)))
    .sort()
}

/** The gateway's side, by hand, so that no code of ours answers: it takes every sale and knows every order as approved. */
async function startGateway() {
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const ids = { 'serial-number': 's-1', 'merchant-order-id': form.get('client_orderid'), 'paynet-order-id': '1' }
    const isStatus = request.url.includes('/status/')
    const reply = isStatus
      ? {
          type: 'status-response',
          ...ids,
          status: 'approved',
          'transaction-type': 'sale',
          amount: '10.00',
          currency: 'EUR',
        }
      : { type: 'async-response', ...ids }
    response.setHeader('content-type', 'application/vnd.pay+json')
    response.end(JSON.stringify(reply))
  })
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  return { server, baseUrl: new URL(`http://127.0.0.1:${server.address().port}/paynet`) }
}

const customer = {
  email: 'joan@customer.example',
  ipAddress: '198.51.100.7',
  creditCardNumber: '4444444444444448',
  cardPrintedName: 'JOAN BAKER',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '123',
  orderDesc: 'Two cups',
}

/** Runs a walk twice, and counts the second time: what only the first call does is no part of the way. */
async function count(walk) {
  await walk('o-1')
  await filesSince()
  await walk('o-2')
  return filesSince()
}

async function sale() {
  const { createClient } = await load('client')
  const { memoryStore } = await load('protocol')
  const { server, baseUrl } = await startGateway()
  const client = createClient({ baseUrl, endpointId: '39', login, controlKey, store: memoryStore() })
  const files = await count(clientOrderId => client.sale({ clientOrderId, ...price, ...customer }))
  await client.close?.()
  server.close()
  return files
}

async function callback() {
  const [{ createClient }, { memoryStore }, middleware, { default: express }] = await Promise.all([
    load('client'),
    load('protocol'),
    load('express-middleware'),
    import(pathToFileURL(join(root, 'packages/express-middleware/node_modules/express/index.js')).href),
  ])
  const { server, baseUrl } = await startGateway()
  const store = memoryStore()
  const client = createClient({ baseUrl, endpointId: '39', login, controlKey, store })
  const told = []
  const app = express()
  app.all(
    '/callback',
    middleware.receiveCallbacks({
      merchant: { controlKeys: controlKey, client },
      store,
      onOutcome: outcome => void told.push(outcome),
      onReport: () => undefined,
      interval: 0,
    }),
  )
  const shop = await new Promise(done => {
    const listening = app.listen(0, '127.0.0.1', () => done(listening))
  })
  for (const clientOrderId of ['o-1', 'o-2']) await client.sale({ clientOrderId, ...price, ...customer })
  const files = await count(async clientOrderId => {
    const query = new URLSearchParams({
      status: 'approved',
      orderid: '1',
      merchant_order: clientOrderId,
      client_orderid: clientOrderId,
      type: 'sale',
      amount: '10.00',
      control: sha1('approved', '1', clientOrderId, controlKey),
    })
    const answer = await fetch(`http://127.0.0.1:${shop.address().port}/callback?${query}`)
    if (answer.status !== 200)
      throw new Error(`The callback was answered with ${answer.status}: ${await answer.text()}`)
  })
  if (told.length !== 2) throw new Error(`The handler was told ${told.length} times.`)
  shop.close()
  server.close()
  return files
}

async function fake() {
  const { createFakeGateway } = await load('testing')
  const gateway = createFakeGateway({ login, controlKey, endpointId: '39' })
  const { baseUrl } = await gateway.listen()
  const files = await count(async clientOrderId => {
    const body = new URLSearchParams({
      client_orderid: clientOrderId,
      order_desc: customer.orderDesc,
      ...price,
      email: customer.email,
      ipaddress: customer.ipAddress,
      credit_card_number: customer.creditCardNumber,
      card_printed_name: customer.cardPrintedName,
      expire_month: customer.expireMonth,
      expire_year: customer.expireYear,
      cvv2: customer.cvv2,
      first_name: 'Joan',
      last_name: 'Baker',
      address1: '12 St James Square',
      city: 'London',
      zip_code: 'SW1Y 4LB',
      country: 'GB',
      phone: '+442079460000',
      control: sha1('39', clientOrderId, '1000', customer.email, controlKey),
    })
    const answer = await fetch(`${baseUrl}/api/v2/sale/39`, {
      method: 'POST',
      headers: { accept: 'application/vnd.pay+json' },
      body,
    })
    const text = await answer.text()
    if (!text.includes('async-response')) throw new Error(`The fake answered: ${text}`)
  })
  await gateway.close()
  return files
}

const withFiles = process.argv.includes('--files')
for (const [name, walk] of Object.entries({ 'a sale': sale, 'a callback': callback, 'a request in the fake': fake })) {
  const files = await walk()
  console.log(`${name}: ${files.length} files`)
  if (withFiles) console.log(files.map(file => `  ${file}`).join('\n'))
}
session.disconnect()
process.exit(0)
