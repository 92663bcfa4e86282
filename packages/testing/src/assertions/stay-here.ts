import { Socket } from 'node:net'
import { isLoopbackHost } from '@tillkit/protocol'
import { defaultHost } from '../http/addresses.js'

/** Keeps every new connection of this process on this machine. */
export interface NetworkGuard {
  /** @throws An error that names every host that was to be reached, even if the code under test caught its failure. */
  assertNothingLeft(): void
  close(): void
}

/**
 * Fails every new connection to another machine: those of `fetch`, of undici and its pools, of `node:http`, of a database
 * driver. Connections that are open already and datagrams are not seen. See adr/0044.
 *
 * @param allow Hosts that may be reached, `db.internal`, or `db.internal:5432` for one port.
 */
export function stayHere(allow: readonly string[]): NetworkGuard {
  const { connect } = Socket.prototype
  const stopped: string[] = []
  function guarded(this: Socket, ...parameters: unknown[]): Socket {
    const [host, port] = targetOf(parameters)
    const target = `${host}:${port}`
    if (isHere(host) || allow.includes(host) || allow.includes(target)) return Reflect.apply(connect, this, parameters)
    stopped.push(target)
    const error = new Error(
      `A connection to ${target} was stopped before it left this machine. ${advice(host, target)}`,
    )
    process.nextTick(() => this.destroy(Object.assign(error, { code: 'ERR_NETWORK_GUARD' })))
    return this
  }
  Socket.prototype.connect = guarded as typeof connect
  return {
    assertNothingLeft() {
      const [first] = stopped
      if (first === undefined) return
      const hosts = [...new Set(stopped)].map(host => `${host} (${stopped.filter(each => each === host).length}×)`)
      throw new Error(
        `Connections to other machines were stopped: ${hosts.join(', ')}. ${advice(first.replace(/:\d+$/, ''), first)}`,
      )
    },
    close() {
      if (Socket.prototype.connect === guarded) Socket.prototype.connect = connect
    },
  }
}

const advice = (host: string, target: string): string =>
  host === defaultHost
    ? 'That is the gateway itself, before it listens: await gateway.listen() first, or use its dispatcher.'
    : "Give the code under test the gateway's clientOptions; or allow the host with the option " +
      `network: { allow: ['${target}'] } of useFakeGateway.`

const isHere = (host: string): boolean => isLoopbackHost(host) || host === '0.0.0.0' || host === '::'

/** Reads what `net.Socket.connect` was given. A path of a socket file is on this machine. */
function targetOf(parameters: readonly unknown[]): readonly [host: string, port: string] {
  // `net.connect` has read its parameters already and passes them on as one list.
  const [first, second] = (Array.isArray(parameters[0]) ? parameters[0] : parameters) as readonly unknown[]
  const { host, port, path } = (
    typeof first === 'object' ? first : /^\d+$/.test(String(first)) ? { port: first, host: second } : { path: first }
  ) as { readonly host?: unknown; readonly port?: unknown; readonly path?: unknown }
  const isFile = path !== undefined && path !== null
  return [typeof host === 'string' && host !== '' && !isFile ? host : 'localhost', String(port)]
}
