/** Resident memory with a hundred thousand orders kept, and with twice as many sent. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createFakeGateway } from '@tillkit/testing'
import { saleRequest, send } from '../signed-requests.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const gateway = createFakeGateway()
const options = gateway.clientOptions
const megabytes = () => {
  collect()
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed / 1e6, resident: rss / 1e6 }
}

const kept = 100_000
const before = megabytes()
const grown = []
for (let number = 1; number <= 2 * kept; number++) {
  await send(gateway.dispatcher, saleRequest(options, `order-${number}`))
  if (number % kept !== 0) continue
  const now = megabytes()
  grown.push({ heap: now.heap - before.heap, resident: now.resident - before.resident })
}

const heap = 'MB of heap more than at the start'
const resident = 'MB of resident size more than at the start'
const [once, twice] = grown
export const rows = [
  { name: '100,000 orders', against: heap, ratio: once.heap, atMost: 300 },
  { name: '100,000 orders', against: resident, ratio: once.resident },
  { name: '200,000 orders, of which 100,000 are kept', against: heap, ratio: twice.heap, atMost: 300 },
  { name: '200,000 orders, of which 100,000 are kept', against: resident, ratio: twice.resident },
]
