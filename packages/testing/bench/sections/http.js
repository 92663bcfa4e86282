/** Control-signed requests over HTTP, from a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createFakeGateway } from '@tillkit/testing'
import { measureBatches } from '../batches.js'
import { saleRequest, statusRequest } from '../signed-requests.js'

const gateway = createFakeGateway()
const { port } = await gateway.listen()
const options = gateway.clientOptions
const sender = spawn(process.execPath, [fileURLToPath(new URL('../send-batches.js', import.meta.url)), String(port)], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})

async function tell(message, expected) {
  sender.send(message)
  const [answer] = await once(sender, 'message')
  if (answer !== expected) throw new Error(String(answer))
}

const written = ({ path, method, headers, body }) =>
  [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')

const rowOf = async (name, make) => {
  const { perSecond, onTheWall } = await measureBatches({
    count: 15_000,
    make: number => make(options, `order-${number}`),
    prepare: requests => tell(requests.map(written), 'ready'),
    run: () => tell('go', 'done'),
  })
  const against = 'requests a second of processor time'
  return { name, against, ratio: perSecond, atLeast: 8_000, perSecond: { 'on the wall': onTheWall } }
}

export const rows = [
  await rowOf('Control-signed sales over HTTP', saleRequest),
  await rowOf('Control-signed status requests over HTTP', statusRequest),
]

sender.disconnect()
await gateway.close()
