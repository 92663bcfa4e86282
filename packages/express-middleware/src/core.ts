// What does not depend on Express: for Fastify, Koa, Hono, Next.js and whatever else has requests. No types of Express are
// needed to read this.

export {
  type CallbackVerdict,
  type CheckCallbackOptions,
  type CheckCallbackRequestOptions,
  checkCallback,
  checkCallbackRequest,
  type VerifiedCallback,
} from './callbacks/check.js'
export { type MemoryInboxOptions, memoryInbox } from './callbacks/memory-inbox.js'
export type { UnverifiedIds } from './callbacks/read.js'
export {
  type CallbackReceiver,
  type CallbackReceiverOptions,
  callbackReceiver,
  type Received,
  type WithRequest,
} from './callbacks/receiver.js'
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
export {
  type CustomerReceiver,
  type CustomerReceiverOptions,
  customerReceiver,
} from './customer-return/receiver.js'
export type { VisitOptions } from './customer-return/visit.js'
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
export { type Answer, webResponse } from './http/answer.js'
export type { AnyRequest, NodeRequest } from './http/request.js'
export type { AwaitedOrder } from './outcomes/ask.js'
export type { Polling } from './outcomes/poll.js'
export type { CertainOutcome, DisputedOutcome, OutcomeKind, OutcomeView, ReceivedOutcome } from './outcomes/received.js'
export type { OnOutcome, OutcomeContext, VisitOutcomes } from './outcomes/tell.js'
export { tellOutcome } from './outcomes/tell.js'
export { type KeptReference, memoryReferences, type ReferenceStore } from './state/references.js'
export type { StateSecret, StateSecrets } from './state/secrets.js'
export type { StateKeeping } from './state/state.js'
export {
  type ReadState,
  type ReadStateOptions,
  readState,
  type SignStateOptions,
  type StatePurpose,
  signState,
} from './state/token.js'
