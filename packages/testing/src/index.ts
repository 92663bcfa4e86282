export { assertNoSecrets, type Secrets } from './assert-no-secrets.js'
export { type AttemptsCheck, type AttemptsCheckContext, attemptsChecks } from './attempts-checks.js'
export { type AttemptsConformanceOptions, attemptsConformance } from './attempts-conformance.js'
export type { Call, SentOAuth } from './call-log.js'
export type { CallbackDelivery, Callbacks } from './callbacks.js'
export {
  type CertifyOptions,
  certify,
  type MerchantStarter,
} from './certify/certify.js'
export { describeCertification } from './certify/describe-certification.js'
export type {
  MerchantUnderTest,
  PaidAnswer,
  PaymentToStart,
  ReceivedCallback,
  StartedPayment,
} from './certify/merchant-under-test.js'
export {
  type CertifiedCase,
  type CertifyFinding,
  type CertifyReport,
  type FindingKind,
  findingKinds,
} from './certify/report.js'
export type { ExpectedCallbacks } from './checks/callbacks.js'
export type { ExpectedCalls } from './checks/calls.js'
export { type ExpectedOrder, type Movement, movementsOf } from './checks/money.js'
export type { ClientOptions, GroupClientOptions, MerchantChoice } from './client-options.js'
export { createFakeClock, type FakeClock, type FakeClockOptions, type Scheduled } from './clock.js'
export { describeCalls } from './describe-calls.js'
export { describeGateway } from './describe-gateway.js'
export {
  createFakeGateway,
  type FakeGateway,
  type ListeningAddress,
  type ListenOptions,
} from './fake-gateway.js'
export {
  type FaultName,
  type FaultPlace,
  type FaultRow,
  faultRows as faultTable,
} from './fault-table.js'
export type { ArmedFault, Fault, FaultOptions, Faults } from './faults.js'
export { silentMethodCard, testCard, threeDSecure1Card, threeDSecurePassword } from './fixtures/cards.js'
export { testPrivateKey, testPublicKey } from './fixtures/test-keys.js'
export { forEachSeed } from './for-each-seed.js'
export {
  assertCalledBack,
  assertMovedMoney,
  assertOrder,
  assertReceived,
  assertRefusedNothing,
} from './gateway-assertions.js'
export { type GatewayMatchers, gatewayMatchers, type MatcherResult } from './gateway-matchers.js'
export type { GatewayOrders } from './gateway-orders.js'
export {
  type Handler,
  type HandlerReply,
  type Handlers,
  type HangUp,
  hangUp,
  type OwnHandler,
  type OwnHandlerReply,
} from './handlers.js'
export type { InboxCheck, InboxCheckContext } from './inbox-check.js'
export { inboxChecks } from './inbox-checks.js'
export { type InboxConformanceOptions, inboxConformance } from './inbox-conformance.js'
export type { SignedEvidence } from './ledger.js'
export { type EndpointIdOption, type MerchantOptions, testControlKey } from './merchants.js'
export { guardNetwork, type NetworkGuard, NetworkGuardError, type NetworkGuardOptions } from './network-guard.js'
export type { OpenPage } from './open-page.js'
export type { FakeGatewayOptions } from './options.js'
export {
  ImpossibleActionError,
  type OrderAction,
  type OrderActionName,
  type OrderActionRow,
  orderActions,
} from './order-actions.js'
export type { OrderView, StageView } from './order-view.js'
export type { OutcomePlan, Outcomes, PlannedOutcome, WaitingOutcome } from './outcomes.js'
export { type CustomerInput, type PayAsCustomerOptions, payAsCustomer } from './pay-as-customer.js'
export { type RecordRunOptions, type RunRecorder, recordRun } from './recording/record-run.js'
export type {
  RecordedAnswer,
  RecordedExchange,
  RecordedFailure,
  RecordedPage,
  RecordedReply,
  Recording,
} from './recording/recording.js'
export { ReplayMismatchError, type RunReplay, replayRun } from './recording/replay-run.js'
export type { AttemptMaker } from './sample-attempts.js'
export { declinedAccount, sandboxCodes } from './sandbox-outcome.js'
export { type SignedCallback, type SignedCallbackOptions, signedCallback } from './signed-callback.js'
export { type SignerConformanceOptions, signerConformance } from './signer-conformance.js'
export {
  type TakesHook,
  type TestHook,
  type TestHooks,
  type UseFakeGatewayOptions,
  useFakeGateway,
} from './use-fake-gateway.js'
