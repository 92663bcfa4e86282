/**
 * The gateway of the measurements, a process of its own. It accepts every request and gives its order id back.
 *
 * It speaks on bare sockets, so that it answers faster than any client here can ask. Prints its port when it listens, and
 * ends when its standard input does.
 */
import { createServer } from 'node:net'

const server = createServer(socket => {
  let received = ''
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', chunk => {
    received = received === '' ? chunk.latin1Slice() : received + chunk.latin1Slice()
    for (;;) {
      const end = lengthOfFirst(received)
      if (end === undefined || received.length < end) return
      socket.write(answerTo(received.slice(0, end)))
      received = received.slice(end)
    }
  })
})

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.on('end', () => process.exit()).resume()

/** Length of the first request, head and body; undefined while its head is not complete. */
function lengthOfFirst(received) {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const bodyLength = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0)
  return headEnd + 4 + bodyLength
}

function answerTo(request) {
  const clientOrderId = /client_orderid=([^&]*)/.exec(request)?.[1] ?? 'none'
  const body = `{"type":"async-response","serial-number":"00000000-0000-0000-0000-000002d9b22a","merchant-order-id":"${clientOrderId}","paynet-order-id":6584126}`
  return `HTTP/1.1 200 OK\r\nContent-Type: application/vnd.pay+json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
