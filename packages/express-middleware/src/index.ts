// For applications.

export { type CustomerReturnOptions, customerReturn, type KnownOrder } from './customer-return.js'
export {
  type AnyCallbackError,
  BodyConsumedError,
  CallbackError,
  type CallbackErrorCode,
  CallbackRejectedError,
  OrderMismatchError,
  RedirectRefusedError,
  StateRejectedError,
} from './errors.js'
export { type CreatedForm, type RedirectToHostedFormOptions, redirectToHostedForm } from './hosted-form.js'
export type {
  HostedFormClient,
  HostedFormOperation,
  HostedFormOrder,
  HostedFormRequests,
} from './hosted-form-operation.js'
export { type MemoryInboxOptions, memoryInbox } from './memory-inbox.js'
export type { OutcomeView } from './outcome-view.js'
export type { Polling } from './poll-status.js'
export type { Rejection, RejectionReason } from './rejection.js'
export type { StateSecret, StateSecrets } from './state-secrets.js'
export { type CallbackLocals, type VerifyCallbackOptions, verifyCallback } from './verify-callback.js'

// For other packages here, and for users of another framework.

export { type CallbackVerdict, type CheckCallbackOptions, checkCallback, type VerifiedCallback } from './callback.js'
export {
  type ReadState,
  type ReadStateOptions,
  readState,
  type SignStateOptions,
  type StatePurpose,
  signState,
} from './state-token.js'
