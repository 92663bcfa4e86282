/**
 * What the record of an answer says of itself and of its order, as it may be shown.
 *
 * @module
 */
import {
  type AsyncCheckoutFormRedirect,
  isNoId,
  type RawReply,
  type Reply,
  redactPairs,
  type Scrubber,
  type WireProfile,
  wireNames,
} from '@tillkit/protocol'
import type { ReplyId } from '../reply/reply-ids.js'

/** What a record says, without secrets that it may echo. Worked out when somebody wants to see it. */
export interface RedactedRecord {
  /** The record, redacted. */
  received(): RawReply
  /** The gateway's order id. */
  orderId(): string | undefined
  serialNumber(): string | undefined
  /** Address of the hosted form. */
  redirectUrl(): string | undefined
  /** The same without fields that are not to be believed. */
  without(...fields: readonly LeftOut[]): RedactedRecord
}

/** A field that may be left out. */
export type LeftOut = ReplyId | 'redirectUrl'

/** What the record of a reply says. */
export const redactedRecord = (
  reply: Reply,
  { scrubber, profile }: { readonly scrubber: Scrubber; readonly profile: WireProfile },
): RedactedRecord => new RecordOfReply(reply, scrubber, profile)

const none: readonly LeftOut[] = []

/** A class, since closures would be made anew for each call: adr/0033. */
class RecordOfReply implements RedactedRecord {
  private readonly reply: Reply & Partial<Pick<AsyncCheckoutFormRedirect, 'redirectUrl'>>
  private readonly scrubber: Scrubber
  private readonly profile: WireProfile
  private readonly leftOut: readonly LeftOut[]

  constructor(reply: Reply, scrubber: Scrubber, profile: WireProfile, leftOut = none) {
    this.reply = reply
    this.scrubber = scrubber
    this.profile = profile
    this.leftOut = leftOut
  }

  received(): RawReply {
    const replyFields = this.profile.replyFields.value
    const shown = redactPairs(Object.entries(this.reply.raw), { replyFields, scrubber: this.scrubber })
    return Object.freeze(Object.fromEntries(shown))
  }

  orderId(): string | undefined {
    return this.shown('orderId', this.reply.orderId ?? requestStyleId(this.reply.raw))
  }

  serialNumber(): string | undefined {
    return this.shown('serialNumber', this.reply.serialNumber)
  }

  redirectUrl(): string | undefined {
    return this.shown('redirectUrl', this.reply.redirectUrl)
  }

  without(...fields: readonly LeftOut[]): RedactedRecord {
    return new RecordOfReply(this.reply, this.scrubber, this.profile, [...this.leftOut, ...fields])
  }

  private shown(field: LeftOut, value: string | undefined): string | undefined {
    return value === undefined || this.leftOut.includes(field) ? undefined : this.scrubber.exact(value)
  }
}

/** A request writes the id this way; a reply that does the same has one all the more. */
function requestStyleId(raw: RawReply): string | undefined {
  const id = Object.hasOwn(raw, wireNames.orderId) ? raw[wireNames.orderId]?.trim() : undefined
  return id === undefined || isNoId(id) ? undefined : id
}
