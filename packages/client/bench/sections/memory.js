/** Resident memory after many requests in a row. It takes minutes: `pnpm bench --memory`. */
import { memoryAttempts } from '@tillkit/client'
import { tillkit } from '../peers/tillkit.js'
import { startServer } from '../start-server.js'

const first = 200_000
const last = 1_000_000

async function residentSizes(options) {
  const server = await startServer()
  const { send, stop } = tillkit(server.port, options)
  const sizes = {}
  for (let sent = 1; sent <= last; sent++) {
    await send()
    if (sent === first || sent === last) sizes[sent] = process.memoryUsage().rss
  }
  await stop()
  server.stop()
  return { growth: sizes[last] / sizes[first], perRequest: (sizes[last] - sizes[first]) / (last - first) }
}

const plain = await residentSizes({})
const remembering = await residentSizes({ attempts: memoryAttempts() })
const name = `${last} sales in a row`
const against = `times the resident memory after ${first}`

export const rows = [
  { name, against, ratio: plain.growth, atMost: 1.1 },
  { name: `${name}, with memoryAttempts`, against, ratio: remembering.growth },
  { name: `${name}, with memoryAttempts`, against: 'bytes more for each of them', ratio: remembering.perRequest },
]
