import type { AttemptEnd, WireProfile } from '@tillkit/protocol'
import type { PaymentDocument } from '../state/document.js'
import type { AbsencePosition, KnownAttempt, WantedChange } from '../state/known.js'
import type { Answer } from './answer.js'
import { overstayedDelivery, postponeDelivery, toldOutcome } from './delivery/delivery.js'
import { absenceSeen, attemptEnded, repliedTo } from './orders/happened.js'

/** Something that happened, and that is to be written down. It is merged into whatever is kept of the payment by then. */
export type Happening =
  /** A request ended. */
  | { readonly kind: 'ended'; readonly attempt: KnownAttempt; readonly end: AttemptEnd }
  /** Status said something. */
  | {
      readonly kind: 'status'
      readonly answer: StatusAnswer
      /** Serial numbers of requests that it is not about: the same run asked by them, and heard another word. */
      readonly notAbout?: readonly string[]
    }
  /** Status has not seen what a request would have made. */
  | { readonly kind: 'absent'; readonly attempt: KnownAttempt; readonly absence: AbsencePosition }
  | Told

/** The end of a lease. It goes by the token: writes of others change nothing about it. */
export type Told =
  /** The handler was told. `wanted`: what it wants done about the order. `isApproval`: whether it was told of an approval. */
  | {
      readonly kind: 'told'
      readonly token: string
      readonly wanted: readonly WantedChange[]
      readonly isApproval: boolean | undefined
    }
  /** It has not ended, and the lease is over. */
  | { readonly kind: 'overstayed'; readonly token: string }
  /** It was not. Absent `failure`: it was not called. */
  | {
      readonly kind: 'not-told'
      readonly token: string
      readonly at: number
      readonly failure?: { readonly error: unknown }
    }

/** An answer of status that says something. */
export type StatusAnswer = Extract<Answer, { readonly kind: 'reply' }>

/** Merges something that happened into a payment. @returns The very payment where it changes nothing. */
export function withHappening(
  payment: PaymentDocument | undefined,
  happening: Happening,
  profileOf: (login: string) => WireProfile,
): PaymentDocument | undefined {
  switch (happening.kind) {
    case 'ended':
      return attemptEnded(payment, happening.attempt, happening.end)
    case 'absent':
      return absenceSeen(payment, happening.attempt, happening.absence)
    case 'told': {
      const { token, wanted, isApproval } = happening
      return toldOutcome(payment, token, wanted, isApproval) ?? payment
    }
    case 'overstayed':
      return overstayedDelivery(payment, happening.token) ?? payment
    case 'not-told': {
      const { token, at, failure } = happening
      return postponeDelivery(payment, token, at, failure && { at, ...failure }) ?? payment
    }
    case 'status': {
      const { reply, askedAt: at, question } = happening.answer
      const { login, clientOrderId, bySerialNumber } = question
      const asked = { reply, age: 0, bySerialNumber, notAbout: happening.notAbout }
      return payment && repliedTo(payment, { clientOrderId, login }, { asked, profile: profileOf(login), at })
    }
  }
}
