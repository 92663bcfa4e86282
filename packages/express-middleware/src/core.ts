// What does not depend on Express: for Fastify, Koa, Hono, Next.js and whatever else has requests. No types of Express are
// needed to read this.

export { type Answer, webResponse } from './answer.js'
export type { AnyRequest, NodeRequest } from './any-request.js'
export type { AwaitedOrder } from './ask-about-order.js'
export { type CallbackVerdict, type CheckCallbackOptions, checkCallback, type VerifiedCallback } from './callback.js'
export {
  type CallbackReceiver,
  type CallbackReceiverOptions,
  callbackReceiver,
  type Received,
  type WithRequest,
} from './callback-receiver.js'
export type { CallbackReport, ReportReason } from './callback-report.js'
export { type CheckCallbackRequestOptions, checkCallbackRequest } from './check-callback-request.js'
export { type CustomerReceiver, type CustomerReceiverOptions, customerReceiver } from './customer-receiver.js'
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
export type { CreatedForm, HostedFormKeeping } from './hosted-form-keeping.js'
export { type HostedFormOpener, type HostedFormOpenerOptions, hostedFormOpener } from './hosted-form-opener.js'
export type {
  HostedFormClient,
  HostedFormOperation,
  HostedFormOrder,
  HostedFormRequests,
} from './hosted-form-operation.js'
export { type MemoryInboxOptions, memoryInbox } from './memory-inbox.js'
export type { OutcomeView } from './outcome-view.js'
export type { Polling } from './poll-status.js'
export type { UnverifiedIds } from './read-callback.js'
export type { CertainOutcome, DisputedOutcome, Meaning, ReceivedOutcome } from './received-outcome.js'
export { type KeptReference, memoryReferences, type ReferenceStore } from './references.js'
export type { Rejection, RejectionReason } from './rejection.js'
export type { CallbackIds, CallbackMerchant } from './settle-callback.js'
export type { StateSecret, StateSecrets } from './state-secrets.js'
export {
  type ReadState,
  type ReadStateOptions,
  readState,
  type SignStateOptions,
  type StatePurpose,
  signState,
} from './state-token.js'
export { tellOutcome } from './tell-outcome.js'
export type { VisitOutcomes } from './visit-outcomes.js'
