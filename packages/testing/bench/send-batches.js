/** Sends batches of requests, each as text, to the port on the command line: on eight sockets, one after the other on each. */
import { connect } from 'node:net'

const port = Number(process.argv[2])

/** A connection that sends one request at a time. */
async function open() {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  let received = ''
  let answered = () => undefined
  socket.on('data', chunk => {
    received += chunk.toString('latin1')
    const border = received.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
    if (border < 0 || received.length < border + 4 + length) return
    const status = received.slice(9, 12)
    received = ''
    answered(status)
  })
  await new Promise(resolve => socket.once('connect', resolve))
  return {
    send: text =>
      new Promise(resolve => {
        answered = resolve
        socket.write(text)
      }),
    close: () => socket.destroy(),
  }
}

/** The gateway closes a connection after a thousand requests, so each batch has connections of its own. */
async function sendAll(requests) {
  const connections = await Promise.all(Array.from({ length: 8 }, open))
  let next = 0
  const work = async ({ send, close }) => {
    while (next < requests.length) {
      const text = requests[next]
      next += 1
      const status = await send(text)
      if (status !== '200') throw new Error(`The gateway answered ${status}.`)
    }
    close()
  }
  await Promise.all(connections.map(work))
}

let prepared = []

/** A list of requests is kept until the word `go` comes: reading it costs the other side too, and is not what is measured. */
process.on('message', message => {
  if (message !== 'go') {
    prepared = message
    process.send('ready')
    return
  }
  sendAll(prepared).then(
    () => process.send('done'),
    error => process.send(error.message),
  )
})
