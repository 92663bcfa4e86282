// For applications.

export type { AwaitedOrder } from './ask-about-order.js'
export type { CallbackReport, ReportReason } from './callback-report.js'
export {
  type BrowserRequest,
  type CustomerBrowser,
  customerBrowser,
  customerBrowserScript,
} from './customer-browser.js'
export { type CustomerReturnOptions, type CustomerVisitOptions, customerReturn } from './customer-return.js'
export type { StateKeeping } from './customer-state.js'
export type { VisitOptions } from './customer-visit.js'
export type { OnOutcome, OutcomeContext } from './deliver-outcome.js'
export {
  type AnyCallbackError,
  BodyConsumedError,
  CallbackError,
  type CallbackErrorCode,
  CallbackRejectedError,
  CallbackUnsettledError,
  OrderMismatchError,
  RedirectRefusedError,
  StateRejectedError,
} from './errors.js'
export { redirectToHostedForm } from './hosted-form.js'
export type { CreatedForm } from './hosted-form-keeping.js'
export type {
  HostedFormClient,
  HostedFormOperation,
  HostedFormOrder,
  HostedFormRequests,
} from './hosted-form-operation.js'
export type { FormFailure, RedirectToHostedFormOptions } from './hosted-form-options.js'
export { type MemoryInboxOptions, memoryInbox } from './memory-inbox.js'
export type { NodeHandler } from './node-handler.js'
export type { OutcomeView } from './outcome-view.js'
export type { ThreeDSecurePages, ThreeDSecureTexts } from './pages/texts.js'
export type { Polling } from './poll-status.js'
export type { UnverifiedIds } from './read-callback.js'
export {
  type ReceiveCallbacksHandler,
  type ReceiveCallbacksOptions,
  receiveCallbacks,
} from './receive-callbacks.js'
export type { CertainOutcome, DisputedOutcome, Meaning, ReceivedOutcome } from './received-outcome.js'
export { type KeptReference, memoryReferences, type ReferenceStore } from './references.js'
export type { Rejection, RejectionReason } from './rejection.js'
export type { CallbackIds, CallbackMerchant } from './settle-callback.js'
export type { StateSecret, StateSecrets } from './state-secrets.js'
export { tellOutcome } from './tell-outcome.js'
export type { ThreeDSecureClient, ThreeDSecureOptions, ThreeDSecureProblem } from './three-d-secure/options.js'
export { memoryProgress, type ThreeDSecureProgress, type ThreeDSecureStore } from './three-d-secure/progress.js'
export { type ThreeDSecureRouter, threeDSecure } from './three-d-secure/router.js'
export {
  type CallbackLocals,
  type ControlKeyLookup,
  type VerifyCallbackOptions,
  verifyCallback,
} from './verify-callback.js'
export type { VisitOutcomes } from './visit-outcomes.js'

// For other packages here, and for users of another framework.

export { type Answer, webResponse } from './answer.js'
export type { AnyRequest, NodeRequest } from './any-request.js'
export { type CallbackVerdict, type CheckCallbackOptions, checkCallback, type VerifiedCallback } from './callback.js'
export {
  type CallbackReceiver,
  type CallbackReceiverOptions,
  callbackReceiver,
  type Received,
  type WithRequest,
} from './callback-receiver.js'
export { type CheckCallbackRequestOptions, checkCallbackRequest } from './check-callback-request.js'
export { type CustomerReceiver, type CustomerReceiverOptions, customerReceiver } from './customer-receiver.js'
export type { HostedFormKeeping } from './hosted-form-keeping.js'
export { type HostedFormOpener, type HostedFormOpenerOptions, hostedFormOpener } from './hosted-form-opener.js'
export {
  type ReadState,
  type ReadStateOptions,
  readState,
  type SignStateOptions,
  type StatePurpose,
  signState,
} from './state-token.js'
