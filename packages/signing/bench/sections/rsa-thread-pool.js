/** 1000 RSA-SHA256 headers on the thread pool, four at a time: does the event loop stay free, and is it sooner done? */
import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createRequestSigner, importPrivateKey, rsaSha256Signer } from '@tillkit/signing'
import { median } from '../../../../bench/median.js'
import { address, consumerKey, parametersOf, privateKeyPem } from '../requests.js'

const headers = 1000
const rounds = 5
const url = new URL(address)
const parameters = parametersOf(16)
const key = importPrivateKey(privateKeyPem)
const onThread = createRequestSigner({ consumerKey, signer: rsaSha256Signer(key) })
const onPool = createRequestSigner({ consumerKey, signer: rsaSha256Signer(key, { threadPool: true }) })
const fresh = () => ({ url, parameters, timestamp: Math.floor(Date.now() / 1000), nonce: randomUUID() })

async function poolRound() {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const start = performance.now()
  let left = headers
  const worker = async () => {
    while (left-- > 0) await onPool.header(fresh())
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  const time = performance.now() - start
  delay.disable()
  return { time, delay: delay.percentile(99) / 1e6 }
}

function threadRound() {
  const start = performance.now()
  for (let left = headers; left > 0; left--) onThread.headerSync(fresh())
  return performance.now() - start
}

const pool = []
const thread = []
for (let round = 0; round < rounds; round++) {
  pool.push(await poolRound())
  thread.push(threadRound())
}
const microseconds = {
  'thread pool': (median(pool.map(({ time }) => time)) * 1000) / headers,
  'calling thread': (median(thread) * 1000) / headers,
}
const name = `${headers} RSA-SHA256 headers on the thread pool, four at a time`

export const rows = [
  {
    name,
    against: 'ms of event-loop delay, 99th percentile (1 ms is the resolution)',
    ratio: median(pool.map(({ delay }) => delay)),
    atMost: 3,
    microseconds,
  },
  {
    name,
    against: 'times the time on the calling thread',
    ratio: median(pool.map(({ time }, round) => time / thread[round])),
    atMost: 0.65,
    microseconds,
  },
]
