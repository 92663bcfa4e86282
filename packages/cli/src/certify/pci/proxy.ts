import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { isLoopbackHost } from '@tillkit/protocol'
import type { Search } from '../search/search.js'
import { openPart, type PartResult, safeText } from './part.js'
import { type PlaceResult, placeOf } from './places.js'

/** A host to which encrypted connections went, which were not looked into. */
export interface Tunnel {
  readonly host: string
  readonly connections: number
  readonly bytes: number
}

/** A proxy for what a shop sends out. */
export interface SearchingProxy {
  readonly origin: string
  close(): Promise<PlaceResult & { readonly tunnels: readonly Tunnel[]; readonly toGateway: number }>
}

/** Headers that are for the proxy alone. */
const ofProxy = new Set(['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive'])
/** The header of a request whose body is packed, and most characters of it that are looked at. */
const [packedBody, longestHeader] = [/\ncontent-encoding:[ \t]*(?!identity)[a-z]/i, 40]
/** First byte of TLS: a handshake record. */
const tlsHandshake = 0x16

/**
 * Starts a proxy on this machine, which hands on what it is sent and searches it on the way out. What goes to the gateway is not
 * searched: card numbers belong there.
 *
 * @param gateways Origins of the gateway.
 */
export async function startProxy(port: number, gateways: readonly URL[], search: Search): Promise<SearchingProxy> {
  const parts: Promise<PartResult>[] = []
  const tunnels = new Map<string, { connections: number; bytes: number }>()
  const sockets = new Set<Socket>()
  let toGateway = 0
  let refused = 0

  // Whatever it is called by others: nothing else listens on its port of this machine.
  const isGateway = (url: URL): boolean =>
    gateways.some(each => each.host === url.host || (each.port === url.port && isLoopbackHost(url.hostname)))

  const searchRequest = async (incoming: IncomingMessage, url: URL): Promise<PartResult> => {
    const part = openPart(`${incoming.method} ${url.host}`, search)
    const body = openPart(`body of ${incoming.method} ${url.host}`, search)
    const headers = incoming.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\n`)).join('')
    // A copy is read here: the request itself flows on to where it is going.
    const writing = [part.push(Buffer.from(`${incoming.method} ${incoming.url}\n${headers}\n`))]
    incoming.on('data', (bytes: Buffer) => writing.push(part.push(bytes), body.push(bytes)))
    // An incomplete request that was answered is closed with its connection alone.
    const { socket } = incoming
    await new Promise<void>(resolve => {
      const close = (): void => {
        socket.off('close', close)
        resolve()
      }
      incoming.once('close', close)
      socket.once('close', close)
    })
    await Promise.all(writing)
    const [whole, inner] = [await part.end(), await body.end()]
    // Only the body begins with the sign of its packing, so only there is it unpacked.
    const unpacked = inner.hits.filter(({ form }) => form.endsWith(', in gzip'))
    const { 'content-encoding': encoding = 'gzip' } = incoming.headers
    const isSearched = inner.isEmpty || /^(x-)?gzip$|^identity$/i.test(encoding)
    const packed = isSearched ? undefined : 'its body is packed, and was not unpacked'
    const note = inner.part.note ?? packed
    return {
      ...whole,
      part: note === undefined ? whole.part : { ...whole.part, note },
      hits: [...whole.hits, ...unpacked],
    }
  }

  const forward = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined
    if (url?.protocol !== 'http:') {
      refused += 1
      answer.writeHead(400).end('This is a proxy: ask it for an address that begins with http://, or for a tunnel.\n')
      return
    }
    if (isGateway(url)) toGateway += 1
    else parts.push(searchRequest(incoming, url))
    const headers = Object.entries(incoming.headers).filter(([name]) => !ofProxy.has(name))
    const outgoing = request(
      url,
      { method: incoming.method, headers: Object.fromEntries(headers), agent: false },
      reply => {
        answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
        pipeline(reply, answer, () => undefined)
      },
    )
    outgoing.on('error', () => {
      if (!answer.headersSent) answer.writeHead(502)
      answer.end()
    })
    incoming.pipe(outgoing)
  }

  const searchTunnel = async (from: Socket, to: string, head: Buffer): Promise<PartResult> => {
    const part = openPart(`tunnel to ${to}`, search)
    const host = safeText(to, search)
    const counted = tunnels.get(host) ?? { connections: 0, bytes: 0 }
    let isEncrypted: boolean | undefined
    let [isPacked, last] = [false, '']
    const take = async (bytes: Buffer): Promise<void> => {
      if (bytes.length === 0) return
      if (isEncrypted === undefined) {
        isEncrypted = bytes[0] === tlsHandshake
        if (isEncrypted) tunnels.set(host, counted)
        counted.connections += 1
      }
      if (isEncrypted) {
        counted.bytes += bytes.length
        return
      }
      // A header may go on in the next piece.
      last += bytes.toString('latin1')
      isPacked ||= packedBody.test(last)
      last = last.slice(-longestHeader)
      await part.push(bytes)
    }
    // Its name is no secret to anyone on the way.
    const taking = [part.push(Buffer.from(`CONNECT ${to}\n`)), take(head)]
    from.on('data', (bytes: Buffer) => taking.push(take(bytes)))
    await new Promise<void>(resolve => from.once('close', () => resolve()))
    await Promise.all(taking)
    const result = await part.end()
    const packed = isPacked ? 'a packed body in it was not unpacked' : undefined
    const note = isEncrypted ? 'what is encrypted in it was not looked at' : packed
    return note === undefined ? result : { ...result, part: { ...result.part, note } }
  }

  const server = createServer(forward)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    // The server no longer hears of it.
    socket.on('error', () => socket.destroy())
    const address = `http://${incoming.url}`
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (url === undefined) {
      refused += 1
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      return
    }
    if (isGateway(url)) toGateway += 1
    else parts.push(searchTunnel(socket, url.host, head))
    const other = connect(Number(url.port) || 80, url.hostname.replace(/^\[|\]$/g, ''), () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      other.write(head)
      pipeline(socket, other, () => undefined)
      pipeline(other, socket, () => undefined)
    })
    sockets.add(other)
    other.once('close', () => sockets.delete(other))
    other.on('error', () => socket.destroy())
    socket.on('error', () => other.destroy())
  })
  // A client that breaks off is no concern of the others.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The codes of what is not HTTP.
    if (error.code?.startsWith('HPE_')) refused += 1
    socket.destroy()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    throw new Error(`The proxy cannot listen on port ${port}: ${code}. Choose another, or 0 for any free one.`, {
      cause,
    })
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    async close() {
      server.close()
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      const results = await Promise.all(parts)
      const problems = []
      if (refused > 0)
        problems.push(
          `It refused ${refused === 1 ? 'a request' : `${refused} requests`}, and did not search what it refused.`,
        )
      else if (toGateway === 0 && results.length === 0)
        problems.push('Nothing came through it: the shop does not use it.')
      return {
        ...placeOf({ kind: 'proxy', name: origin }, results, problems, search),
        tunnels: [...tunnels].map(([host, counted]) => ({ host, ...counted })),
        toGateway,
      }
    },
  }
}
