/** `client.sale` beside its peers. */
import { handWrittenFetch } from '../peers/fetch.js'
import { stripeNode } from '../peers/stripe.js'
import { tillkit } from '../peers/tillkit.js'
import { bareUndici } from '../peers/undici.js'
import { connections, sideBySide } from '../side-by-side.js'
import { startServer } from '../start-server.js'

const server = await startServer()
const { port } = server
const { perSecond, microseconds, speedRatio, cpuRatio } = await sideBySide({
  ours: tillkit(port),
  'bare undici': await bareUndici(port, { connections }),
  fetch: handWrittenFetch(port),
  'stripe-node': stripeNode(port),
})
server.stop()

const kept = (figures, names) => Object.fromEntries(names.map(name => [name, figures[name]]))

const [name, ours] = ['Sale', 'ours']

export const rows = [
  {
    name,
    against: 'times the throughput of bare undici',
    ratio: speedRatio(ours, 'bare undici'),
    atLeast: 0.7,
    perSecond: kept(perSecond, [ours, 'bare undici']),
  },
  {
    name,
    against: 'times the CPU time of bare undici for each request',
    ratio: cpuRatio(ours, 'bare undici'),
    atMost: 1.5,
    microseconds: kept(microseconds, [ours, 'bare undici']),
  },
  {
    name,
    against: 'times the throughput of fetch with hand-written signing',
    ratio: speedRatio(ours, 'fetch'),
    atLeast: 4,
    perSecond: kept(perSecond, [ours, 'fetch']),
  },
  {
    name,
    against: 'times the throughput of stripe-node',
    ratio: speedRatio(ours, 'stripe-node'),
    atLeast: 4.5,
    perSecond: kept(perSecond, [ours, 'stripe-node']),
  },
]
