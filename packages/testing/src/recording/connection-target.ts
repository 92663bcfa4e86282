/**
 * Where a socket is about to connect to, read from what `connect` was given.
 *
 * @module
 */

/** A host, without brackets, and its port. */
export interface ConnectionTarget {
  readonly host: string
  readonly port: string
}

/**
 * Reads the parameters of `net.Socket.connect` in each of its forms.
 *
 * @returns undefined for a socket of this machine's file system.
 * @see Node.js, net, socket.connect()
 */
export function connectionTarget(parameters: readonly unknown[]): ConnectionTarget | undefined {
  // `net.connect` hands on what it has read itself, as one list.
  const [first, second]: readonly unknown[] = Array.isArray(parameters[0]) ? parameters[0] : parameters
  if (typeof first === 'object' && first !== null) {
    const { host, port, path } = first as { host?: unknown; port?: unknown; path?: unknown }
    return isText(path) ? undefined : { host: isText(host) ? host : 'localhost', port: String(port) }
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return undefined
  return { host: isText(second) ? second : 'localhost', port: String(first) }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
