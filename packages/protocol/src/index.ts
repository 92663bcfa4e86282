// For applications: the table of operations, what a request says and a reply carries. Every record is public.

export { historyAfter, type KnownDocument, type KnownPayment } from './history/history.js'
export { requestInWords, stageNames } from './history/names.js'
export type { TimelineEntry } from './history/timeline/entry.js'
export {
  type Alternative,
  type AnyOperation,
  type Credential,
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
  isAwaitedStage,
  type MoneyMoved,
  mayRepeat,
  moneyMoved,
  type StageName,
} from './operations/stages.js'

// For applications: what a status reply says of an order, and how a wait for that ends.

export { emptyOrder, reduceOrder } from './order/order.js'
export {
  isSettled,
  type Outcome,
  type Settled,
  type SettleInput,
  type Settlement,
  settle,
  type Unsettled,
} from './order/settle.js'
export { type AllowedNow, allowedNow, type OrderTotals, orderTotals } from './order/totals.js'
export type { Correction, Expectation, Order, Stage, StatusObservation } from './order/types.js'
export {
  type AskedSettlement,
  type AskInput,
  askAndSettle,
  type DisputedSettlement,
  needsPerson,
  notify,
  type StatusAsker,
} from './outcome/ask-and-settle.js'
export type {
  AwaitedOutcome,
  NeedsCustomer,
  NeedsPerson,
  SettledOutcome,
  StillUnknown,
} from './outcome/awaited-outcome.js'
export {
  type AcceptedRequest,
  type OrderOperationName,
  type OutcomeQuestion,
  outcomeOf,
  type WaitState,
} from './outcome/wait-state.js'
export {
  type CustomerStep,
  type MethodStep,
  methodTimeLimit,
  threeDSCompInd,
  threeDSecureStep,
  threeDSMethodData,
} from './three-d-secure/step.js'

// For applications: what the specification leaves open, and the store that remembers.

export { type KnownCorrection, latestOutcome } from './order/late-approval.js'
export type { Pace, PollPhase, PollSchedule } from './profile/poll-schedule.js'
export { aProfile, defaultProfile, defineProfile, type ProfileOverrides } from './profile/profile.js'
export type { FinalOutcome, NotificationParameters, ThreeDSecureStep, WireProfile } from './profile/types.js'
export { type AbsenceInput, type AbsenceVerdict, judgeAbsence, quietSinceOf } from './store/absence.js'
export {
  type Attempt,
  type AttemptEnd,
  type RememberedAttempt,
  type StatusSnapshot,
  snapshotOf,
} from './store/attempt.js'
export { isUnresolved, laterEnd, mayHaveArrived, readAttempt } from './store/attempt-rules.js'
export type { DecidedMatter, DecidedRequest, KnownDecision, KnownWord } from './store/decision.js'
export {
  type AbsencePosition,
  emptyDocument,
  type FailedTelling,
  findOrder,
  isUntold,
  type KnownAttempt,
  type KnownOrder,
  type KnownStage,
  type PauseEntry,
  type PaymentDocument,
  quietFrom,
  type Telling,
  type ThreeDSecureProgress,
  tombstoneOf,
  type UnmatchedNews,
  type WantedChange,
  type Wish,
} from './store/document.js'
export {
  attemptBehind,
  creationOf,
  expectationOf,
  isAwaited,
  questionRaisedBy,
  questionsAbout,
  type ShownAttempt,
  shownAttempts,
} from './store/expected.js'
export {
  type AskedReply,
  absenceSeen,
  attemptEnded,
  callbackAnswered,
  callbackCame,
  type FactAbout,
  observationOf,
  type StatusFact,
  statusSeen,
  threeDSecureSeen,
} from './store/facts.js'
export {
  type Changed,
  type ChangeOptions,
  createDocuments,
  type Decided,
  type Documents,
  type DocumentsOptions,
  type ReadDocument,
} from './store/kept/documents.js'
export {
  entryOf,
  lookAgainAt,
  readDocument,
  readKnown,
} from './store/kept/entry.js'
export { type ListWord, listsFor } from './store/kept/lists.js'
export { overdueSeen } from './store/kept/overdue.js'
export {
  gaveUp,
  isClosed,
  isLasting,
  needsPeople,
  type Patience,
  pauseAfter,
  type StoreTrouble,
} from './store/kept/persist.js'
export {
  type FailingHandler,
  type Reported,
  reportedOf,
  type SurplusOrder,
  type UnknownRequest,
  type UnmatchedOrder,
} from './store/kept/reported.js'
export { claimOffer, offerFailed, offerOver, type UnmatchedOffer, unmatchedCame } from './store/kept/unmatched.js'
export { isWatched } from './store/kept/watch.js'
export {
  type DocumentIds,
  documentKey,
  learntKey,
  type OrderPlace,
  orderIdFor,
  orderPlace,
  type PaymentPlace,
  paceKey,
  partKeyIn,
  prefixesOf,
  referenceProblem,
  restoredKey,
  siblingKey,
  tillKey,
  unmatchedKey,
} from './store/keys.js'
export { type MemoryStoreOptions, memoryStore } from './store/memory-store.js'
export {
  type ChangeStep,
  type ChangeTerms,
  hasLostChange,
  isChangeSent,
  nextChangeStep,
} from './store/pay/change-step.js'
export { leaveOrder } from './store/pay/leave.js'
export { isForm, nextPayStep } from './store/pay/next-step.js'
export type { PayFacts, PayRules, PayStep, PayTerms } from './store/pay/pay-step.js'
export {
  currentOrder,
  type Payment,
  type PaymentOrder,
  type PaymentState,
  type PaymentView,
  paymentOf,
} from './store/pay/payment.js'
export { type PurgeTerms, purged } from './store/pay/purge.js'
export { type OrderStanding, type OtherAmount, standingOf } from './store/pay/standing.js'
export { type LostRequest, takeUpOrder } from './store/pay/take-up.js'
export type { ChangeUnderWay, UntoldStage } from './store/pay/under-way.js'
export {
  type AdoptedOrder,
  type AdoptionRefusal,
  type AdoptionVerdict,
  adoptOrder,
  movedDocument,
  type PlaceVerdict,
} from './store/people/adopt.js'
export { decideMatter, questionsFor } from './store/people/decide.js'
export { attemptDecided, isUnderWay, type PersonsEnd } from './store/people/end-attempt.js'
export { pauseDecided, pauseOf } from './store/people/pause.js'
export { type Person, readPerson, readPersonIfGiven } from './store/people/person.js'
export {
  type OpenQuestion,
  type PaymentQuestion,
  type QuestionFacts,
  questionsOf,
} from './store/people/questions.js'
export type { AmountsByCurrency } from './store/people/second-person.js'
export type {
  DecisionFacts,
  DecisionRefusal,
  DecisionVerdict,
  RefusedDecision,
  StatusWord,
  WantedDecision,
} from './store/people/wanted.js'
export { hasFailed, isGivenUp, isReleased, type ReserveDecision, reserveAttempt } from './store/reserve.js'
export {
  type ChangeDoubt,
  type ChangeInput,
  type DoubtReason,
  doubtsAboutChange,
  doubtsAboutNamed,
} from './store/resolve/change-doubts.js'
export { type CreationDoubt, doubtsAboutCreation } from './store/resolve/creation-doubts.js'
export {
  checkCount,
  checkKey,
  checkPostpone,
  checkTake,
  checkWrite,
  type DocumentStore,
  type Entry,
  largestBody,
  longestKey,
  type Page,
  type Store,
  type Stored,
  StoreError,
  type StoreErrorCode,
  type TakeOptions,
  type WriteOptions,
  type Written,
} from './store/store.js'
export { type GiveBackStep, giveBackStep } from './store/told/give-back.js'
export {
  approvedKinds,
  type CertainOutcome,
  type DisputedOutcome,
  type OutcomeKind,
  outcomeToTell,
  type ReceivedOutcome,
} from './store/told/outcome.js'
export {
  type ClaimDecision,
  claimedOutcome,
  claimTelling,
  overstayedTelling,
  postponeTelling,
  toldOutcome,
  type UntoldOutcome,
} from './store/told/telling.js'
export { wishGone } from './store/told/wishes.js'

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
  type CardInfoField,
  type OwnReplyFields,
  type ReplyField,
  type ReplyFields,
  type ReplyRecordName,
  type ResponseRecordName,
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
export { type AttributionInput, attribute, finalOutcome, serialNumberOf, stageOf } from './order/attribution.js'
export { askedAfter, echoesIds, readOrder } from './order/order.js'
export { type StatusAnswer, settleAnswer } from './outcome/ask-and-settle.js'
export { type Advanced, advanceWait, stillUnknown } from './outcome/awaited-outcome.js'
export { openWait } from './outcome/wait-state.js'
export { readMinorUnits } from './profile/amounts.js'
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
} from './redaction/mask-card-number.js'
export { createScrubber, excerpt, type Scrubber } from './redaction/scrub.js'
export { shortened } from './redaction/shortened.js'
export { describeNoId, isNoId, missingReplyFields, readReply, requiredReplyFields } from './reply/read-reply.js'
export {
  type AttemptIdentity,
  attemptIdentity,
  attemptKey,
  changedOrderKey,
  changesPart,
  movesMoneyOfOrder,
} from './store/attempt-rules.js'
