// For applications.

export type { CallbackReport, ReportReason } from './callbacks/callback-report.js'
export { type MemoryInboxOptions, memoryInbox } from './callbacks/memory-inbox.js'
export type { UnverifiedIds } from './callbacks/read-callback.js'
export {
  type ReceiveCallbacksHandler,
  type ReceiveCallbacksOptions,
  receiveCallbacks,
} from './callbacks/receive-callbacks.js'
export type { CallbackIds, CallbackMerchant } from './callbacks/settle-callback.js'
export {
  type CallbackLocals,
  type ControlKeyLookup,
  type VerifyCallbackOptions,
  verifyCallback,
} from './callbacks/verify-callback.js'
export type { Rejection, RejectionReason } from './config/errors.js'
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
} from './config/errors.js'
export {
  type CustomerReturnOptions,
  type CustomerVisitOptions,
  customerReturn,
} from './customer-return/customer-return.js'
export type { VisitOptions } from './customer-return/customer-visit.js'
export { redirectToHostedForm } from './hosted-form/hosted-form.js'
export type { CreatedForm } from './hosted-form/hosted-form-keeping.js'
export type {
  HostedFormClient,
  HostedFormOperation,
  HostedFormOrder,
  HostedFormRequests,
} from './hosted-form/hosted-form-operation.js'
export type { FormFailure, RedirectToHostedFormOptions } from './hosted-form/hosted-form-options.js'
export type { NodeHandler } from './http/node-handler.js'
export type { AwaitedOrder } from './outcomes/ask-about-order.js'
export type { OnOutcome, OutcomeContext } from './outcomes/deliver-outcome.js'
export type { OutcomeView } from './outcomes/outcome-view.js'
export type { Polling } from './outcomes/poll-status.js'
export type { CertainOutcome, DisputedOutcome, OutcomeKind, ReceivedOutcome } from './outcomes/received-outcome.js'
export { tellOutcome } from './outcomes/tell-outcome.js'
export type { VisitOutcomes } from './outcomes/visit-outcomes.js'
export { type KeptReference, memoryReferences, type ReferenceStore } from './state/references.js'
export type { StateSecret, StateSecrets } from './state/secrets.js'
export type { StateKeeping } from './state/state.js'
export type { ThreeDSecureClient, ThreeDSecureOptions, ThreeDSecureProblem } from './three-d-secure/options.js'
export {
  type BrowserRequest,
  type CustomerBrowser,
  customerBrowser,
  customerBrowserScript,
} from './three-d-secure/pages/customer-browser.js'
export type { ThreeDSecurePages, ThreeDSecureTexts } from './three-d-secure/pages/texts.js'
export { memoryProgress, type ThreeDSecureProgress, type ThreeDSecureStore } from './three-d-secure/progress.js'
export { type ThreeDSecureRouter, threeDSecure } from './three-d-secure/router.js'

// For other packages here, and for users of another framework.

export {
  type CallbackVerdict,
  type CheckCallbackOptions,
  checkCallback,
  type VerifiedCallback,
} from './callbacks/callback.js'
export {
  type CallbackReceiver,
  type CallbackReceiverOptions,
  callbackReceiver,
  type Received,
  type WithRequest,
} from './callbacks/callback-receiver.js'
export { type CheckCallbackRequestOptions, checkCallbackRequest } from './callbacks/check-callback-request.js'
export {
  type CustomerReceiver,
  type CustomerReceiverOptions,
  customerReceiver,
} from './customer-return/customer-receiver.js'
export type { HostedFormKeeping } from './hosted-form/hosted-form-keeping.js'
export {
  type HostedFormOpener,
  type HostedFormOpenerOptions,
  hostedFormOpener,
} from './hosted-form/hosted-form-opener.js'
export { type Answer, webResponse } from './http/answer.js'
export type { AnyRequest, NodeRequest } from './http/request.js'
export {
  type ReadState,
  type ReadStateOptions,
  readState,
  type SignStateOptions,
  type StatePurpose,
  signState,
} from './state/token.js'
