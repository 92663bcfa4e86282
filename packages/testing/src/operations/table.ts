import type { OperationName } from '@tillkit/protocol'
import { createCardRef, createCardRefV4, createRecurringPayment, getCardInfo, makeRebill } from './cards.js'
import { capture, returnOperation, voidOperation } from './changes.js'
import { accountVerificationForm, paymentForm, payoutForm, preauthForm, saleForm } from './forms.js'
import type { OperationHandler } from './handler.js'
import { payout, payoutCheck, payoutPay } from './payouts.js'
import { status } from './status.js'
import { accountVerification, preauth, sale } from './take-payment.js'
import { uploadCresResult, uploadMethodUrlResult, uploadParesResult } from './three-d-secure.js'
import { panEligibilitySend, transfer, transferByRef } from './transfers.js'

/** Handlers of the operations whose row alone does not say how the gateway answers; see `answerByRow` for the others. */
export const operationHandlers: { readonly [Name in OperationName]?: OperationHandler } = {
  uploadCresResult,
  uploadMethodUrlResult,
  uploadParesResult,
  accountVerificationForm,
  accountVerification,
  capture,
  createCardRef,
  getCardInfo,
  makeRebill,
  paymentForm,
  payoutForm,
  payout,
  preauthForm,
  preauth,
  return: returnOperation,
  saleForm,
  sale,
  status,
  void: voidOperation,
  createCardRefV4,
  createRecurringPayment,
  payoutCheck,
  panEligibilitySend,
  transfer,
  transferByRef,
  payoutV4: payout,
  payoutPay,
}
