/** Sends whatever it is asked to a server on this machine, over real sockets, so that a test can use any address. */
import { connect } from 'node:net'
import { Agent } from 'undici'

/** An agent all of whose connections go to `port` of this machine, without TLS. */
export function loopbackAgent(port: number): Agent {
  return new Agent({
    connect: (_options, callback) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => callback(null, socket)).once('error', error => callback(error, null))
      return socket
    },
  })
}
