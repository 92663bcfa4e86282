import type { StageName } from './stages.js'

/** Stages in plain words. */
export const stageNames: { readonly [Stage in StageName]: string } = {
  sale: 'sale',
  preauth: 'hold',
  capture: 'capture',
  cancel: 'return of the hold',
  reversal: 'return',
  void: 'void operation',
  chargeback: 'chargeback',
  verification: 'card verification',
  payout: 'payout',
  'payout-check': 'check of the payout',
  transfer: 'transfer',
  'pan-eligibility': 'eligibility check',
  unrecognized: 'unknown change',
}

/** The others are called by their names. */
const operationNames: { readonly [operation: string]: string } = {
  sale: 'a sale',
  saleForm: 'the hosted form of a sale',
  preauth: 'a hold',
  preauthForm: 'the hosted form of a hold',
  accountVerificationForm: 'the hosted form of a card verification',
  makeRebill: 'a charge of a stored card',
  capture: 'a capture',
  return: 'a return',
  void: 'a void operation',
  payout: 'a payout',
  payoutV4: 'a payout',
  payoutCheck: 'the check of a payout',
  payoutPay: 'the payout that was checked',
}

/** An operation in plain words, with its article: `a return`, `the hosted form of a sale`. */
export const operationInWords = (operation: string): string =>
  (Object.hasOwn(operationNames, operation) ? operationNames[operation] : undefined) ?? `the operation ${operation}`
