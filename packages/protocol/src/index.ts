// For applications.

export {
  type AskedSettlement,
  type AskInput,
  askAndSettle,
  type DisputedSettlement,
  needsPerson,
  type StatusAsker,
} from './ask-and-settle.js'
export type {
  Attempt,
  AttemptEnd,
  AttemptsPort,
  RememberedAttempt,
  Reservation,
  StatusSnapshot,
} from './attempt.js'
export {
  type Advanced,
  type AdvanceInput,
  type AwaitedOutcome,
  advancePosition,
  type NeedsCustomer,
  type NeedsPerson,
  type SettledOutcome,
  type StillUnknown,
  stillUnknown,
} from './awaited-outcome.js'
export type { Claiming, Inbox, InboxClaim, InboxEntry } from './inbox.js'
export type { Alternative } from './one-of.js'
export type { AnyOperation, Effect, RequestOf, ResponseOf } from './operation.js'
export { control, type Operation, operation } from './operation.js'
export { type OperationName, type Operations, operations } from './operations.js'
export {
  type Correction,
  emptyOrder,
  type Order,
  reduceOrder,
  type Stage,
  type StatusObservation,
} from './order.js'
export { type AllowedNow, allowedNow, type OrderTotals, orderTotals } from './order-totals.js'
export { type AcceptedRequest, type OrderOperationName, outcomeOf } from './outcome-of.js'
export { type OutcomePosition, type OutcomeQuestion, openPosition } from './outcome-position.js'
export {
  checkSchedule,
  nextPause,
  type Pace,
  type PollPhase,
  type PollSchedule,
  startPace,
} from './poll-schedule.js'
export {
  defaultProfile,
  defineProfile,
  type FinalOutcome,
  type NotificationParameters,
  type ProfileOverrides,
  type ThreeDSecureStep,
  type WireProfile,
} from './profile.js'
export type {
  CreateCardRefRequest,
  CreateCardRefV4Request,
  GetCardInfoRequest,
  RecurringAmount,
  RecurringPaymentForCreation,
} from './records/cards.js'
export type {
  AmountFields,
  BrowserFields,
  CallbackFields,
  CardFields,
  CardReferenceFields,
  CustomerFields,
  Extra,
  OptionalAmountFields,
  OrderFields,
  ReturnFields,
} from './records/common.js'
export type {
  CaptureRequest,
  ChangeCallbackFields,
  OrderIds,
  ReturnRequest,
  StatusByClientOrderIdRequest,
  StatusByOrderIdRequest,
  StatusFields,
  StatusRequest,
  TdsCResResultRequest,
  TdsMethodUrlResultRequest,
  TdsPaResResultRequest,
  UploadOrderIds,
  VoidRequest,
} from './records/order-changes.js'
export type {
  AccountVerificationFormRequest,
  AccountVerificationRequest,
  AuthByCardRequest,
  AuthByReferenceRequest,
  AuthFormRequest,
  AuthRequest,
  CardFormFields,
  PaymentFields,
  PaymentFormRequest,
  RebillRequest,
  SaleByCardRequest,
  SaleByReferenceRequest,
  SaleFormRequest,
  SaleRequest,
} from './records/payments.js'
export type {
  PanEligibilitySendRequest,
  PayoutCheckRequest,
  PayoutDestination,
  PayoutFields,
  PayoutFormRequest,
  PayoutPayRequest,
  PayoutRequest,
  PayoutV4Request,
  TransferByRefRequest,
  TransferRequest,
} from './records/payouts.js'
export type {
  AsyncCheckoutFormRedirect,
  AsyncResponse,
  CardInfoAsyncResponse,
  CardRefAsyncResponse,
  CardRefV4AsyncResponse,
  CreateRecurringPaymentResponse,
  RawReply,
  Reply,
  ServerErrorResponse,
  ValidationErrorResponse,
} from './records/replies.js'
export type { StatusResponse } from './records/status-response.js'
export {
  type Expectation,
  type Outcome,
  type OutcomeKeyParts,
  outcomeKey,
  type SettleInput,
  type Settlement,
  settle,
} from './settle.js'
export { type AwaitedStage, isAwaitedStage, type MoneyMoved, mayRepeat, moneyMoved, type StageName } from './stage.js'
export { finalOutcome, stageOf } from './status.js'
export {
  type MethodData,
  type MethodStep,
  methodTimeLimit,
  threeDSCompInd,
  threeDSMethodData,
} from './three-d-secure.js'
export { type CustomerStep, describeStep, threeDSecureStep } from './three-d-secure-step.js'

// For other packages here, and for whoever brings a transport of their own.

export {
  type AttemptIdentity,
  attemptIdentity,
  attemptKey,
  type ChangeExtent,
  changedOrderKey,
  changesPart,
  movesMoneyOfOrder,
} from './attempt-identity.js'
export { type AttributionInput, attribute, serialNumberOf } from './attribution.js'
export { type CardField, cardFieldOf, cardFields, cardNumberFields } from './card-fields.js'
export { carriesLogin, type LoginSource } from './carries-login.js'
export { describeNoId, isNoId } from './is-no-id.js'
export { isLoopbackHost } from './loopback.js'
export { isCardNumber, maskCardNumber, maskCardNumbers, maskNumber } from './mask-card-number.js'
export { type ExcessLength, excessLength, type MaxLengthSource, maxLength } from './max-length.js'
export { notify } from './notify.js'
export { type AlternativeProblem, alternativeProblem, alternativesInWords, type WithAlternatives } from './one-of.js'
export type { Credential, ResponseFields, Signing } from './operation.js'
export { askedAfter, echoesIds } from './order.js'
export { quote, quoteMoney } from './quote.js'
export { readMinorUnits } from './read-amount.js'
export { readAttempt } from './read-attempt.js'
export { readOrder } from './read-order.js'
export { missingReplyFields, readReply, requiredReplyFields } from './read-reply.js'
export {
  type OwnReplyFields,
  type ReplyRecordName,
  type ResponseRecordName,
  responseRecords,
} from './records/replies.js'
export {
  isUnresolved,
  laterEnd,
  mayHaveArrived,
  refuseAttempt,
} from './refuse-attempt.js'
export { type CardInfoField, type ReplyField, type ReplyFields, recordFields, replyFields } from './reply-fields.js'
export { type ResolvedSigning, resolveSigning } from './resolve-signing.js'
export { isSafeAddress, type SafeAddressOptions } from './safe-address.js'
export { type WireNameSource, wireName, wireNames } from './wire-names.js'
