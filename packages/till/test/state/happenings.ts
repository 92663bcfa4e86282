import { type AttemptEnd, defaultProfile } from '@tillkit/protocol'
import { historyOf as keptHistory } from '../../src/history/news.js'
import { claimDelivery, toldOutcome } from '../../src/rules/delivery/delivery.js'
import { attemptEnded, callbackAnswered, callbackCame, statusSeen } from '../../src/rules/orders/happened.js'
import { permissionToSend } from '../../src/rules/orders/reserve.js'
import type { PaymentDocument } from '../../src/state/document.js'
import { toDocument } from '../../src/state/evolve.js'
import type { History } from '../../src/state/facts.js'
import type { KnownAttempt } from '../../src/state/known.js'

/** An order of the payment. */
export const first = { clientOrderId: 'basket-7', login: 'merchant' }

/** An event in the life of a payment: one rule of the store. */
export type Happening = (document: PaymentDocument | undefined) => PaymentDocument | undefined

/** The history that is kept after all of this has happened, each read from what was kept before it. */
export const historyOf = (...happenings: readonly Happening[]): History | undefined =>
  happenings.reduce<History | undefined>((history, happening) => {
    const before = history === undefined ? undefined : toDocument(history)
    const after = happening(before)
    return after === undefined ? history : keptHistory(after)
  }, undefined)

/** A request is written down, and about to be sent. */
export const sent =
  (attempt: KnownAttempt): Happening =>
  document => {
    const decided = permissionToSend(document, attempt)
    if (decided.kind !== 'reserved') throw new Error(`The request is not sent: ${decided.kind}.`)
    return decided.document
  }

/** It becomes known how a request ended. */
export const answered =
  (attempt: KnownAttempt, end: AttemptEnd): Happening =>
  document =>
    attemptEnded(document, attempt, end)

/** A verified callback comes. */
export const calledBack =
  (about: typeof first, at: number): Happening =>
  document =>
    callbackCame(document, about, at)

/** Status was asked at that time, and answers all callbacks that had come. */
export const replied =
  (about: typeof first, askedAt: number, said: Readonly<Record<string, string>>): Happening =>
  document => {
    const seen = statusSeen(document, about, {
      observation: {
        reply: {
          status: 'approved',
          clientOrderId: about.clientOrderId,
          orderId: '77',
          currency: 'EUR',
          raw: {},
          ...said,
        },
        askedAt,
        ...(said.byRequestSn === undefined ? {} : { bySerialNumber: said.byRequestSn }),
      },
      profile: defaultProfile,
    })
    const came = seen.orders.find(each => each.clientOrderId === about.clientOrderId)?.callbackAt
    return came === undefined ? seen : callbackAnswered(seen, about, came)
  }

/** The handler is called at that time, and takes it. */
export const told =
  (at: number, isApproval?: boolean): Happening =>
  document => {
    const claim = document && claimDelivery(document, { token: 't', at, lease: 60_000 })
    if (claim?.kind !== 'claimed') throw new Error('There is nothing to tell.')
    return toldOutcome(claim.document, 't', [], isApproval)
  }
