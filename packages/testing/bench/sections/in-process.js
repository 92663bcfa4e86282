/** Control-signed requests through the dispatcher, one after the other. */
import { createFakeGateway } from '@tillkit/testing'
import { measureBatches } from '../batches.js'
import { saleRequest, send, statusRequest } from '../signed-requests.js'

const gateway = createFakeGateway()
const { dispatcher } = gateway
const options = gateway.clientOptions
const count = 30_000

async function run(requests) {
  for (const request of requests) {
    const status = await send(dispatcher, request)
    if (status !== 200) throw new Error(`The gateway answered ${status}.`)
  }
}

const rowOf = async (name, make) => {
  const { perSecond, onTheWall } = await measureBatches({
    count,
    make: number => make(options, `order-${number}`),
    run,
  })
  const against = 'requests a second of processor time'
  return { name, against, ratio: perSecond, atLeast: 25_000, perSecond: { 'on the wall': onTheWall } }
}

export const rows = [
  await rowOf('Control-signed sales in process', saleRequest),
  await rowOf('Control-signed status requests in process', statusRequest),
]
