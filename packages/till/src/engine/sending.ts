import type { ClientObserver, PreparedRequest, SentRequest } from '@tillkit/client'
import { safeCause } from '@tillkit/client/core'
import { type Attempt, createScrubber, notify, type Reply } from '@tillkit/protocol'
import type { SendPermission } from '../rules/orders/reserve.js'
import { notReserved, reservationError } from '../said/refusals.js'
import type { Tools } from './effects.js'

/** A request that creates or changes, prepared. */
export type Described = PreparedRequest<Reply> & Required<Pick<PreparedRequest<Reply>, 'description'>>

/** A prepared request on its way through a run, in the process whose caller gave its fields. */
export interface Sending {
  /** Sends it; its first byte leaves within so many milliseconds, or never. */
  readonly send: NonNullable<Tools['send']>
  /** Its caller hears this; undefined: it was not sent. */
  sent(): SentRequest<Reply> | undefined
  /** Says to the observer why its end is not written down. */
  tellUnwritten(cause: unknown): void
  /** Why it was not sent. */
  notSent(cause: unknown): Error
  /** Why it may not be sent, by what is kept of the payment. */
  forbidden(why: Exclude<SendPermission, { readonly kind: 'reserved' }>): Error
}

/** Everything that sending needs of an account. */
export interface SendingOptions {
  readonly controlKey: string
  readonly observer: Pick<ClientObserver, 'unsettled'>
  readonly clock: () => number
}

/**
 * Makes what sends one prepared request of an account, once.
 *
 * @param otherKey Another key that stands in no error, besides that of the account.
 */
export function sendingOf(
  prepared: Described,
  { controlKey, observer, clock }: SendingOptions,
  otherKey?: string | undefined,
): Sending {
  const { description } = prepared
  const { operation, login, clientOrderId, orderId } = description
  const scrubber = createScrubber(() => ({ texts: [controlKey, otherKey ?? ''] }))
  let sent: SentRequest<Reply> | undefined
  let kept: Attempt | undefined
  return {
    async send({ reservation, reservedAt, baseline }, startWithin) {
      kept = Object.freeze({
        ...description,
        reservation,
        reservedAt,
        ...(baseline === undefined ? {} : { baseline }),
      })
      sent = await prepared.send({ startWithin, timeout: startWithin, kept })
      // It is of a request that creates or changes.
      return sent.end ?? { kind: 'unknown', at: reservedAt }
    },
    sent: () => sent,
    tellUnwritten(cause) {
      const attempt = kept
      if (attempt !== undefined) notify(() => observer.unsettled?.(attempt, safeCause(cause, scrubber)))
    },
    notSent: cause => notReserved(cause, { operation, login, clientOrderId, orderId }, scrubber),
    forbidden: why => reservationError({ ...description, reservedAt: clock() }, why),
  }
}

/** Why a request was not sent that nobody wants any more. */
export const unwanted = (): Error => new Error('what it was to be sent for is not so any more')

/** Why a request was not sent whose time was over before it could be. */
export const tooLate = (): Error => new Error('its time was over before it could be sent')
