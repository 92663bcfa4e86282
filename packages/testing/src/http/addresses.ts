import { isIP } from 'node:net'
import { isLoopbackHost } from '@tillkit/protocol'

/** Of a top-level domain that is reserved for tests. @see RFC 6761, section 6.2 */
export const defaultHost = 'gateway.test'

/** @throws {TypeError} that names the option, for a text that is no origin. */
export function readOrigin(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '')
    return url.origin
  throw new TypeError(`"${option}" is ${JSON.stringify(text)}; it must be like "https://gateway.test", without a path.`)
}

export type ListeningHost = ReturnType<typeof readListeningHost>

/** @throws {TypeError} when other machines could reach the host without `exposed`, or the public origin is not an origin. */
export function readListeningHost(host: string, exposed: boolean, publicOrigin?: string) {
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
  const here = (port: number): string => `http://${wildcard ? '127.0.0.1' : inAddress}:${port}`
  return {
    host: name,
    exposed: exposed && !isHere,
    /** Scheme and host of addresses, once the port is known. */
    origin: (port: number): string => known ?? here(port),
    /**
     * Scheme and host of a second port. Under the public origin it is reached only where nothing stands before the gateway:
     * a proxy passes on the gateway's port and no other.
     */
    controlOrigin(control: number, port: number): string {
      const url = new URL(known ?? here(port))
      if (url.protocol !== 'http:' || url.port !== String(port)) return here(control)
      url.port = String(control)
      return url.origin
    },
  }
}

/** Reads an address. @returns undefined for one that is neither http nor https. */
export function webAddress(text: string | undefined): URL | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined
}
