import type { CurrencyDigits, ProfileEntry, SigningProfile } from '@tillkit/signing'
import type { CardInfoField, ReplyFields, ReplyRecordName } from '../operations/reply-fields.js'
import type { StageName } from '../operations/stages.js'
import type { PollSchedule } from './poll-schedule.js'

/** How a final word of status ends a stage. */
export type FinalOutcome = 'approved' | 'declined' | 'filtered' | 'error'

/** Names of the parameters of a callback or a browser return. Where several are listed, the first one present counts. */
export interface NotificationParameters {
  readonly status: string
  readonly orderId: string
  /** The merchant's order id. */
  readonly clientOrderId: readonly string[]
  readonly control: string
}

/** A step of 3DS that the merchant runs: the method, the challenge of 3DS 2, the PaRes of 3DS 1.0.2. */
export type ThreeDSecureStep = 'method' | 'challenge' | 'pares'

/** Everything that the specification does not show. */
export interface WireProfile extends SigningProfile {
  /**
   * Digits of currencies by code, which count before ISO 4217: of a code that it does not list (`RUR`, `USDT`), of one that
   * has ended and still takes new money (`BGN`), of one that the acquirer counts in its own way (`{ IDR: 0 }`).
   */
  readonly currencyDigits: ProfileEntry<CurrencyDigits>
  /** Wire names that differ for one operation, by the operation's name in the specification, then by field. */
  readonly fieldNames: ProfileEntry<{ readonly [operation: string]: { readonly [field: string]: string } }>
  /** Operations, by name, whose body also carries the merchant login. */
  readonly loginInBody: ProfileEntry<readonly string[]>
  /** Path segment before an endpoint group's id, and the operations (by name) that go without it. */
  readonly groupPath: ProfileEntry<{ readonly segment: string; readonly without: readonly string[] }>
  /**
   * What `end-point-id` of a reply names where a request went to a group: the endpoint of the group that took the order, or
   * the group again. Only the fake follows it; the client compares this field with nothing.
   */
  readonly repliedEndpoint: ProfileEntry<'endpoint' | 'group'>
  /** Wire names of the fields of replies. Where several are listed, the first one present counts. */
  readonly replyFields: ProfileEntry<ReplyFields>
  /** What get-card-info tells of a card. The fake writes these fields; the client reads those that are there. */
  readonly cardInfoFields: ProfileEntry<readonly CardInfoField[]>
  /**
   * Whether the gateway ignores `Accept` and answers with a form that it calls `text/html`, refusals with HTTP 200. While this
   * is false, such an answer is taken for a proxy's.
   */
  readonly formReplies: ProfileEntry<boolean>
  /** Value of `type` in each record, written by the fake. Some hosts send the error records with HTTP 200: these words tell. */
  readonly replyTypes: ProfileEntry<{ readonly [Record in ReplyRecordName]: string }>
  /** Words of status that end a stage, and how. Any other word means that it is not over. */
  readonly finalStatuses: ProfileEntry<{ readonly [word: string]: FinalOutcome }>
  /** Which stage a status reply is about: by `transaction-type`, then by the family of `order-stage`. */
  readonly stages: ProfileEntry<{ readonly [word: string]: StageName }>
  /** Step of `order-stage`, after the family and `_`, while 3DS is under way. */
  readonly threeDSecureStage: ProfileEntry<string>
  /**
   * Whether status echoes the serial number it was asked about. While this is true, a reply that does not is never taken for
   * one about that request.
   */
  readonly statusEchoesSerialNumber: ProfileEntry<boolean>
  /**
   * Whether status replies name the stage they are about. While this is true, one without a name settles nothing. Where it
   * is false, such a reply is about the sale, preauth, verification, check or transfer that made the order, as long as that
   * is what is waited for and no other stage is known. It then looks the same after a refused change of the order, so wait
   * for what made an order before you change it.
   */
  readonly statusNamesStage: ProfileEntry<boolean>
  /** Words of `tds_status`, which say at what step of 3DS the customer is. */
  readonly threeDSecureSteps: ProfileEntry<{ readonly [Step in ThreeDSecureStep]: string }>
  /**
   * From when the ten seconds of the 3DS method count: from when the customer's browser loaded the method page, or from the
   * first status reply that shows the step.
   */
  readonly methodTimeStart: ProfileEntry<'method-page' | 'status-reply'>
  /** How long the customer can pay on a hosted form, in seconds since it was asked for. Later status is asked before anything else. */
  readonly formLifetime: ProfileEntry<number>
  /** Whether a hosted form lets the customer try another card by itself after a decline. */
  readonly formRetries: ProfileEntry<boolean>
  /** How far `oauth_timestamp` may be from the gateway's clock in either direction, in seconds. */
  readonly oauthWindow: ProfileEntry<number>
  /** Error code with which status answers for an order it never saw; undefined where no word is known. */
  readonly orderNeverSeen: ProfileEntry<string | undefined>
  /**
   * What the gateway makes of a `clientOrderId` that an order has already: another order, or nothing. Where there are two,
   * status that is asked by `clientOrderId` alone is taken to show the latest. Do not rely on a refusal.
   */
  readonly usedClientOrderId: ProfileEntry<'second-order' | 'refused'>
  /** Whether status finds a subscription by the `clientOrderId` it was created with. */
  readonly statusFindsRecurringPayments: ProfileEntry<boolean>
  /** Whether a partial capture ends the hold, so that the rest is released. */
  readonly captureEndsHold: ProfileEntry<boolean>
  /** Whether a cancel always ends the hold, so that a return of a preauth names no part of it. */
  readonly cancelEndsHold: ProfileEntry<boolean>
  /** Whether a sale counts as settled, so that void refuses it. */
  readonly saleIsSettled: ProfileEntry<boolean>
  /** When to ask status again while an outcome is waited for. */
  readonly pollSchedule: ProfileEntry<PollSchedule>
  /** With which method the gateway calls back. The fake follows it; handlers take both. */
  readonly callbackMethod: ProfileEntry<'GET' | 'POST'>
  /** Names of the signed parameters of a callback. */
  readonly callbackParameters: ProfileEntry<NotificationParameters>
  /** Names of what a callback carries unsigned. Never to be relied on. */
  readonly unsignedParameters: ProfileEntry<{ readonly [field: string]: string }>
  /** Names of the signed parameters that the customer's browser brings back. */
  readonly browserReturnParameters: ProfileEntry<NotificationParameters>
  /** Names of what a browser return carries unsigned. Never to be relied on. */
  readonly unsignedReturnParameters: ProfileEntry<{ readonly [field: string]: string }>
  /** What a browser return writes where it has no error message. It is read as absent. */
  readonly noErrorMessage: ProfileEntry<string>
  /** Ports the gateway calls back on. */
  readonly callbackPorts: ProfileEntry<readonly number[]>
  /**
   * Longest value of a request field, in characters, unless the operation has its own. That of an amount would be of its text, the
   * point included.
   */
  readonly maxLengths: ProfileEntry<{ readonly [field: string]: number }>
  /** Longest values that differ for one operation, by the operation's name in the specification, then by field. */
  readonly operationMaxLengths: ProfileEntry<{ readonly [operation: string]: { readonly [field: string]: number } }>
}
