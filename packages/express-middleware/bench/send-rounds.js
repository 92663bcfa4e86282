/** Sends rounds of requests, each as text, to the port named with them: on 32 sockets, one after the other on each. */
import { connect } from 'node:net'

const sockets = 32
const opened = new Map()

/** A connection that sends one request at a time. */
async function open(port) {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  let received = ''
  let answered = () => undefined
  socket.on('data', chunk => {
    received += chunk.toString('latin1')
    const border = received.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (border < 0 || received.length < border + 4 + length) return
    const status = received.slice(9, 12)
    received = ''
    answered(status)
  })
  await new Promise(resolve => socket.once('connect', resolve))
  return text =>
    new Promise(resolve => {
      answered = resolve
      socket.write(text)
    })
}

async function sendAll({ port, requests }) {
  if (!opened.has(port)) opened.set(port, await Promise.all(Array.from({ length: sockets }, () => open(port))))
  let next = 0
  const work = async send => {
    while (next < requests.length) {
      const text = requests[next]
      next += 1
      const status = await send(text)
      if (status !== '200') throw new Error(`Port ${port} answered ${status}.`)
    }
  }
  await Promise.all(opened.get(port).map(work))
}

process.on('message', round => {
  sendAll(round).then(
    () => process.send('done'),
    error => process.send(error.message),
  )
})
process.on('disconnect', () => process.exit())
