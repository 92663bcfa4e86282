// For applications.

export { type MemoryInboxOptions, memoryInbox } from './callbacks/memory-inbox.js'
export type { UnverifiedIds } from './callbacks/read.js'
export type { CallbackReport, ReportReason } from './callbacks/result.js'
export type { CallbackIds, CallbackMerchant } from './callbacks/settle.js'
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
export type { VisitOptions } from './customer-return/visit.js'
export {
  type CallbackLocals,
  type ControlKeyLookup,
  type ReceiveCallbacksHandler,
  type ReceiveCallbacksOptions,
  receiveCallbacks,
  type VerifyCallbackOptions,
  verifyCallback,
} from './express/callbacks.js'
export type { FormFailure, RedirectToHostedFormOptions } from './express/customers.js'
export {
  type CustomerReturnOptions,
  type CustomerVisitOptions,
  customerReturn,
  redirectToHostedForm,
} from './express/customers.js'
export type { NodeHandler } from './express/to-express.js'
export type {
  CreatedForm,
  HostedFormClient,
  HostedFormOperation,
  HostedFormOrder,
  HostedFormRequests,
} from './hosted-form/options.js'
export type { AwaitedOrder } from './outcomes/ask.js'
export type { Polling } from './outcomes/poll.js'
export type { CertainOutcome, DisputedOutcome, OutcomeKind, OutcomeView, ReceivedOutcome } from './outcomes/received.js'
export type { OnOutcome, OutcomeContext, VisitOutcomes } from './outcomes/tell.js'
export { tellOutcome } from './outcomes/tell.js'
export { type KeptReference, memoryReferences, type ReferenceStore } from './state/references.js'
export type { StateSecret, StateSecrets } from './state/secrets.js'
export type { StateKeeping } from './state/state.js'
export type { ThreeDSecureClient, ThreeDSecureOptions, ThreeDSecureProblem } from './three-d-secure/options.js'
export { memoryProgress, type ThreeDSecureProgress, type ThreeDSecureStore } from './three-d-secure/options.js'
export {
  type BrowserRequest,
  type CustomerBrowser,
  customerBrowser,
  customerBrowserScript,
} from './three-d-secure/pages/customer-browser.js'
export type { ThreeDSecurePages, ThreeDSecureTexts } from './three-d-secure/pages/texts.js'
export { type ThreeDSecureRouter, threeDSecure } from './three-d-secure/router.js'

// For other packages here, and for users of another framework.

export {
  type CallbackVerdict,
  type CheckCallbackOptions,
  type CheckCallbackRequestOptions,
  checkCallback,
  checkCallbackRequest,
  type VerifiedCallback,
} from './callbacks/check.js'
export {
  type CallbackReceiver,
  type CallbackReceiverOptions,
  callbackReceiver,
  type Received,
  type WithRequest,
} from './callbacks/receiver.js'
export {
  type CustomerReceiver,
  type CustomerReceiverOptions,
  customerReceiver,
} from './customer-return/receiver.js'
export {
  type HostedFormOpener,
  type HostedFormOpenerOptions,
  hostedFormOpener,
} from './hosted-form/opener.js'
export type { HostedFormKeeping } from './hosted-form/options.js'
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
