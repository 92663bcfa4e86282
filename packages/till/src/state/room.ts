/**
 * These limits keep a document small enough to be written, whatever a gateway says: short texts, few corrections, and room that a
 * reservation leaves for what becomes known of it later.
 *
 * @module
 */
import {
  type Attempt,
  type AttemptEnd,
  finalOutcome,
  maskCardNumbers,
  type StatusResponse,
  type WireProfile,
} from '@tillkit/protocol'
import { largestBody } from '../store/store.js'
import type { PaymentDocument } from './document.js'
import type { CallbackSaid, KnownStage } from './known.js'
import { placesOf } from './late-approval.js'

/** The longest word, amount or id of the gateway's that a document keeps, and the longest message and address, in characters. */
const [longestWord, longestMessage, longestAddress] = [100, 500, 2_048]

/**
 * It masks everything that looks like a card number before it cuts, since a part of a card number is not known again, and after: digits
 * that lose their last one may look like one.
 */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${maskCardNumbers(maskCardNumbers(text).slice(0, most))}…`

/** The fields that there are of `of`, cut. The very object where none is too long. */
function withShort<Of extends object>(of: Of, fields: readonly (keyof Of)[], most: number): Of {
  const long = fields.filter(field => typeof of[field] === 'string' && of[field].length > most)
  if (long.length === 0) return of
  return { ...of, ...Object.fromEntries(long.map(field => [field, cut(String(of[field]), most)])) }
}

/** The fields that there are of `of`, without what looks like a card number. The very object where none has one. */
function withoutCards<Of extends object>(of: Of, fields: readonly (keyof Of)[]): Of {
  const masked = fields.flatMap(field => {
    const { [field]: text } = of
    const clean = typeof text === 'string' ? maskCardNumbers(text) : text
    return clean === text ? [] : [[field, clean]]
  })
  return masked.length === 0 ? of : { ...of, ...Object.fromEntries(masked) }
}

/**
 * A status reply whose texts have room, and no card number that the gateway quotes. They are cut before they are compared with those that
 * were kept.
 */
export const briefReply = (reply: StatusResponse): StatusResponse =>
  withoutCards(
    withShort(
      withShort(
        reply,
        [
          'status',
          'amount',
          'currency',
          'errorCode',
          'transactionType',
          'orderStage',
          'processorRrn',
          'approvalCode',
          'cardType',
          'lastFourDigits',
          'descriptor',
        ],
        longestWord,
      ),
      ['errorMessage'],
      longestMessage,
    ),
    ['status', 'errorCode', 'errorMessage', 'processorRrn', 'approvalCode', 'cardType', 'lastFourDigits', 'descriptor'],
  )

/** The content of a callback whose texts have room and no card number. */
export const briefCallback = (said: CallbackSaid): CallbackSaid =>
  withoutCards(withShort(said, ['status', 'amount', 'processorRrn'], longestWord), ['status', 'processorRrn'])

/** Whether the ids of a reply have room. They are never cut: two that begin alike would become one. */
export const hasShortIds = (ids: readonly (string | undefined)[]): boolean =>
  ids.every(id => id === undefined || id.length <= longestWord)

/** An attempt whose baseline has room. */
export function briefAttempt<Of extends Attempt>(attempt: Of): Of {
  const { baseline } = attempt
  if (baseline === undefined) return attempt
  const brief = withoutCards(withShort(baseline, ['status', 'amount', 'currency', 'serialNumber'], longestWord), [
    'status',
  ])
  return brief === baseline ? attempt : { ...attempt, baseline: brief }
}

/** An end whose texts have room. An address that is cut would lead nowhere, so it is left out. */
export function briefEnd(end: AttemptEnd): AttemptEnd {
  const { redirectUrl = '' } = end
  const short = withShort(withShort(end, ['orderId', 'serialNumber'], longestWord), ['note'], longestMessage)
  const brief = withoutCards(short, ['note'])
  if (redirectUrl.length <= longestAddress) return brief
  const { redirectUrl: _long, ...rest } = brief
  return rest
}

/** Most corrections of a stage that are kept, and how many of them are its first ones. */
const [mostCorrections, firstCorrections] = [20, 10]

/**
 * A stage without those corrections that there is no room for. The first and the last ones stay, and one of every outcome that there was:
 * nothing is decided by how often a gateway contradicted itself. Each that stays knows its place.
 */
export function fewCorrections(stage: KnownStage, profile: WireProfile): KnownStage {
  const { corrections } = stage
  if (corrections.length <= mostCorrections) return stage
  const places = placesOf(corrections)
  const outcomes = corrections.map(({ to }) => finalOutcome(to, profile))
  const isElsewhere = (at: number): boolean =>
    finalOutcome(stage.status, profile) === outcomes[at] ||
    outcomes.some((each, i) => i !== at && each === outcomes[at])
  const left = corrections.findIndex((_, at) => at >= firstCorrections && isElsewhere(at))
  const kept = corrections.flatMap((each, at) => {
    if (at === left) return []
    const { [at]: nth } = places
    return at === left + 1 && nth !== undefined ? [{ ...each, nth }] : [each]
  })
  return fewCorrections({ ...stage, corrections: kept }, profile)
}

/**
 * The part of the largest body that the history of a document may take: when an attempt is reserved, so that its end and its stages find
 * room; and when status is written down, so that an end still finds room.
 */
const shares = { reservation: 3 / 4, status: 7 / 8 } as const

/** Whether the history of a document has room for what comes after it is written. */
export const hasRoom = (document: PaymentDocument, before: keyof typeof shares): boolean =>
  largestHistory(document) <= largestBody * shares[before]

/** How many bytes a fact takes besides what it says and the name of its order, and how many facts of an order come once. */
const [frame, once] = [150, 8]

/** How many bytes the place of a correction takes in a history. */
const bytesOfPlace = 20

/** How many ends of a request a history keeps, and how often it says a stage in full, at most. */
const [mostEnds, mostSaid] = [3, 2]

/** How many deliveries of a stage a history keeps at most. */
export const mostDeliveries = 20

/**
 * The most bytes that the history of a document takes. A document says each thing once; a history names the order each time, and says a
 * stage once as it began and once as it is.
 */
export function largestHistory({ orders, facts: _said, ...rest }: PaymentDocument): number {
  const ofOrders = orders.map(order => {
    const { login, clientOrderId, orderId, attempts, stages, threeDSecure, called = [], unshown = [] } = order
    const fact = frame + bytesOf({ login, clientOrderId, orderId })
    const ends = attempts.map(({ end, absence, overdue }) => {
      const marks = [absence, overdue].filter(each => each !== undefined).length
      const facts = 1 + marks + (end === undefined ? 0 : mostEnds)
      return (mostEnds - 1) * bytesOf(end) + facts * fact
    })
    const said = stages.map(({ corrections, told = 0, ...stage }) => {
      const facts = mostSaid + 1 + (stage.amountCame === undefined ? 0 : 1) + Math.min(told, mostDeliveries)
      return (mostSaid - 1) * bytesOf(stage) + facts * fact + corrections.length * bytesOfPlace
    })
    return (
      bytesOf(order) +
      sum(ends) +
      sum(said) +
      (once + called.length + unshown.length + (threeDSecure?.done.length ?? 0)) * fact
    )
  })
  const more = (rest.decisions?.length ?? 0) * 2 + (rest.wishes?.length ?? 0) + 2
  return bytesOf(rest) + sum(ofOrders) + more * 2 * frame
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const bytesOf = (value: unknown): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)))
