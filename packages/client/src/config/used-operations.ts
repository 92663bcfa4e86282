/**
 * The operations a program says it uses, so that a key that is missing is found when the client is made.
 *
 * @module
 */
import {
  type AnyOperation,
  describeValue,
  nearName,
  type OperationName,
  operations,
  resolveSigning,
} from '@tillkit/protocol'
import { unsetVariable } from '../errors/messages.js'
import type { Settings } from './settings.js'

/**
 * Checks that every operation in `uses` has the key that it is authenticated with.
 *
 * @throws {TypeError} naming the option that is missing, and the operation that needs it.
 */
export function checkUses(uses: readonly OperationName[], settings: Settings): void {
  if (!Array.isArray(uses))
    throw new TypeError('"uses" must be a list of names of operations, such as ["sale", "status"].')
  const rows: Readonly<Record<string, AnyOperation | undefined>> = operations
  for (const name of uses) {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (row === undefined) {
      const near = nearName(String(name), Object.keys(operations))
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`
      throw new TypeError(`"uses" names ${describeValue(name)}, which is no operation.${hint}`)
    }
    const { scheme } = resolveSigning(row, settings.profile)
    const option = scheme === 'oauth-rsa-sha256' ? 'privateKey' : 'controlKey'
    if (settings[option] !== undefined) continue
    throw new TypeError(`"${option}" is missing, and ${name}, which "uses" names, needs it. ${unsetVariable}`)
  }
}
