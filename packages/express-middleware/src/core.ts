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
  ReportedResult,
  WithRequest,
  WorkPace,
} from './callbacks/options.js'
export { type CallbackReceiver, callbackReceiver } from './callbacks/receiver.js'
export { areAnswered, asCallbacksNameIt, isOther as isOtherOrder } from './callbacks/settle.js'
export { type KnownNow, raisedBy } from './callbacks/shown.js'
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
export type { Polling } from './config/options.js'
export { checkProfile } from './config/options.js'
export { atEndOfTurn, withDeadline } from './config/time.js'
export {
  causeText,
  createWarnings,
  handlerFailure,
  type Warn,
  type WarningCode,
  type WarningEvent,
} from './config/warnings.js'
export type { OutcomeView, VisitOptions } from './customer-return/options.js'
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
  HostedFormKeeping,
  HostedFormOperation,
  HostedFormOrder,
  HostedFormRequests,
} from './hosted-form/options.js'
export {
  addressesFor,
  allowedHosts,
  merchantAddress,
  redirectTarget,
  returnAddress,
  sameOriginPath,
} from './http/addresses.js'
export { type Answer, emptyAnswer, endingUnread, failureAnswer, seeOther, webResponse } from './http/answer.js'
export { type NodeHandler, nodeHandler } from './http/node-handler.js'
export {
  type AnyRequest,
  type NodeRequest,
  pathOf,
  queryOf,
  readParameters,
  readWhatIsThere,
  withoutEndSlash,
} from './http/parameters.js'
export { isAbout, isApproval, resolveUnanswered } from './outcomes/ask.js'
export type {
  Answered,
  AskedOrder,
  CalledOrder,
  SettledVisit,
  SignedAndUnsigned,
  TellingEngine,
  Told,
  VisitedOrder,
  VisitPolling,
  VisitQuestion,
} from './outcomes/asked.js'
export type { Signed } from './outcomes/divisions.js'
export type { FoundOrder } from './outcomes/ledger.js'
export { createOrderQueue } from './outcomes/order-queue.js'
export { type TellOutcomesOptions, tellOutcomes } from './outcomes/tell-outcomes.js'
export type { Afterwards, OnOutcome, OutcomeContext, Telling } from './outcomes/telling.js'
export type { OnUnmatched, UnmatchedCallback, UnmatchedContext } from './outcomes/unmatched.js'
export { awaitedOf, isEnough, pauseAfterQuestion } from './outcomes/visited.js'
export type { StateKeeping } from './state/state.js'
export {
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
export type { ThreeDSecureClient, ThreeDSecureProblem, ThreeDSecureVisitOptions } from './three-d-secure/options.js'
export { anAccent, type PageAccent } from './three-d-secure/pages/accent.js'
export {
  type BrowserRequest,
  type CustomerBrowser,
  checkOrigin,
  customerBrowser,
  customerBrowserScript,
  type RequestOrigin,
} from './three-d-secure/pages/customer-browser.js'
export {
  documentAnswer,
  type Html,
  type HtmlDocument,
  html,
  lookAgain,
  type PageVoice,
  pageVoice,
  type ThreeDSecurePages,
  type ThreeDSecureTexts,
} from './three-d-secure/pages/document.js'
export { threeDSecureReceiver } from './three-d-secure/receiver.js'
export type { VisitRequest } from './three-d-secure/visit.js'
