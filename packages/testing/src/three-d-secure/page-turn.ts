/**
 * What a page of 3DS answers from.
 *
 * @module
 */
import { threeDSecurePassword } from '../fixtures/cards.js'
import type { GatewayAnswer } from '../gateway-message.js'
import type { GatewayState } from '../gateway-state.js'
import type { Typed } from '../pages/field.js'
import type { ThreeDSecureStage } from './find-stage.js'

/** A browser at a page of 3DS. */
export interface PageTurn extends ThreeDSecureStage {
  /** What was posted; undefined for GET. */
  readonly typed: Typed | undefined
  readonly gateway: GatewayState
}

/** Answers a browser. */
export type ThreeDSecurePage = (turn: PageTurn) => GatewayAnswer

/** Whether the customer proved who they are. @returns undefined while nothing was entered. */
export function provedIdentity({ password, cancel }: Typed): boolean | undefined {
  if (cancel !== undefined) return false
  return password === undefined ? undefined : password.trim() === threeDSecurePassword
}

/** What a customer is told who sends nothing. */
export const missingCode = { password: 'Enter the code.' }

/** Whether the form was sent without a code. */
export const isCodeMissing = ({ password, cancel }: Typed): boolean => cancel === undefined && password?.trim() === ''
