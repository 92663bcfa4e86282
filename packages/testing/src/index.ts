export { assertNoSecrets, type Secrets } from './assertions/assert-no-secrets.js'
export {
  type ExpectedCallbacks,
  type ExpectedCalls,
  type ExpectedOrder,
  type MatcherResult,
  type Movement,
  movementsOf,
} from './assertions/checks.js'
export { describeCalls, describeGateway } from './assertions/describe.js'
export { forEachSeed } from './assertions/for-each-seed.js'
export {
  assertCalledBack,
  assertMovedMoney,
  assertOrder,
  assertReceived,
  assertRefusedNothing,
  type GatewayMatchers,
  gatewayMatchers,
} from './assertions/gateway-assertions.js'
export {
  type TakesHook,
  type TestHook,
  type TestHooks,
  type UseFakeGatewayOptions,
  useFakeGateway,
} from './assertions/use-fake-gateway.js'
export type { CallbackDelivery, Callbacks } from './callbacks/callback-sender.js'
export {
  type NotificationKind,
  type SignedCallback,
  type SignedCallbackOptions,
  signedCallback,
} from './callbacks/signed-callback.js'
export { type SignerConformanceOptions, signerConformance } from './conformance/signer-conformance.js'
export type { OpenPage } from './customer/open-page.js'
export {
  type CustomerInput,
  type PayAsCustomerOptions,
  type PayingGateway,
  payAsCustomer,
} from './customer/pay-as-customer.js'
export type { ClientOptions, GroupClientOptions, MerchantChoice } from './fake/client-options.js'
export {
  createFakeGateway,
  type FakeGateway,
  type ListeningAddress,
  type ListenOptions,
} from './fake/fake-gateway.js'
export {
  type FaultName,
  type FaultPlace,
  type FaultRow,
  faultRows as faultTable,
} from './faults/fault-table.js'
export type { ArmedFault, Fault, FaultOptions, Faults } from './faults/faults.js'
export { silentMethodCard, testCard, threeDSecure1Card, threeDSecurePassword } from './fixtures/cards.js'
export { testPrivateKey, testPublicKey } from './fixtures/test-keys.js'
export type { Call, SentOAuth } from './log/call-log.js'
export { type EndpointIdOption, type MerchantOptions, testControlKey } from './merchants/merchants.js'
export type { FakeGatewayOptions } from './merchants/options.js'
export type { OutcomePlan, Outcomes, PlannedOutcome, SandboxOutcome, WaitingOutcome } from './orders/outcomes.js'
export { declinedAccount, sandboxCodes } from './orders/outcomes.js'
export type { ComparedSignature } from './replies/refusal.js'
export {
  ImpossibleActionError,
  type OrderAction,
  type OrderActionName,
  type OrderActionRow,
  orderActions,
  type ToldApartBy,
} from './rules/actions.js'
export {
  type Handler,
  type HandlerReply,
  type Handlers,
  type HangUp,
  hangUp,
  type OwnHandler,
  type OwnHandlerReply,
} from './state/handlers.js'
export type { GatewayOrders, OrderView, StageView } from './state/order-view.js'
export type { SignedEvidence } from './state/signed-evidence.js'
export { type ClockJump, createFakeClock, type FakeClock, type FakeClockOptions, type Scheduled } from './time/clock.js'
