// For applications.

export type { Alternative, AnyOperation, Effect, RequestOf, ResponseOf } from './operations/operation.js'
export { control, type Operation, operation } from './operations/operation.js'
export { type OperationName, type Operations, operations } from './operations/operations.js'
export type * from './operations/records/cards.js'
export type * from './operations/records/common.js'
export type * from './operations/records/order-changes.js'
export type * from './operations/records/payments.js'
export type * from './operations/records/payouts.js'
export type * from './operations/records/replies.js'
export {
  type AwaitedStage,
  isAwaitedStage,
  type MoneyMoved,
  mayRepeat,
  moneyMoved,
  type StageName,
} from './operations/stages.js'
export { emptyOrder, reduceOrder } from './order/order.js'
export {
  isSettled,
  type Outcome,
  type OutcomeKeyParts,
  outcomeKey,
  type Settled,
  type SettleInput,
  type Settlement,
  settle,
  type Unsettled,
} from './order/settle.js'
export { finalOutcome, stageOf } from './order/status.js'
export { type AllowedNow, allowedNow, type OrderTotals, orderTotals } from './order/totals.js'
export type { Correction, Expectation, Order, Stage, StatusObservation } from './order/types.js'
export {
  type AskedSettlement,
  type AskInput,
  askAndSettle,
  type DisputedSettlement,
  needsPerson,
  type StatusAsker,
} from './outcome/ask-and-settle.js'
export {
  type Advanced,
  type AdvanceInput,
  type AwaitedOutcome,
  advanceWait,
  type NeedsCustomer,
  type NeedsPerson,
  type SettledOutcome,
  type StillUnknown,
  stillUnknown,
} from './outcome/awaited-outcome.js'
export {
  type AcceptedRequest,
  type OrderOperationName,
  type OutcomeQuestion,
  openWait,
  outcomeOf,
  type WaitState,
} from './outcome/wait-state.js'
export {
  checkSchedule,
  nextPause,
  type Pace,
  type PollPhase,
  type PollSchedule,
  startPace,
} from './profile/poll-schedule.js'
export {
  defaultProfile,
  defineProfile,
  type FinalOutcome,
  type NotificationParameters,
  type ProfileOverrides,
  type ThreeDSecureStep,
  type WireProfile,
} from './profile/profile.js'
export type {
  Attempt,
  AttemptEnd,
  AttemptsPort,
  RememberedAttempt,
  Reservation,
  StatusSnapshot,
} from './store/attempt.js'
export type { Claiming, Inbox, InboxClaim, InboxEntry } from './store/inbox.js'
export {
  type MethodData,
  type MethodStep,
  methodTimeLimit,
  threeDSCompInd,
  threeDSMethodData,
} from './three-d-secure/method.js'
export { type CustomerStep, describeStep, threeDSecureStep } from './three-d-secure/step.js'

// For other packages here, and for whoever brings a transport of their own.

export {
  amountFields,
  type CardField,
  cardFieldOf,
  cardFields,
  cardNumberFields,
  fieldKind,
  type WireNameSource,
  wireName,
  wireNames,
} from './operations/fields.js'
export type { Credential, ResponseFields, Signing } from './operations/operation.js'
export {
  type AlternativeProblem,
  alternativeProblem,
  alternativesInWords,
  type WithAlternatives,
} from './operations/operation.js'
export {
  type OwnReplyFields,
  type ReplyRecordName,
  type ResponseRecordName,
  responseRecords,
} from './operations/records/replies.js'
export {
  type CardInfoField,
  type ReplyField,
  type ReplyFields,
  recordFields,
  replyFields,
} from './operations/reply-fields.js'
export {
  aCount,
  aFlag,
  aFunction,
  anObjectWith,
  aText,
  checkedLater,
  checkOptions,
  longestDelay,
  mustBe,
  nested,
  type OptionCheck,
  type OptionProblem,
  type OptionTable,
  oneOfWords,
  optionProblem,
  required,
} from './options/check-options.js'
export { describeValue } from './options/describe-value.js'
export { nearName } from './options/near-name.js'
export { type AttributionInput, attribute, serialNumberOf } from './order/attribution.js'
export { askedAfter, echoesIds } from './order/order.js'
export { readOrder } from './order/read-order.js'
export { notify } from './outcome/notify.js'
export { readMinorUnits } from './profile/amounts.js'
export {
  carriesLogin,
  type ExcessLength,
  excessLength,
  type LoginSource,
  type MaxLengthSource,
  maxLength,
  type ResolvedSigning,
  resolveSigning,
} from './profile/of-operation.js'
export { isLoopbackHost, isSafeAddress, type SafeAddressOptions } from './redaction/addresses.js'
export {
  hidden,
  isCardNumber,
  maskCardNumber,
  maskCardNumbers,
  maskNumber,
  quote,
  quoteMoney,
} from './redaction/mask-card-number.js'
export { type FieldText, type ReplyRedaction, redactField, redactPairs } from './redaction/redact-fields.js'
export { createScrubber, excerpt, type Scrubber, type Secrets } from './redaction/scrub.js'
export { describeNoId, isNoId } from './reply/absent.js'
export { missingReplyFields, readReply, requiredReplyFields } from './reply/read-reply.js'
export {
  type AttemptIdentity,
  attemptIdentity,
  attemptKey,
  type ChangeExtent,
  changedOrderKey,
  changesPart,
  isUnresolved,
  laterEnd,
  mayHaveArrived,
  movesMoneyOfOrder,
  readAttempt,
  refuseAttempt,
} from './store/attempt-rules.js'
