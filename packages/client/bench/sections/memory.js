/** Resident memory after many requests in a row. It takes minutes; `--quick` leaves it out. */
import { memoryStore } from '@tillkit/protocol'
import { tillkit } from '../peers/tillkit.js'
import { startServer } from '../start-server.js'

const first = 200_000
const last = 1_000_000

async function growth(options) {
  const server = await startServer()
  const { send, stop } = tillkit(server.port, options)
  const sizes = {}
  for (let sent = 1; sent <= last; sent++) {
    await send()
    if (sent === first || sent === last) sizes[sent] = process.memoryUsage().rss
  }
  await stop()
  server.stop()
  return sizes[last] / sizes[first]
}

const plain = await growth({})
const remembering = await growth({ store: memoryStore() })
const name = `${last} sales in a row`
const against = `times the resident memory after ${first}`

export const rows = [
  { name, against, ratio: plain, atMost: 1.1 },
  { name: `${name}, with an attempts port`, against, ratio: remembering, atMost: 1.1 },
]
