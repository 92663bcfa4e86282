/**
 * The rules of the fake gateway as pure functions: what a request or an action makes of an order, and what status and callbacks say
 * of it. A simulation that has no HTTP, clock or ids of its own stands on them. May change in any release.
 *
 * @module
 */

export { addStage, type Order, openStage, type Stage, stageOutcome, type Verdict } from './orders/order.js'
export { approved, declined } from './orders/outcomes.js'
export { RefusedRequest } from './replies/refusal.js'
export { allowedActions, carryOut, type OrderAction, planAction } from './rules/actions.js'
export { allowCapture, allowPayout, allowReturn, allowVoid, changeWish } from './rules/changes.js'
export { beginOrder, beginStage, decide, latestEnded, type Marks, type OrderStage } from './rules/stages.js'
export { notificationFields, shownStage, statusRecord } from './rules/status.js'
export { statusWord } from './rules/words.js'
