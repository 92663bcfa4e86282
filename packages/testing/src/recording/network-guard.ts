/**
 * A guard that lets no connection leave this machine.
 *
 * Mocks of an HTTP library see the calls of that library only; what every call has in common is that it opens a socket. So
 * the guard stands there, and one that a pool kept open is stopped before the next request is written to it.
 *
 * @module
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { globalAgent as httpAgent } from 'node:http'
import { globalAgent as httpsAgent } from 'node:https'
import { Socket } from 'node:net'
import { isLoopbackHost } from '@tillkit/protocol'
import { defaultHost } from '../http/default-host.js'
import { type ConnectionTarget, connectionTarget } from './connection-target.js'

/** What a guard lets through. */
export interface NetworkGuardOptions {
  /** Hosts that may be reached all the same, a database say: `db.internal`, or `db.internal:5432` for one port of it. */
  readonly allow?: readonly string[]
}

/** A guard. */
export interface NetworkGuard {
  /** What was stopped, as `host:port`, oldest first. */
  stopped(): readonly string[]
  /** @throws An error that names every host that was to be reached, even if the code under test caught its failure. */
  assertNothingLeft(): void
  /** Lets calls through again, unless another guard is open. */
  close(): void
}

/** The failure of a call that a {@link guardNetwork | guard} stopped. */
export class NetworkGuardError extends Error {
  override readonly name = 'NetworkGuardError'
  readonly code = 'ERR_NETWORK_GUARD'
  readonly host: string
  readonly port: string

  constructor({ host, port }: ConnectionTarget) {
    super(
      `A call to ${host}:${port} was stopped before it left this machine (guardNetwork). ${adviceFor(host)} If this host is ` +
        `meant, allow it: { allow: ['${host}:${port}'] }, to guardNetwork or as the option "network" of useFakeGateway.`,
    )
    this.host = host
    this.port = port
  }
}

/** @param host With or without a port. */
const adviceFor = (host: string): string =>
  host.split(':')[0] === defaultHost
    ? 'That is the gateway itself, before it listens: await gateway.listen() first, or go through its dispatcher.'
    : "Give the code under test the gateway's dispatcher or its base address."

interface OpenGuard {
  refuses(target: ConnectionTarget): boolean
}

const guards = new Set<OpenGuard>()
let release: (() => void) | undefined

/**
 * Fails every connection to another machine, whoever opens it: fetch, undici, `node:http`, `node:https`, `node:net`, a
 * database driver. Sockets of files and of this machine are let through. Names are judged before they are looked up.
 *
 * Not seen: datagrams (`node:dgram`), other processes, and connections that were open before and speak no HTTP.
 *
 * @example
 * ```ts
 * const guard = guardNetwork()
 * // … the test …
 * guard.assertNothingLeft()
 * guard.close()
 * ```
 */
export function guardNetwork({ allow = [] }: NetworkGuardOptions = {}): NetworkGuard {
  const stopped: string[] = []
  const guard: OpenGuard = {
    refuses({ host, port }) {
      if (allow.includes(host) || allow.includes(`${host}:${port}`)) return false
      stopped.push(`${host}:${port}`)
      return true
    },
  }
  guards.add(guard)
  release ??= standGuard()
  dropIdleConnections()
  return {
    stopped: () => [...stopped],
    assertNothingLeft() {
      if (stopped.length === 0) return
      const hosts = [...new Set(stopped)].map(host => `${host} (${stopped.filter(each => each === host).length}×)`)
      throw new Error(
        `Calls were to leave this machine and were stopped: ${hosts.join(', ')}. ${adviceFor(stopped[0] ?? '')} Or allow the ` +
          'host with "allow".',
      )
    },
    close() {
      guards.delete(guard)
      if (guards.size > 0) return
      release?.()
      release = undefined
    },
  }
}

/** Every guard hears of it, so that each can tell. */
function refusal(target: ConnectionTarget): NetworkGuardError | undefined {
  if (isLocal(target.host)) return undefined
  const refused = [...guards].filter(guard => guard.refuses(target))
  return refused.length === 0 ? undefined : new NetworkGuardError(target)
}

/** The unspecified address leads here too. */
const isLocal = (host: string): boolean => isLoopbackHost(host) || host === '0.0.0.0' || host === '::'

function standGuard(): () => void {
  const { connect } = Socket.prototype
  // Whoever puts something over this one keeps working when the guard is gone: it does nothing then.
  function guarded(this: Socket, ...parameters: unknown[]): Socket {
    const target = connectionTarget(parameters)
    const error = target === undefined ? undefined : refusal(target)
    if (error === undefined) return Reflect.apply(connect, this, parameters) as Socket
    process.nextTick(() => this.destroy(error))
    return this
  }
  Socket.prototype.connect = guarded as typeof connect
  subscribe(undiciSends, stopReused)
  return () => {
    if (Socket.prototype.connect === guarded) Socket.prototype.connect = connect
    unsubscribe(undiciSends, stopReused)
  }
}

/** Of undici, its copy in Node.js included: a request is about to be written. @see undici, docs/api/DiagnosticsChannel.md */
const undiciSends = 'undici:client:sendHeaders'

function stopReused(message: unknown): void {
  const { request, socket } = message as { request: { origin?: string | URL }; socket: Socket }
  if (request.origin === undefined) return
  const error = refusal(targetOf(new URL(request.origin)))
  if (error !== undefined) socket.destroy(error)
}

const targetOf = ({ hostname, port, protocol }: URL): ConnectionTarget => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port || (protocol === 'https:' ? '443' : '80'),
})

/** Connections that the agents of Node.js keep for later, by `host:port:…`. */
function dropIdleConnections(): void {
  for (const agent of [httpAgent, httpsAgent]) {
    for (const [name, sockets] of Object.entries(agent.freeSockets)) {
      const host = name.split(':')[0] ?? ''
      if (!isLocal(host)) for (const socket of sockets ?? []) socket.destroy()
    }
  }
}
