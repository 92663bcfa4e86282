/** Pages of the dashboard with ten thousand orders. */

import { request } from 'undici'
import { median } from '../../../../bench/median.js'
import { startBusyGateway } from '../busy-gateway.js'

const { gateway, origin } = await startBusyGateway()

async function pageTime(path) {
  const start = performance.now()
  const { statusCode, body } = await request(`${origin}/__gateway/${path}`)
  const text = await body.text()
  const took = performance.now() - start
  if (statusCode !== 200 || !/>\d+ status<|>order-\d+</.test(text)) throw new Error(`${path}: HTTP ${statusCode}`)
  return took
}

const against = 'ms until the last byte'
const first = await pageTime('')
const rows = [{ name: 'Overview, the first page', against, ratio: first, atMost: 200 }]
for (const [name, path] of [
  ['Overview', ''],
  ['Orders, the first page', 'orders'],
  ['Orders, the last page', 'orders?page=200'],
  ['Orders, one sought by its id', 'orders?q=order-4711'],
  ['Requests, the first page', 'requests'],
  ['Requests, those of one order', 'requests?q=order-4711'],
]) {
  const times = []
  for (let round = 0; round < 21; round += 1) times.push(await pageTime(path))
  rows.push({ name, against, ratio: median(times), atMost: 200 })
}
await gateway.close()

export { rows }
