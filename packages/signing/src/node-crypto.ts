/**
 * `node:crypto`, loaded when something is first signed, verified or read: loading it takes about as long as loading the
 * rest of this package, and many programs import far more than they come to use.
 *
 * @module
 */

export type { JsonWebKey, KeyObject } from 'node:crypto'

let loaded: typeof import('node:crypto') | undefined

/** The module `node:crypto`, the same one an import gives. */
export const nodeCrypto = (): typeof import('node:crypto') => {
  loaded ??= process.getBuiltinModule('node:crypto')
  return loaded
}
