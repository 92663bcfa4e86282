/**
 * Ids in replies that are written otherwise than they should be: none of them is believed, and none overlooked.
 *
 * @module
 */
import { isNoId, type RawReply, type Reply, type WireProfile } from '@tillkit/protocol'

const ids = ['orderId', 'serialNumber', 'cardRefId', 'uniqueCardRefId', 'recurringPaymentId'] as const

/** A field of replies that holds an id which the gateway gave. */
export type ReplyId = (typeof ids)[number]

/** The first field of a reply that holds a word where an id belongs. Nothing can be asked about with that. */
export function wordForAnId(reply: Reply): ReplyId | undefined {
  const fields: { readonly [Field in ReplyId]?: string } = reply
  return ids.find(field => {
    const id = fields[field]
    return id !== undefined && isNoId(id)
  })
}

/** What an error record says about ids under names that are not those of the profile. */
export interface OtherSpellings {
  /** What reads like the gateway's id of an order. */
  readonly orderIds: readonly string[]
  /** Something reads like the merchant's id, of an order that is not ours. */
  readonly isOfAnother: boolean
}

/**
 * Looks for ids under other names: requests, replies and callbacks write the same id in different ways, with hyphens or
 * underscores, and hosts are known to mix them up.
 *
 * @param clientOrderId Ours.
 */
export function otherSpellings(
  raw: RawReply,
  { profile, clientOrderId }: { readonly profile: WireProfile; readonly clientOrderId: string | undefined },
): OtherSpellings {
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

/** A name without what spellings differ in. */
export const plainName = (name: string): string => name.replace(/[^a-z]/gi, '').toLowerCase()
