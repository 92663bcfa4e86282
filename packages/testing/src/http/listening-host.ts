/**
 * Hosts to listen on, and what they are called in addresses.
 *
 * @module
 */
import { isIP } from 'node:net'
import { isLoopbackHost } from '@tillkit/protocol'
import { readOrigin } from './read-origin.js'

/** A host as it was asked for. */
export interface HostOptions {
  readonly host: string
  /** Whether other machines may reach it. */
  readonly exposed: boolean
  readonly publicOrigin: string | undefined
}

/** A host that was checked. */
export interface ListeningHost {
  readonly host: string
  readonly exposed: boolean
  /** Scheme and host of addresses, once the port is known. */
  origin(port: number): string
}

/**
 * Checks a host.
 *
 * @throws {TypeError} when other machines could reach it and nobody said they may, or the public origin is none.
 */
export function readListeningHost({ host, exposed, publicOrigin }: HostOptions): ListeningHost {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const inAddress = isIP(name) === 6 ? `[${name}]` : name
  const isHere = isLoopbackHost(name)
  if (!isHere && !exposed) {
    throw new TypeError(
      `Other machines could reach ${JSON.stringify(host)}, and nothing asks them for a password. Listen on 127.0.0.1; if you ` +
        'mean it, in a container say, set "exposed" (--expose).',
    )
  }
  const known = publicOrigin === undefined ? undefined : readOrigin(publicOrigin, 'publicOrigin')
  const wildcard = name === '0.0.0.0' || name === '::'
  return {
    host: name,
    exposed: exposed && !isHere,
    origin: port => known ?? `http://${wildcard ? '127.0.0.1' : inAddress}:${port}`,
  }
}
