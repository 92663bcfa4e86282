/**
 * What today's code decides about a payment of which only the timeline is there, such as one out of a report of a fault.
 *
 * @module
 */
import { finalOutcome } from '../../order/attribution.js'
import type { WireProfile } from '../../profile/types.js'
import type { AttemptEnd } from '../attempt.js'
import {
  emptyDocument,
  type KnownAttempt,
  type KnownOrder,
  type KnownStage,
  type PaymentDocument,
  type Telling,
} from '../document.js'
import { present } from '../timeline/timeline.js'
import type { TimelineEntry } from '../timeline/timeline-entry.js'
import { type Payment, type PaymentView, paymentOf } from './payment.js'

/**
 * Decides a payment again, by what its timeline says happened: pure, it asks nobody and sends nothing. What the words of status mean is
 * read from the profile given here, and not from the timeline. The entries may come in any order, and out of JSON.
 *
 * @example
 * ```ts
 * const { timeline } = await till.payment('basket-7')
 * replay(timeline, { reference: 'basket-7', profile: defaultProfile, at: Date.now() }).state // 'paid'
 * ```
 *
 * @param timeline All of it: what is left out did not happen.
 * @throws {TypeError} for what is no timeline, and for an entry of a kind that this release does not know.
 */
export function replay(timeline: readonly TimelineEntry[], view: PaymentView): Payment {
  return paymentOf(retold(timeline, view), view)
}

/** The document that a timeline is of, without what is in no timeline: addresses, fingerprints, and who has the right to tell. */
function retold(
  timeline: readonly TimelineEntry[],
  { reference, profile }: Pick<PaymentView, 'reference' | 'profile'>,
): PaymentDocument | undefined {
  if (!Array.isArray(timeline)) throw new TypeError('replay: a timeline is a list of entries.')
  if (timeline.length === 0) return undefined
  timeline.forEach(checkEntry)
  const orders = those(timeline, 'opened')
    .sort((one, other) => one.order - other.order)
    .map(opened => orderOf(opened, { timeline: timeline.filter(each => each.order === opened.order), profile }))
  const [[purged], [telling]] = [those(timeline, 'purged'), those(timeline, 'telling')]
  const decisions = those(timeline, 'decision').map(
    ({ kind: _, text: _text, order: _order, clientOrderId: _id, at = 0, ...said }) => ({ ...said, at }),
  )
  const wishes = those(timeline, 'wanted').map(({ name, part, clientOrderId }) => ({
    name,
    ...present({ part }),
    clientOrderId,
    before: [],
    since: 0,
  }))
  return {
    ...emptyDocument(reference),
    orders,
    ...present({ telling: telling && claimOf(telling), over: purged?.at }),
    ...(wishes.length === 0 ? {} : { wishes }),
    ...(decisions.length === 0 ? {} : { decisions }),
  }
}

/** Nobody has the right to tell it: whose it was is in no timeline. */
const claimOf = ({ order, nth, words, until, postponed, failed, at }: Of<'telling'>): Telling => ({
  token: postponed ? '' : 'another process',
  order: order - 1,
  stage: nth - 1,
  words,
  until,
  ...present({ at, failed }),
})

type Of<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { readonly kind: Kind }>

/** The entries of one kind. */
const those = <Kind extends TimelineEntry['kind']>(timeline: readonly TimelineEntry[], kind: Kind): Of<Kind>[] =>
  timeline.filter((each): each is Of<Kind> => each.kind === kind)

const kinds: { readonly [Kind in TimelineEntry['kind']]: true } = {
  opened: true,
  request: true,
  absence: true,
  answer: true,
  left: true,
  callback: true,
  'three-d-secure': true,
  status: true,
  corrected: true,
  restated: true,
  crowded: true,
  telling: true,
  told: true,
  decision: true,
  wanted: true,
  purged: true,
}

function checkEntry(entry: unknown, at: number): void {
  const { kind, order } = Object(entry) as { readonly kind?: unknown; readonly order?: unknown }
  if (typeof kind !== 'string' || !Number.isSafeInteger(order))
    throw new TypeError(`replay: entry ${at + 1} is no entry of a timeline.`)
  if (!Object.hasOwn(kinds, kind))
    throw new TypeError(
      `replay: entry ${at + 1} is of kind ${JSON.stringify(kind)}, which this release does not know. A later one wrote it: update this one.`,
    )
}

interface Order {
  /** Of one order. */
  readonly timeline: readonly TimelineEntry[]
  readonly profile: WireProfile
}

function orderOf({ clientOrderId, login, orderId, why, at }: Of<'opened'>, { timeline, profile }: Order): KnownOrder {
  const [[left], [callback], crowded] = [
    those(timeline, 'left'),
    those(timeline, 'callback'),
    those(timeline, 'crowded'),
  ]
  const requests = those(timeline, 'request').sort((one, other) => one.request - other.request)
  const stages = those(timeline, 'status').sort((one, other) => one.nth - other.nth)
  return {
    ...(clientOrderId === '' ? {} : { clientOrderId }),
    login,
    // Only what was adopted has a time and was made elsewhere.
    ...present({ adoptedAt: why === 'elsewhere' ? at : undefined }),
    ...present({ orderId, left: left?.why, leftAt: left?.at, callbackAt: callback?.at }),
    attempts: requests.map(each => attemptOf(each, { login, timeline })),
    stages: stages.map(each => stageOf(each, { timeline, profile })),
    ...threeDSecureOf(those(timeline, 'three-d-secure')),
    ...(crowded.length > 0 ? { crowded: true } : {}),
  }
}

function threeDSecureOf(steps: readonly Of<'three-d-secure'>[]): Pick<KnownOrder, 'threeDSecure'> {
  if (steps.length === 0) return {}
  const at = (step: Of<'three-d-secure'>['step']) => steps.find(each => each.step === step)?.at
  const [startedAt, notifiedAt] = [at('method-shown'), at('method-notified')]
  const method = startedAt === undefined ? undefined : { id: '', startedAt, ...present({ notifiedAt }) }
  return { threeDSecure: { done: steps.flatMap(each => each.done ?? []), ...present({ method }) } }
}

function attemptOf(
  { kind: _, text: _text, at: reservedAt = 0, order, request, clientOrderId, ...said }: Of<'request'>,
  { login, timeline }: Pick<Order, 'timeline'> & Pick<KnownOrder, 'login'>,
): KnownAttempt {
  const own = timeline.filter(each => 'request' in each && each.request === request)
  const [[end], [absence]] = [those(own, 'answer'), those(own, 'absence')]
  const { quietSince, at: neverSeenAt } = absence ?? {}
  return {
    ...said,
    ...(clientOrderId === '' ? {} : { clientOrderId }),
    reservedAt,
    login,
    // No timeline says where it was sent, and nothing is decided by that.
    baseUrl: '',
    fingerprint: '',
    reservation: `${order}/${request}`,
    ...(quietSince === undefined ? {} : { absence: { quietSince, ...present({ neverSeenAt }) } }),
    ...(end === undefined ? {} : { end: endOf(end) }),
  }
}

function endOf({ ended: kind, basis, at = 0, form, ...said }: Of<'answer'>): AttemptEnd {
  const { note, orderId, serialNumber, foreignStatus } = said
  // The address itself is in no timeline.
  const redirectUrl = form === true ? '' : undefined
  return { kind, basis, ...present({ note, orderId, serialNumber, redirectUrl, foreignStatus }), at }
}

/** What the words of a stage mean is decided anew. */
function stageOf(
  { kind: _, text: _text, at, order: _order, clientOrderId: _id, outcome: then, nth, ...said }: Of<'status'>,
  { timeline, profile }: Order,
): KnownStage {
  const own = timeline.filter(each => 'nth' in each && each.nth === nth)
  const corrections = those(own, 'corrected')
    .sort((one, other) => one.correction - other.correction)
    .map(({ from, to, at = 0, correction }) => ({ from, to, askedAt: at, nth: correction - 1 }))
  const [[restated], [told]] = [those(own, 'restated'), those(own, 'told')]
  const { amount, currency, at: restatedAt = 0 } = restated ?? {}
  // What a person settled is settled.
  const outcome = said.wordsBefore === undefined ? finalOutcome(said.status, profile) : then
  return {
    ...said,
    ...present({ outcome, told: told?.words, toldAt: told?.at, approvalTold: told?.approval, statusAskedAt: at }),
    askedAt: Math.max(at ?? 0, restatedAt, ...corrections.map(each => each.askedAt)),
    corrections,
    ...(restated === undefined ? {} : { restated: { ...present({ amount, currency }), askedAt: restatedAt } }),
  }
}
