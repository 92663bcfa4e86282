/**
 * One parser is given inputs until the time is up or a promise is broken, in a thread of its own, so that one that hangs is noticed.
 *
 * @module
 */
import { Worker } from 'node:worker_threads'

/** The record of one campaign, and what broke it. */
export interface Campaign {
  readonly parser: string
  readonly cases: number
  readonly seconds: number
  /** The longest time that one input took, in milliseconds. */
  readonly slowest: number
  readonly broken?: { readonly what: string; readonly input: Buffer; readonly seed: number }
}

/** The data that a thread is started with. The input that is being examined stands in `shared`: its length and its bytes. */
export interface Order {
  readonly parser: string
  readonly seconds: number
  readonly seed: number
  readonly shared: SharedArrayBuffer
}

/** Longest time for one input, in milliseconds. It means "it hangs". */
const longest = 20_000

/** Bytes of an input that is remembered while it is examined. */
const most = 1_000_000

/** The places of the counter, the length and the bytes. */
export const shared = (buffer: SharedArrayBuffer) => ({
  counter: new Int32Array(buffer, 0, 1),
  length: new Int32Array(buffer, 4, 1),
  bytes: new Uint8Array(buffer, 8),
})

/** Runs a campaign to its end. */
export function campaign(order: Omit<Order, 'shared'>): Promise<Campaign> {
  const buffer = new SharedArrayBuffer(most + 8)
  const { counter, length, bytes } = shared(buffer)
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { ...order, shared: buffer } })
  return new Promise((resolve, reject) => {
    let [seen, since] = [-1, performance.now()]
    const watch = setInterval(() => {
      const now = Atomics.load(counter, 0)
      if (now !== seen) [seen, since] = [now, performance.now()]
      if (seen <= 0 || performance.now() - since < longest) return
      const input = Buffer.from(bytes.slice(0, length[0]))
      const broken = { what: `takes longer than ${longest / 1000} s`, input, seed: order.seed }
      finish({ parser: order.parser, cases: seen, seconds: order.seconds, slowest: longest, broken })
    }, 1000)
    const finish = (result: Campaign) => {
      clearInterval(watch)
      resolve(result)
      void worker.terminate()
    }
    worker.on('message', finish)
    worker.on('error', error => {
      clearInterval(watch)
      reject(error)
    })
  })
}
