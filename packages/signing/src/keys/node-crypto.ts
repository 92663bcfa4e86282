/**
 * `node:crypto`, loaded when something is first signed, verified or read, adr/0021: loading it takes about as long as loading the
 * rest of this package.
 */

import type { JsonWebKeyInput } from 'node:crypto'

export type { KeyObject } from 'node:crypto'

/** A JSON Web Key. The types of Node.js 26 have no `JsonWebKey` here. */
export type JsonWebKey = JsonWebKeyInput['key']

let loaded: typeof import('node:crypto') | undefined

/** The module `node:crypto`, the same one an import gives. */
export const nodeCrypto = (): typeof import('node:crypto') => {
  loaded ??= process.getBuiltinModule('node:crypto')
  return loaded
}
