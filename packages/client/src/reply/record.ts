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
import type { AnyGatewayError } from '../errors/errors.js'
import type { OperationPlan } from '../request/types.js'

/** The ids of a reply that the gateway gave. */
const replyIds = ['orderId', 'serialNumber', 'cardRefId', 'uniqueCardRefId', 'recurringPaymentId'] as const

type ReplyId = (typeof replyIds)[number]

/** A field that may be left out of what is shown of a record. */
export type LeftOut = ReplyId | 'redirectUrl'

/**
 * What the record of a reply says, without secrets that it may echo. Each is worked out when it is asked for. A class, since
 * closures would be made anew for each call: adr/0033.
 */
export class RedactedRecord {
  private readonly reply: Reply & Partial<Pick<AsyncCheckoutFormRedirect, 'redirectUrl'>>
  private readonly scrubber: Scrubber
  private readonly profile: WireProfile
  private readonly leftOut: readonly LeftOut[]

  constructor(reply: Reply, scrubber: Scrubber, profile: WireProfile, leftOut: readonly LeftOut[] = []) {
    this.reply = reply
    this.scrubber = scrubber
    this.profile = profile
    this.leftOut = leftOut
  }

  /** The whole record. */
  received(): RawReply {
    const { scrubber } = this
    const replyFields = this.profile.replyFields.value
    return Object.freeze(Object.fromEntries(redactPairs(Object.entries(this.reply.raw), { replyFields, scrubber })))
  }

  /** The gateway's order id. */
  orderId(): string | undefined {
    return this.shown('orderId', this.reply.orderId ?? requestStyleId(this.reply.raw))
  }

  serialNumber(): string | undefined {
    return this.shown('serialNumber', this.reply.serialNumber)
  }

  /** Address of the hosted form. */
  redirectUrl(): string | undefined {
    return this.shown('redirectUrl', this.reply.redirectUrl)
  }

  /** The same without fields that are not to be believed. */
  without(...fields: readonly LeftOut[]): RedactedRecord {
    return new RedactedRecord(this.reply, this.scrubber, this.profile, [...this.leftOut, ...fields])
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

/** The first field of a reply that holds a word where an id belongs. Nothing can be asked about with that. */
export function wordForAnId(reply: Reply): ReplyId | undefined {
  const fields: { readonly [Field in ReplyId]?: string } = reply
  return replyIds.find(field => fields[field] !== undefined && isNoId(fields[field]))
}

/**
 * Looks for ids under other names: requests, replies and callbacks write the same id in different ways, with hyphens or
 * underscores, and hosts are known to mix them up.
 *
 * @param clientOrderId Ours, if there is one.
 * @returns What reads like the gateway's id of an order, and whether something reads like the merchant's id and is not ours.
 */
export function otherSpellings(raw: RawReply, profile: WireProfile, clientOrderId?: string) {
  const known = profile.replyFields.value.clientOrderId
  const orderIds: string[] = []
  let isOfAnother = false
  for (const [name, written] of Object.entries(raw)) {
    const value = written.trim()
    if (value === '' || known.includes(name)) continue
    const plain = plainName(name)
    if (/^(?:merchant|client)order(?:id)?$/.test(plain)) {
      if (clientOrderId !== undefined && value !== clientOrderId) isOfAnother = true
    } else if (/(?:order|transaction)id$/.test(plain)) orderIds.push(value)
  }
  return { orderIds, isOfAnother }
}

/** Says whether a refusal of a question holds an order id, under any name: the gateway has seen the order then. */
export const namesOrder = (
  { orderId, received = {} }: Pick<AnyGatewayError, 'orderId' | 'received'>,
  profile: WireProfile,
): boolean => orderId !== undefined || otherSpellings(received, profile).orderIds.length > 0

/** A name without what spellings differ in. */
export const plainName = (name: string): string => name.replace(/[^a-z]/gi, '').toLowerCase()

/** Some hosts send error records with HTTP 200; their `type` tells. */
export function isErrorType({ type }: Reply, { replyTypes: { value } }: WireProfile): boolean {
  return type !== undefined && (type === value.ValidationErrorResponse || type === value.ServerErrorResponse)
}

/**
 * Whether the answer to a question is the record of something else. Outcomes rest on status replies, so one that says of
 * itself that it accepts a request is no status reply, even if it has a status word. A type that no record has is left to the gateway.
 */
export function isOtherThanStatus({ type }: Reply, { row, profile }: OperationPlan): boolean {
  if (row.response !== 'StatusResponse') return false
  const { StatusResponse, ...others } = profile.replyTypes.value
  return type !== StatusResponse && Object.values(others).some(each => each === type)
}
