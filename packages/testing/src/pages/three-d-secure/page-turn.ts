/**
 * What a page of 3DS answers from.
 *
 * @module
 */

import type { GatewayState } from '../../fake/gateway-state.js'
import type { GatewayAnswer } from '../../http/gateway-message.js'
import type { Typed } from '../field.js'
import type { ThreeDSecureStage } from './find-stage.js'

/** A browser at a page of 3DS. */
export interface PageTurn extends ThreeDSecureStage {
  /** What was posted; undefined for GET. */
  readonly typed: Typed | undefined
  readonly gateway: GatewayState
}

/** Answers a browser. */
export type ThreeDSecurePage = (turn: PageTurn) => GatewayAnswer
