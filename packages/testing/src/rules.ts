/**
 * The rules of the fake gateway as pure functions: what a request or an action makes of an order, and what status and callbacks say
 * of it. A simulation that has no HTTP, clock or ids of its own stands on them. May change in any release.
 *
 * @module
 */

export type { StoredCard } from './orders/card.js'
export {
  addStage,
  type Order,
  openStage,
  type Stage,
  stageOutcome,
  type ThreeDSecure,
  type Verdict,
} from './orders/order.js'
export type { HostedForm } from './orders/order-book.js'
export { approved, declined } from './orders/outcomes.js'
export { type RefusalReason, RefusedRequest } from './replies/refusal.js'
export type { ReplyRecord, ReplyValue } from './replies/reply.js'
export {
  type Acting,
  type ActionPlan,
  allowedActions,
  carryOut,
  type OrderAction,
  planAction,
  type StagePlan,
} from './rules/actions.js'
export {
  type AllowedChange,
  allowCapture,
  allowPayout,
  allowReturn,
  allowVoid,
  type ChangeWish,
  changeWish,
} from './rules/changes.js'
export {
  beginOrder,
  beginStage,
  type Decision,
  decide,
  latestEnded,
  type Marks,
  type NewStage,
  type OrderStage,
} from './rules/stages.js'
export {
  type Behind,
  notificationFields,
  type Saying,
  type SayingAt,
  shownStage,
  statusRecord,
  statusWord,
} from './rules/status.js'
