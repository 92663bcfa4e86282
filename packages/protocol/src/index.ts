// For applications: the table of operations, what a request says and a reply carries. Every record is public.

export { operationInWords, stageNames } from './operations/names.js'
export {
  type AnyOperation,
  control,
  type Effect,
  type Operation,
  operation,
  type RequestOf,
  type ResponseOf,
  type Signing,
} from './operations/operation.js'
export { type OperationName, type Operations, operations } from './operations/operations.js'
export type * from './operations/records/common.js'
export type * from './operations/records/order-changes.js'
export type * from './operations/records/payments.js'
export type * from './operations/records/payouts.js'
export type * from './operations/records/replies.js'
export {
  type AwaitedStage,
  approvedKinds,
  isAwaitedStage,
  type MoneyMoved,
  mayRepeat,
  moneyMoved,
  type StageName,
} from './operations/stages.js'

// For applications: what a status reply says of an order.

export { emptyOrder, reduceOrder } from './order/order.js'
export {
  type AskedSettlement,
  isSettled,
  needsPerson,
  type Outcome,
  type Settled,
  type SettleInput,
  type Settlement,
  settle,
  settleAnswer,
} from './order/settle.js'
export type { Correction, Order, Stage, StatusObservation } from './order/types.js'
export {
  type CustomerStep,
  methodTimeLimit,
  threeDSCompInd,
  threeDSecureStep,
  threeDSMethodData,
} from './three-d-secure/step.js'

// For applications: what the specification leaves open, and the store that remembers.

export {
  type Attempt,
  type AttemptEnd,
  type AttemptIdentity,
  type StatusSnapshot,
  snapshotOf,
} from './attempt/attempt.js'
export { isSamePerson, type Person, readPerson, readPersonIfGiven } from './attempt/person.js'
export type { Pace, PollSchedule } from './profile/poll-schedule.js'
export { aProfile, defaultProfile, defineProfile, type ProfileOverrides } from './profile/profile.js'
export type { FinalOutcome, NotificationParameters, ThreeDSecureStep, WireProfile } from './profile/types.js'

// For the other packages here, and for a transport of your own.

export {
  amountFields,
  cardFieldOf,
  cardFields,
  cardNumberFields,
  fieldKind,
  redactField,
  wireNames,
} from './operations/fields.js'
export { alternativeProblem, alternativesInWords } from './operations/operation.js'
export { recipientFields, recipientOf } from './operations/recipient.js'
export {
  type ReplyField,
  type ReplyRecordName,
  redactPairs,
  replyFields,
  responseRecords,
} from './operations/reply-fields.js'
export {
  aCount,
  aFlag,
  aFunction,
  anObjectWith,
  aText,
  checkedLater,
  checkOptions,
  describeValue,
  longestDelay,
  mustBe,
  nearName,
  nested,
  type OptionCheck,
  type OptionTable,
  oneOfWords,
  optionProblem,
  required,
} from './options/check-options.js'
export { notify } from './options/notify.js'
export {
  attribute,
  endsHold,
  finalOutcome,
  observedStage,
  serialNumberOf,
  stageOf,
} from './order/attribution.js'
export { echoesIds, readOrder, stageTexts } from './order/order.js'
export { checkExpected } from './order/settle.js'
export { readableDigits, readMinorUnits } from './profile/amounts.js'
export {
  carriesLogin,
  excessLength,
  maxLength,
  type ResolvedSigning,
  resolveSigning,
  wireName,
} from './profile/of-operation.js'
export { checkSchedule, nextPause, startPace } from './profile/poll-schedule.js'
export { isLoopbackHost, isSafeAddress, type SafeAddressOptions } from './redaction/addresses.js'
export { errorText } from './redaction/error-text.js'
export {
  hidden,
  isCardNumber,
  maskCardNumber,
  maskCardNumbers,
  maskNumber,
  quote,
  quoteMoney,
  shortMasked,
} from './redaction/mask-card-number.js'
export { createScrubber, excerpt, type Scrubber } from './redaction/scrub.js'
export {
  describeNoId,
  isNoId,
  missingReplyFields,
  noIdAmong,
  notText,
  readReply,
  requiredReplyFields,
  withoutNulls,
} from './reply/read-reply.js'
