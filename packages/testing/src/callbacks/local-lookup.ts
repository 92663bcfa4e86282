import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isLoopbackHost } from '@tillkit/protocol'

/**
 * Looks up a name. One below `localhost` is this machine, RFC 6761 section 6.3; a name server that was asked might say
 * something else.
 */
export const localLookup: LookupFunction = (name, options, callback) =>
  lookup(isLoopbackHost(name) ? 'localhost' : name, options, callback)
