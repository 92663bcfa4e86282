import type { OperationName } from '@tillkit/protocol'
import { createCardRef, createCardRefV4, getCardInfo, makeRebill } from './cards.js'
import { capture, payoutPay, returnOperation, voidOperation } from './changes.js'
import type { OperationHandler } from './handler.js'
import { createRecurringPayment } from './recurring-payments.js'
import { status } from './status.js'
import { accountVerification, preauth, sale } from './take-payment.js'
import { uploadCresResult, uploadMethodUrlResult, uploadParesResult } from './three-d-secure.js'
import { panEligibilitySend, transfer, transferByRef } from './transfers.js'

/** Handlers of the operations that have rules of their own. Others are carried out as their rows say, see `byRow`. */
export const operationHandlers: { readonly [Name in OperationName]?: OperationHandler } = {
  uploadCresResult,
  uploadMethodUrlResult,
  uploadParesResult,
  accountVerification,
  capture,
  createCardRef,
  getCardInfo,
  makeRebill,
  preauth,
  return: returnOperation,
  sale,
  status,
  void: voidOperation,
  createCardRefV4,
  createRecurringPayment,
  panEligibilitySend,
  transfer,
  transferByRef,
  payoutPay,
}
