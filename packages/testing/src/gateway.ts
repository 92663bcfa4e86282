/**
 * The inside of the fake, for the package `tillkit` that serves it. May change in any release.
 *
 * @module
 */

export { textTable } from './assertions/describe.js'
export { mostRepetitions, patience as callbackPatience } from './callbacks/deliver.js'
export { formsOf } from './customer/open-page.js'
export type { OtherPaths } from './fake/answer.js'
export { createExtendedGateway } from './fake/fake-gateway.js'
export { faultNames } from './faults/fault-table.js'
export { webAddress } from './http/addresses.js'
export { isOwnName, isSentByAnotherSite } from './http/another-site.js'
export {
  type GatewayAnswer,
  type GatewayRequest,
  gatewayMediaType,
  type WrittenAnswer,
} from './http/message.js'
export type { JournalEntry } from './log/journal.js'
export { maskValue, publicOAuthParameters, type Redaction, redactText, redactValue } from './log/redact.js'
export type { Merchant } from './merchants/merchants.js'
export { merchantGateway, settingsOfLogin } from './merchants/settings.js'
export { latestStage, type Order, stageOutcome } from './orders/order.js'
export { plannableOutcomes } from './orders/outcomes.js'
export { type Html, html, writeDocument } from './pages/document.js'
export { groupDigits, readTyped } from './pages/page.js'
export { formAddress, threeDSecureAddress } from './pages/return-page.js'
export { RefusedRequest, refusalReasons } from './replies/refusal.js'
export { tellingApart } from './rules/actions.js'
export type { Fields, GatewayState } from './state/gateway-state.js'
export { act } from './state/order-actions.js'
export { usedBefore } from './state/order-changes.js'
export { orderView } from './state/order-view.js'
export { resetState, unhandled } from './state/reset.js'
export { longestStep } from './time/clock.js'
export { controlValues } from './verification/check-signature.js'
export { readFields } from './verification/fields.js'
export { findRoute } from './verification/route.js'
