/**
 * The gateway of the measurements, a process of its own on bare sockets, so that it answers faster than any program here can ask.
 *
 * It sends its parent two ports: that of the gateway, and one at which the customers pay, who name their orders in lines. Each line is
 * followed by one callback, which has to be answered with 200. It answers each message of its parent with the number of requests since.
 */
import { connect, createServer } from 'node:net'
import { createOrders } from './orders.js'

const senders = new Map()
let requests = 0

const gateway = createServer(socket => {
  let received = ''
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', chunk => {
    received += chunk.latin1Slice()
    for (;;) {
      const end = lengthOfFirst(received)
      if (end === undefined || received.length < end) return
      socket.write(answerTo(received.slice(0, end)))
      received = received.slice(end)
    }
  })
})

const customers = createServer(socket => {
  let received = ''
  socket.on('error', () => {})
  socket.on('data', chunk => {
    const lines = (received + chunk.latin1Slice()).split('\n')
    received = lines.pop()
    for (const orderId of lines) callBack(orderId)
  })
})

const portOf = server => new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
const ports = { gateway: await portOf(gateway), customers: await portOf(customers) }
const orders = createOrders(`http://127.0.0.1:${ports.gateway}`)
process.send(ports)
process.on('message', () => {
  process.send({ requests })
  requests = 0
})
process.on('disconnect', () => process.exit())

/** Length of the first message, head and body; undefined while its head is not complete. */
function lengthOfFirst(received) {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const bodyLength = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0)
  return headEnd + 4 + bodyLength
}

function answerTo(request) {
  requests += 1
  const body = orders.reply(
    request.slice('POST '.length, request.indexOf(' ', 'POST '.length)),
    request.slice(request.indexOf('\r\n\r\n') + 4),
  )
  const head = [
    'HTTP/1.1 200 OK',
    'content-type: application/vnd.pay+json',
    'cache-control: no-store',
    `content-length: ${body.length}`,
    'Connection: keep-alive',
    'Keep-Alive: timeout=5',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** The customer has paid. */
function callBack(orderId) {
  const { url, query } = orders.pay(orderId)
  const text = `GET ${url.pathname}?${query} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n\r\n`
  if (!senders.has(url.port)) senders.set(url.port, senderTo(url.port))
  senders.get(url.port)(text)
}

/** Sends requests to a port, one at a time on a connection, on as many connections as it takes. */
function senderTo(port) {
  const idle = []
  const open = () => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('data', chunk => {
      received += chunk.latin1Slice()
      const end = lengthOfFirst(received)
      if (end === undefined || received.length < end) return
      if (!received.startsWith('HTTP/1.1 200 ')) throw new Error(`A callback was answered with: ${received}`)
      received = received.slice(end)
      idle.push(socket)
    })
    return socket
  }
  return text => (idle.pop() ?? open()).write(text)
}
