/**
 * The door that callbacks come through: it outlives the process, and brings each callback again until it is taken, as a gateway
 * does, but without its long pauses.
 *
 * @module
 */
import { createServer, request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Blow, DoorPoint } from './points.js'

/** The door, and what is done at it. */
export interface Door {
  /** The gateway sends callbacks to it. */
  readonly address: string
  /** The blow of the next life, and how it is dealt. */
  arm(blow: (Blow & { readonly reference: string }) | undefined, kill: () => void): void
  /** The process says which step it begins. */
  step(context: string, reference: string): void
  /** The port at which a process takes callbacks from now on; undefined: it is gone. */
  opens(port: number | undefined): void
  /** Whether callbacks wait until the process waits for them: then it is known what each of its steps is. */
  hold(isHeld: boolean): void
  /** Forgets every callback that was not taken. */
  clear(): void
  close(): Promise<void>
}

export async function openDoor(): Promise<Door> {
  let armed: (Blow & { readonly reference: string }) | undefined
  let kill = () => {}
  let now = { context: '', reference: '' }
  let port: number | undefined
  let isHeld = true
  let generation = 0
  let left = 0
  let isClosed = false

  const struck = (point: DoorPoint, step = now): boolean => {
    if (armed?.point !== point || armed.context !== step.context || armed.reference !== step.reference) return false
    left -= 1
    return left === -1
  }

  const bring = async (path: string, body: string, method: string): Promise<void> => {
    const began = generation
    const isWanted = () => began === generation && !isClosed
    const order = /client_orderid=([^&]+)|merchant_order=([^&]+)/.exec(`${path}&${body}`)
    const clientOrderId = decodeURIComponent(order?.[1] ?? order?.[2] ?? '')
    const isAwaited = () => !isHeld || (now.context.startsWith('callback') && clientOrderId.startsWith(now.reference))
    while (isWanted()) {
      const at = port
      if (at === undefined || !isAwaited()) {
        await pause(20)
        continue
      }
      if (struck('door.request-lost')) {
        kill()
        await pause(50)
        continue
      }
      // The process may be at its next step before its answer is here.
      const step = now
      const status = await forward({ path, body, method, port: at }).catch(() => 0)
      if (struck('door.answer-lost', step)) kill()
      else if (status === 200 || status === 403) return
      await pause(50)
    }
  }

  const server = createServer((request, response) => {
    void text(request).then(body => {
      response.end()
      // Nobody takes the callbacks of payments that status is asked about.
      if (request.url?.startsWith('/payments')) return undefined
      return bring(request.url ?? '/', body, request.method ?? 'GET')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return {
    address: `http://127.0.0.1:${address.port}/callback`,
    arm(blow, by) {
      armed = blow
      kill = by
      left = blow?.skip ?? 0
    },
    step(context, reference) {
      now = { context, reference }
    },
    opens(at) {
      port = at
    },
    hold(held) {
      isHeld = held
    },
    clear() {
      generation += 1
    },
    async close() {
      isClosed = true
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

interface Parcel {
  readonly path: string
  readonly body: string
  readonly method: string
  readonly port: number
}

/** @returns The status of the answer. */
function forward({ path, body, method, port }: Parcel): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Connection: 'close' }
    const sent = send({ host: '127.0.0.1', port, path, method, headers, timeout: 10_000 }, answer => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error('No answer came.')))
    sent.end(body)
  })
}
