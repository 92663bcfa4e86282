/** Resident memory after many requests in a row. It takes minutes; `--quick` leaves it out. */
import { tillkit } from '../peers/tillkit.js'
import { startServer } from '../start-server.js'

const first = 200_000
const last = 1_000_000

const server = await startServer()
const { send, stop } = tillkit(server.port)
const sizes = {}
for (let sent = 1; sent <= last; sent++) {
  await send()
  if (sent === first || sent === last) sizes[sent] = process.memoryUsage().rss
}
await stop()
server.stop()

export const rows = [
  {
    name: `${last} sales in a row`,
    against: `times the resident memory after ${first}`,
    ratio: sizes[last] / sizes[first],
    atMost: 1.1,
  },
]
