/**
 * Threads that serve one store after the other. Starting a thread takes longer than most checks of a store.
 *
 * @module
 */
import { EventEmitter } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'

/** A thread of its own, for the program that is started in it; `require` gives it the port and the data of a worker. */
const program = `
const threads = require('node:worker_threads')
threads.parentPort.on('message', ({ text, workerData, port }) => {
  const own = { ...threads, parentPort: port, workerData }
  new Function('require', text)(path => (path === 'node:worker_threads' ? own : require(path)))
})
`

/** A worker as a store sees it: it ends when its program closes its port, and its thread may serve the next one. */
class LentWorker extends EventEmitter {
  readonly #port: MessagePort

  constructor(port: MessagePort) {
    super()
    this.#port = port
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message)
  }

  ref(): void {
    this.#port.ref()
  }

  unref(): void {
    this.#port.unref()
  }
}

/** Makes what lends threads. */
export function createThreads() {
  const all = new Set<Worker>()
  const idle: Worker[] = []
  const startOne = (): Worker => {
    const thread = new Worker(program, { eval: true, execArgv: [] })
    thread.unref()
    all.add(thread)
    thread.once('exit', () => all.delete(thread))
    return thread
  }
  return {
    /** @param mayEnd Whether the program ends its thread: then no other one is started in it. */
    start({ text, workerData, mayEnd }: { text: string; workerData: unknown; mayEnd: () => boolean }): Worker {
      const thread = idle.pop() ?? startOne()
      const { port1: port, port2 } = new MessageChannel()
      const lent = new LentWorker(port)
      const ended = (code: number) => {
        thread.off('exit', ended)
        lent.emit('exit', code)
      }
      thread.once('exit', ended)
      port.on('message', message => lent.emit('message', message))
      port.once('close', () => {
        if (mayEnd()) return
        idle.push(thread)
        ended(0)
      })
      thread.postMessage({ text, workerData, port: port2 }, [port2])
      return lent as EventEmitter as Worker
    },
    /** Ends every thread. */
    async end(): Promise<void> {
      await Promise.all([...all].map(each => each.terminate()))
    },
  }
}
