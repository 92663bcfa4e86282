/**
 * The gateway of the measurements, a process of its own on bare sockets, so that it answers faster than any program here can ask. It
 * words its replies and callbacks as the fake gateway does, and checks the control value of each request.
 *
 * It sends its parent two ports: that of the gateway, and one at which the customers pay, who name their orders in lines. Each line is
 * followed by one callback, which has to be answered with 200. Each message of its parent it answers with how many requests it had since.
 */
import { connect, createServer } from 'node:net'
import { parse } from 'node:querystring'
import { controlKey, endpointId, login, minorUnits, pathOf, sha1 } from './sale.js'

const orders = new Map()
const senders = new Map()
let lastOrder = 8_000_000
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
    for (const orderId of lines) callBack(orders.get(orderId))
  })
})

const portOf = server => new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
const ports = { gateway: await portOf(gateway), customers: await portOf(customers) }
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
  const path = request.slice(5, request.indexOf(' ', 5))
  const fields = parse(request.slice(request.indexOf('\r\n\r\n') + 4))
  const reply = path === pathOf('sale-form') ? openForm(fields) : statusOf(fields)
  const body = JSON.stringify(reply)
  return `HTTP/1.1 200 OK\r\ncontent-type: application/vnd.pay+json\r\ncache-control: no-store\r\ncontent-length: ${body.length}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n${body}`
}

function openForm(fields) {
  const { client_orderid: reference, amount, currency, email, phone, server_callback_url: callbackUrl } = fields
  check(fields, `${endpointId}${reference}${minorUnits(amount)}${email}${controlKey}`)
  const orderId = String(++lastOrder)
  orders.set(orderId, { orderId, reference, amount, currency, email, phone, callbackUrl, isPaid: false })
  return {
    type: 'async-form-response',
    'serial-number': serialNumber(orderId, 'a'),
    'merchant-order-id': reference,
    'paynet-order-id': orderId,
    'end-point-id': endpointId,
    'redirect-url': `http://127.0.0.1:${ports.gateway}/paynet/form/${orderId}`,
  }
}

function statusOf(fields) {
  const { client_orderid: reference, orderid: orderId } = fields
  check(fields, `${login}${reference}${orderId}${controlKey}`)
  const { amount, currency, isPaid } = orders.get(orderId)
  return {
    type: 'status-response',
    'serial-number': serialNumber(orderId, 'b'),
    'merchant-order-id': reference,
    'paynet-order-id': orderId,
    'end-point-id': endpointId,
    status: isPaid ? 'approved' : 'processing',
    amount,
    currency,
    'transaction-type': 'sale',
    ...(isPaid && { 'order-stage': 'sale_approved', ...approvalOf(orderId) }),
    'gate-partial-reversal': 'enabled',
    'gate-partial-capture': 'enabled',
  }
}

function check(fields, signed) {
  if (fields.control !== sha1(signed)) throw new Error(`A request has a wrong control value: ${JSON.stringify(fields)}`)
}

const serialNumber = (orderId, kind) => `6b0687f5-5bfa-5573-${kind}a39-${orderId.padStart(12, '0')}`

const approvalOf = orderId => ({
  'approval-code': orderId.slice(-6),
  'processor-rrn': orderId.padStart(12, '3'),
  descriptor: 'TILLKIT TEST',
})

/** The customer has paid. */
function callBack(order) {
  const { orderId, reference, amount, currency, email, phone, callbackUrl } = order
  order.isPaid = true
  const { hostname, port, pathname } = new URL(callbackUrl)
  const fields = {
    status: 'approved',
    orderid: orderId,
    merchant_order: reference,
    client_orderid: reference,
    type: 'sale',
    amount,
    currency,
    ...approvalOf(orderId),
    email,
    phone,
    control: sha1(`approved${orderId}${reference}${controlKey}`),
  }
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const text = `GET ${pathname}?${query.join('&')} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: keep-alive\r\n\r\n`
  if (!senders.has(port)) senders.set(port, senderTo(port))
  senders.get(port)(text)
}

/** Sends requests to a port, one at a time on a connection, on as many connections as it takes. */
function senderTo(port) {
  const idle = []
  const open = () => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setNoDelay(true)
    socket.on('error', () => {})
    // A connection that the merchant closed while it was idle is not used again.
    socket.on('close', () => idle.includes(socket) && idle.splice(idle.indexOf(socket), 1))
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
