// All that does not depend on Express, for every framework. Reading it needs no types of Express.

export {
  type CallbackVerdict,
  type CheckCallbackOptions,
  checkCallback,
  checkCallbackFor,
  type SignedFields,
  type UnverifiedIds,
  type VerifiedCallback,
} from './callbacks/check.js'
export { type CheckCallbackRequestOptions, checkCallbackRequest } from './callbacks/check-request.js'
export type {
  CallbackMerchant,
  CallbackReceiverOptions,
  CallbackResult,
  OnStatus,
  ReportedResult,
  StatusClient,
  WithRequest,
} from './callbacks/options.js'
export type { OrderStatus, OrderStatusKind } from './callbacks/order-status.js'
export { type CallbackReceiver, callbackReceiver } from './callbacks/receiver.js'
export {
  type AnyCallbackError,
  BodyConsumedError,
  CallbackError,
  type CallbackErrorCode,
  CallbackRejectedError,
  CallbackUnsettledError,
  OrderMismatchError,
  RedirectRefusedError,
  type Rejection,
  type RejectionReason,
  refused,
  StateRejectedError,
} from './config/errors.js'
export { checkProfile } from './config/options.js'
export { createOrderQueue, type OrderQueueOptions } from './config/order-queue.js'
export { atEndOfTurn, resolvingWait, systemWait, type Wait, withDeadline } from './config/time.js'
export {
  causeText,
  createWarnings,
  handlerFailure,
  ownWords,
  type Warn,
  type WarningCode,
  type WarningEvent,
  type WarningWords,
} from './config/warnings.js'
export type { OutcomeView, VisitOptions, VisitResult } from './customer-return/options.js'
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
export type {
  CreatedForm,
  HostedFormClient,
  HostedFormOperation,
  HostedFormOptions,
  HostedFormOrder,
  HostedFormRequests,
  OpenForm,
} from './hosted-form/options.js'
export {
  addressesFor,
  allowedHosts,
  redirectTarget,
  returnAddress,
  sameOriginPath,
} from './http/addresses.js'
export { type Answer, emptyAnswer, endingUnread, failureAnswer, seeOther, webResponse } from './http/answer.js'
export {
  type BrowserRequest,
  type CustomerBrowser,
  checkOrigin,
  customerBrowser,
  customerBrowserScript,
  type RequestOrigin,
} from './http/customer-browser.js'
export { type NodeHandler, nodeHandler } from './http/node-handler.js'
export {
  type AnyRequest,
  type NodeRequest,
  pathOf,
  queryOf,
  type ReadParameters,
  readParameters,
  readWhatIsThere,
  withoutEndSlash,
} from './http/parameters.js'
export {
  type ExpectedPayment,
  type ReadState,
  type ReadStateOptions,
  readState,
  type SignStateOptions,
  type StatePurpose,
  type StateSecret,
  type StateSecrets,
  signState,
  stateSecretsOption,
} from './state/token.js'
