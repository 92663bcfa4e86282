/** The cost of `till.client`, which writes each request down with its store in memory, beside the client alone. */
import { createTill } from '@tillkit/till'
import { tillkit } from '../../../client/bench/peers/tillkit.js'
import { controlKey, endpointId, login, nextOrderId, prefix, saleOf } from '../../../client/bench/sale.js'
import { sideBySide } from '../../../client/bench/side-by-side.js'
import { startServer } from '../../../client/bench/start-server.js'
import { memory } from '../engines/memory.js'

const server = await startServer()
const till = createTill({
  account: { baseUrl: `http://127.0.0.1:${server.port}${prefix}`, endpointId, login, controlKey },
  store: memory(),
  returnTo: () => '/',
  onOutcome: 'told-elsewhere',
})
const { perSecond, microseconds, cpuRatio } = await sideBySide({
  'till.client': {
    send: async () => (await till.client.sale(saleOf(nextOrderId()))).orderId,
    stop: () => till.close(),
  },
  client: tillkit(server.port),
})
server.stop()

export const rows = [
  {
    name: 'till.client.sale, store in memory',
    against: 'times the CPU time of client.sale',
    ratio: cpuRatio('till.client', 'client'),
    atMost: 2,
    microseconds,
    perSecond,
  },
]
