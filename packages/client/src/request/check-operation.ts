/**
 * Check of what `client.send` is handed as an operation, for users without types.
 *
 * @module
 */

import type { AnyOperation } from '@tillkit/protocol'
import { describeValue } from '@tillkit/protocol'
import { InvalidRequestError } from '../errors/errors.js'

/** @throws {@link InvalidRequestError} when it is no operation: nothing is known of what it would do. */
export function checkedOperation(row: AnyOperation): AnyOperation {
  const { path, signing, effect, required }: { readonly [Part in keyof AnyOperation]?: unknown } = row ?? {}
  const isEffect = effect === 'creates' || effect === 'changes' || effect === 'reads'
  const isOne = typeof path === 'string' && typeof signing === 'object' && isEffect && Array.isArray(required)
  if (isOne) return row
  throw new InvalidRequestError(
    `Nothing was sent: the first argument of client.send is ${describeValue(row)} and no operation. Pass what ` +
      'operation({ … }) returns, or one of "operations", such as operations.sale.',
    { operation: 'send', field: 'operation' },
  )
}
