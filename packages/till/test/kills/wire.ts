/**
 * The line between the process that pays and the gateway: it outlives the process, and decides what becomes of the bytes.
 *
 * @module
 */
import { connect, createServer, type Socket } from 'node:net'
import { type Blow, type WirePoint, wirePoints } from './points.js'

/** The line, and what is done to it. */
export interface Wire {
  readonly port: number
  /** The blow of the next life, and how it is dealt. */
  arm(blow: (Blow & { readonly reference: string }) | undefined, kill: () => void): void
  /** The process says which step it begins. */
  step(context: string, reference: string): void
  /** Lets what is held go on, and resolves once nothing is on its way to the gateway any more. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** @param lateness - How late a late request arrives, in milliseconds; `'held'`: not before `idle`. */
export async function wireTo(port: number, lateness: number | 'held'): Promise<Wire> {
  const sockets = new Set<Socket>()
  const onTheWay = new Set<Promise<void>>()
  const held: (() => void)[] = []
  let armed: (Blow & { readonly reference: string }) | undefined
  let kill = () => {}
  let now = { context: '', reference: '', requests: 0 }
  let left = 0

  /** A request has begun: the point that it is struck at, if it is. */
  const struck = (): WirePoint | undefined => {
    now.requests += 1
    if (armed === undefined || armed.context !== now.context || armed.reference !== now.reference) return undefined
    const point = wirePoints.find(each => each === armed?.point)
    if (point === undefined || armed.nth !== now.requests) return undefined
    left -= 1
    return left === -1 ? point : undefined
  }

  /** Hands a request over, and waits until the gateway has answered it or will not. */
  const deliver = (bytes: Buffer, after: number | 'held'): void => {
    const delivered = new Promise<void>(resolve => {
      const begin = () => {
        const upstream = connect(port, '127.0.0.1')
        sockets.add(upstream)
        upstream.on('error', () => {})
        upstream.on('close', () => {
          sockets.delete(upstream)
          resolve()
        })
        upstream.on('data', () => upstream.end())
        upstream.write(bytes)
      }
      if (after === 'held') held.push(begin)
      else setTimeout(begin, after)
    })
    onTheWay.add(delivered)
    void delivered.then(() => onTheWay.delete(delivered))
  }

  const strike = (point: WirePoint, bytes: Buffer, upstream: Socket): void => {
    if (point === 'wire.request-half') upstream.end(bytes.subarray(0, Math.floor(bytes.length / 2)))
    else upstream.end()
    if (point === 'wire.request-forwarded') deliver(bytes, 0)
    if (point === 'wire.request-late') deliver(bytes, lateness)
    kill()
  }

  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    let point: WirePoint | undefined
    let request = Buffer.alloc(0)
    client.on('data', chunk => {
      if (chunk.subarray(0, 5).toString('latin1') === 'POST ') {
        point = struck()
        request = Buffer.alloc(0)
      }
      if (point?.startsWith('wire.request') !== true) {
        upstream.write(chunk)
        return
      }
      request = Buffer.concat([request, chunk])
      if (isWhole(request)) strike(point, request, upstream)
    })
    upstream.on('data', chunk => {
      if (point?.startsWith('wire.answer') !== true) {
        client.write(chunk)
        return
      }
      if (point === 'wire.answer-half') client.write(chunk.subarray(0, Math.floor(chunk.length / 2)))
      kill()
    })
    client.on('close', () => upstream.end())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return {
    port: address.port,
    arm(blow, by) {
      armed = blow
      kill = by
      left = blow?.skip ?? 0
    },
    step(context, reference) {
      now = { context, reference, requests: 0 }
    },
    async idle() {
      for (const begin of held.splice(0)) begin()
      while (onTheWay.size > 0) await Promise.all(onTheWay)
    },
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Whether all of a request is there. */
function isWhole(request: Buffer): boolean {
  const head = request.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(request.subarray(0, Math.max(0, head)).toString('latin1'))?.[1]
  return head >= 0 && request.length >= head + 4 + Number(length ?? 0)
}
