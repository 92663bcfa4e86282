/**
 * The suite that every store has to pass, for authors of stores: `@tillkit/till/conformance`.
 *
 * @module
 */

export type { MerchantRows, StoreCheck, StoreCheckContext, StoreGround } from './conformance/context.js'
export type { StoreElsewhere } from './conformance/processes.js'
export {
  type StoreConformanceOptions,
  storeChecks,
  storeConformance,
} from './conformance/store-conformance.js'
