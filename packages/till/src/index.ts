/**
 * Takes payments with one object and one function: `@tillkit/till`.
 *
 * @module
 */

export type { OutcomeContext } from './engine/handler.js'
export type { JournalledOptions } from './engine/journal.js'
export type { TimelineEntry } from './history/timeline/entry.js'
export type { TillPage, TillPageName, TillPages } from './pages/options.js'
export type { TillTexts } from './pages/texts.js'
export type { Afterwards, Part, Wanted } from './payment/afterwards.js'
export type { ChangeResult } from './payment/change/changes.js'
export type { OfAccount, TillClient } from './payment/client/types.js'
export { TillError, type TillErrorCode } from './payment/errors.js'
export type {
  AccountView,
  OnUnmatched,
  OutcomeHandler,
  TillAccount,
  TillAccounts,
  TillContext,
  TillMeter,
  TillOptions,
  TillOutcome,
  UnmatchedCallback,
  UnmatchedContext,
} from './payment/options.js'
export type { NextStep } from './payment/pay/pay-context.js'
export type { PayoutOrder, PayoutResult } from './payment/pay/payout.js'
export type { PayChoices, PaymentName, PayRequest, RebillOrder, VerifyRequest } from './payment/requests.js'
export type { AdoptRequest, AdoptResult } from './people/adopt.js'
export type { DecisionResult } from './people/decide.js'
export type { Pause } from './people/pause.js'
export type { DecisionRequest } from './people/wanted.js'
export type {
  FailingPayment,
  OpenRequests,
  PaymentForPerson,
  ReportList,
  ReportOptions,
  ReportPage,
  SurplusOrder,
  SurplusPayment,
  TillReport,
  UnknownPayment,
  UnknownRequest,
  UnmatchedOrder,
  WaitingPayment,
} from './report/types.js'
export type { CertainOutcome, DisputedOutcome, OutcomeKind, ReceivedOutcome } from './rules/delivery/outcome.js'
export type { AllowedNow, OrderTotals } from './rules/orders/totals.js'
export type { Payment, PaymentOrder, PaymentState } from './rules/pay/payment.js'
export type { OrderStanding, OtherAmount } from './rules/pay/standing.js'
export type { ChangeUnderWay, UntoldStage } from './rules/pay/under-way.js'
export type { AdoptionRefusal } from './rules/people/adopt.js'
export type { PaymentQuestion } from './rules/people/questions.js'
export type { AmountsByCurrency, DecisionRefusal, WantedDecision } from './rules/people/wanted.js'
export type { ReportedResult } from './rules/reported.js'
export type { DecidedMatter, KnownDecision, KnownWord } from './state/decision.js'
export type { StageSaid } from './state/facts.js'
export type { CallbackSaid, FailedTelling, OpenCallback, UnshownCallback } from './state/known.js'
export { type OrderPlace, orderPlace } from './store/keys.js'
export { type MemoryStoreOptions, memoryStore } from './store/memory-store.js'
export {
  checkPostpone,
  checkTake,
  checkWrite,
  type Entry,
  largestBody,
  longestKey,
  type Page,
  type Store,
  type Stored,
  StoreError,
  type StoreErrorCode,
  type StoreRisk,
  type TakeOptions,
  type WriteOptions,
  type Written,
} from './store/store.js'
export { createTill } from './till/create-till.js'
export type { PurgeOptions } from './till/purge.js'
export type { AccountCheck, FetchOptions, RoutesFinding, StartOptions, StoreFinding, Till } from './till/till.js'
