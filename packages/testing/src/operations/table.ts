/**
 * What carries out each operation.
 *
 * @module
 */
import type { OperationName } from '@tillkit/protocol'
import type { OperationHandler } from './operation-handler.js'
import { status } from './status.js'
import { accountVerification, preauth, sale } from './take-payment.js'

/** Handlers by operation. */
export const operationHandlers: { readonly [Name in OperationName]?: OperationHandler } = {
  accountVerification,
  preauth,
  sale,
  status,
}
