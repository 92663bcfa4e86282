/**
 * `npm run bench:memory -- 100000`: what a till keeps in memory of sales that are over, after so many of them, with its store in a file of
 * SQLite. It prints the heap after each tenth of them, and how much it grew for each 10,000 in the second half. Started by hand; with
 * `--write` its figures go to docs/evidence.
 *
 * Nine of ten sales are told by a callback; the callback of the tenth is lost, and the work in the background tells it. Somebody waits for each.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTill } from '@tillkit/till'
import { sqliteStore } from '@tillkit/till/sqlite'
import { writeResult } from '../../../scripts/evidence/result.js'

const startedAt = new Date()
const sales = Number(process.argv[2] ?? 100_000)
const step = Math.max(1, Math.floor(sales / 10))
const callers = 32
const silentEvery = 10
const minutes = 60_000

const gateway = fork(fileURLToPath(new URL('gateway.js', import.meta.url)))
const [account] = await once(gateway, 'message')
const folder = mkdtempSync(join(tmpdir(), 'tillkit-'))
let ahead = 0
const clock = () => Date.now() + ahead
const store = sqliteStore(join(folder, 'shop.db'), { clock })
const server = createServer((request, response) => routes(request, response, () => response.writeHead(404).end()))
await once(server.listen(0, '127.0.0.1'), 'listening')
let told = 0
let unknown = 0
const till = createTill({
  account: { ...account, clock },
  store,
  address: `http://127.0.0.1:${server.address().port}`,
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: () => {
    told += 1
  },
  statusPerSecond: 1_000,
  clock,
})
const routes = till.express()

async function sell(index) {
  const reference = `sale-${index}`
  const { payment } = await till.pay({ reference, amount: '10.00', currency: 'EUR', email: 'ada@shop.example' })
  let [{ orderId }] = payment.orders
  // On a busy machine an answer may come too late for who waited for it.
  for (let tries = 0; orderId === undefined && tries < 100; tries += 1) {
    await new Promise(resolve => setTimeout(resolve, 1_000))
    const asked = await till.ask(reference)
    orderId = asked.orders[0].orderId
  }
  // Its connection broke before the gateway read it: without a word for that, a person decides.
  if (orderId === undefined) {
    unknown += 1
    return
  }
  const isSilent = index % silentEvery === 0
  gateway.send({ orderId, isSilent })
  if (!isSilent) await till.wait(reference)
}

async function sellFrom(first, count) {
  let next = first
  const sellOn = async () => {
    while (next < first + count) await sell(next++)
  }
  await Promise.all(Array.from({ length: callers }, sellOn))
  // Sales without a callback are due once no request can be on its way.
  ahead += 5 * minutes
  const isDone = () => told + unknown >= first + count
  for (let tries = 0; !isDone() && tries < 1_000; tries += 1) {
    await till.tick()
    if (!isDone()) ahead += minutes
  }
}

const heaps = []
for (let done = 0; done < sales; done += step) {
  await sellFrom(done, step)
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc()
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  const heap = process.memoryUsage().heapUsed
  heaps.push({ sales: done + step, heap })
  process.stdout.write(
    `${String(done + step).padStart(9)} sales, ${told} told, ${unknown} unknown: ${(heap / 1e6).toFixed(1)} MB\n`,
  )
}
const half = heaps.slice(Math.floor(heaps.length / 2))
const growth = ((half.at(-1).heap - half[0].heap) / (half.at(-1).sales - half[0].sales)) * 10_000
process.stdout.write(`${(growth / 1e3).toFixed(0)} kB more for each 10,000 sales, in the second half\n`)

server.closeAllConnections()
server.close()
await till.close()
await store.close()
gateway.disconnect()
rmSync(folder, { recursive: true, force: true })
if (process.argv.includes('--write')) {
  const figures = { sales, told, unknown, growth: Math.round(growth), heaps }
  const violations = told + unknown === sales ? [] : [`${sales - told - unknown} sales were not told`]
  writeResult('memory', { run: 'npm run bench:memory', startedAt, figures, violations })
}
