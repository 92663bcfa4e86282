/** Hosted sales from `till.pay` to the handler: how many a second, what they write, and what the till adds to the client alone. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createClient } from '@tillkit/client'
import { createTill } from '@tillkit/till'
import { median } from '../../../../bench/median.js'
import { memory } from '../engines/memory.js'
import { engines } from '../engines.js'

const callers = 32
const sales = 2_000
const pairs = 400

export const rows = []

const gateway = fork(fileURLToPath(new URL('../gateway.js', import.meta.url)))
const [account] = await once(gateway, 'message')
const request = {
  amount: '10.00',
  currency: 'EUR',
  email: 'ada@shop.example',
  phone: '+442079460000',
  ipAddress: '203.0.113.7',
  address1: '12 St James Square',
  city: 'London',
  zipCode: 'SW1Y 4LB',
  country: 'GB',
  orderDesc: 'A list',
}
let last = 0
const nextReference = () => `bench-${process.pid}-${++last}`

/** A shop on a till, whose customers pay as soon as they have the form. */
async function openShop(store) {
  const told = new Map()
  const server = createServer((incoming, response) => routes(incoming, response, () => response.writeHead(404).end()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const till = createTill({
    account,
    store,
    address: `http://127.0.0.1:${server.address().port}`,
    returnTo: ({ reference }) => `/orders/${reference}`,
    onOutcome: ({ payment: { reference } }) => void told.get(reference)?.(),
  })
  const routes = till.express()
  return {
    async sell() {
      const reference = nextReference()
      const heard = new Promise(resolve => told.set(reference, resolve))
      const { payment } = await till.pay({ reference, ...request })
      gateway.send(payment.orders[0].orderId)
      await heard
      told.delete(reference)
    },
    pay: () => till.pay({ reference: nextReference(), ...request }),
    async close() {
      server.closeAllConnections()
      server.close()
      await till.close()
    },
  }
}

async function salesPerSecond({ sell }, count) {
  let begun = 0
  const start = performance.now()
  const sellOn = async () => {
    while (begun++ < count) await sell()
  }
  await Promise.all(Array.from({ length: callers }, sellOn))
  return (count * 1000) / (performance.now() - start)
}

const stores = [
  { name: 'memory', open: () => ({ coalesced: memory(), close: async () => {} }) },
  ...engines.map(({ name, open }) => ({ name, open })),
]

for (const { name, open } of stores) {
  const { coalesced: store, close } = await open()
  // All processes together write the limit of questions a second, however many sales there are.
  const writes = { sales: 0, pace: 0 }
  const counting = name => ({
    [name]: (key, ...given) => {
      writes[key.startsWith('payment/') ? 'sales' : 'pace'] += 1
      return store[name](key, ...given)
    },
  })
  const counted = { ...store, ...counting('write'), ...(store.commit === undefined ? {} : counting('commit')) }
  const shop = await openShop(counted)
  await salesPerSecond(shop, sales / 4)
  Object.assign(writes, { sales: 0, pace: 0 })
  const rate = await salesPerSecond(shop, sales)
  const at = `Hosted sales from pay to told, ${callers} at a time, ${name}`
  rows.push(
    {
      name: at,
      against: 'durable writes a sale',
      ratio: writes.sales / sales,
      atMost: 4,
      perSecond: { [name]: rate },
    },
    { name: at, against: 'durable writes of the pace a second', ratio: (writes.pace * rate) / sales },
  )
  await shop.close()
  await close?.()
}

// Compares, in turn, the time of one sale by the till, with its store in memory, and by the client alone.
const shop = await openShop(memory())
const client = createClient(account)
const times = { till: [], client: [] }
for (let pair = 0; pair < pairs; pair += 1) {
  const tries = [
    ['till', shop.pay],
    [
      'client',
      () => client.saleForm({ clientOrderId: nextReference(), redirectUrl: 'https://shop.example', ...request }),
    ],
  ]
  for (const [kind, run] of pair % 2 === 0 ? tries : tries.toReversed()) {
    const start = performance.now()
    await run()
    times[kind].push(performance.now() - start)
  }
}
rows.push({
  name: 'Opening a form, one at a time, store in memory',
  against: 'milliseconds more than the client alone takes',
  ratio: median(times.till.map((each, pair) => each - times.client[pair])),
  microseconds: { till: 1000 * median(times.till), client: 1000 * median(times.client) },
})
await shop.close()
await client.close()
gateway.disconnect()
