/**
 * What happened to a payment, in order, out of its document.
 *
 * A document has merged what it learnt, so the timeline does not say: callbacks about which status was asked since, and those that were
 * refused; status replies that changed nothing, and the words of a stage before its first final one; that a request was unknown for a
 * while; requests that did nothing where the same one was sent again; tellings before the last one of a stage, and tries of the handler.
 *
 * @module
 */

import { placesOf } from '../../order/late-approval.js'
import type { WireProfile } from '../../profile/types.js'
import { mayHaveArrived } from '../attempt-rules.js'
import {
  type KnownAttempt,
  type KnownOrder,
  type KnownStage,
  type PaymentDocument,
  type Telling,
  wordsOf,
} from '../document.js'
import { attemptBehind } from '../expected.js'
import type { Happening, OpenedEntry, TimelineEntry } from './timeline-entry.js'
import { sentenceOf } from './timeline-text.js'

/** An entry, and where it stands: its own time, or where that is not known the latest that must have been before it. */
interface Placed {
  readonly entry: Happening
  readonly after: number
}

/** What happened to a payment, oldest first. */
export function timelineOf(document: PaymentDocument, profile: WireProfile): readonly TimelineEntry[] {
  const { orders, over, reference, wishes = [], decisions = [] } = document
  const placeOf = (clientOrderId: string) =>
    Math.max(
      0,
      orders.findIndex(order => order.clientOrderId === clientOrderId),
    )
  // A decision has the same time as its consequence, and comes before it.
  const placed: Placed[] = decisions.map(decision => {
    const { clientOrderId } = decision.matter
    const entry: Happening = { kind: 'decision', order: placeOf(clientOrderId) + 1, clientOrderId, ...decision }
    return { entry, after: decision.at }
  })
  const ofOrders = orders.flatMap((order, place) => orderEntries(document, { order, place }))
  placed.push(...ofOrders)
  const latest = (place: number) =>
    Math.max(0, ...ofOrders.flatMap(each => (each.entry.order === place + 1 ? each.after : [])))
  for (const { clientOrderId, name, part } of wishes) {
    const place = placeOf(clientOrderId)
    const entry: Happening = { kind: 'wanted', order: place + 1, clientOrderId, name, ...present({ part }) }
    placed.push({ entry, after: latest(place) })
  }
  if (over !== undefined)
    placed.push({ entry: { kind: 'purged', at: over, order: 1, clientOrderId: reference }, after: over })
  return placed
    .sort((one, other) => one.after - other.after)
    .map(({ entry }) => ({ ...entry, text: sentenceOf(entry, { document, profile }) }) as TimelineEntry)
}

interface Placing {
  readonly order: KnownOrder
  /** Its place in the document, from 0 on. */
  readonly place: number
}

/** What happened to one order, in an order that could be: each is after what it follows from. */
function orderEntries(document: PaymentDocument, { order, place }: Placing): readonly Placed[] {
  const { attempts, stages, callbackAt, crowded, left, leftAt, threeDSecure } = order
  const about = { order: place + 1, clientOrderId: order.clientOrderId ?? '' }
  const placed: Placed[] = []
  const add = (entry: Happening, after: number): number => {
    const key = entry.at ?? after
    placed.push({ entry, after: key })
    return key
  }
  const opened = add({ ...about, ...openingOf(document, place) }, firstTime(order))
  for (const [at, attempt] of attempts.entries())
    requestEntries({ ...about, request: at + 1 }, attempt).map(each => add(each, opened))
  const answered = Math.max(opened, ...attempts.map(({ end, reservedAt }) => end?.at ?? reservedAt))
  if (left !== undefined) add({ ...about, kind: 'left', ...present({ at: leftAt }), why: left }, answered)
  const { method, done = [] } = threeDSecure ?? {}
  const step = (step: 'method-shown' | 'method-notified', at: number) =>
    add({ ...about, kind: 'three-d-secure', at, step }, at)
  if (method !== undefined) step('method-shown', method.startedAt)
  if (method?.notifiedAt !== undefined) step('method-notified', method.notifiedAt)
  for (const each of done) {
    const [kind = ''] = each.split(' ', 1)
    add({ ...about, kind: 'three-d-secure', step: 'done', done: kind }, Math.max(answered, method?.startedAt ?? 0))
  }
  for (const [at, stage] of stages.entries()) {
    const made = attemptBehind(order, stage)
    const after = made === undefined ? opened : (made.end?.at ?? made.reservedAt)
    stageEntries(
      { ...about, nth: at + 1, stage: stage.stage },
      { stage, telling: tellingOf(document, { place, at }) },
    ).reduce((time, each) => add(each, time), after)
  }
  if (crowded === true) add({ ...about, kind: 'crowded' }, Math.max(answered, ...stages.flatMap(timesOf)))
  if (callbackAt !== undefined) add({ ...about, kind: 'callback', at: callbackAt }, callbackAt)
  return placed
}

/** The earliest time that is known of an order. */
const firstTime = ({ attempts, stages, callbackAt }: KnownOrder): number => {
  const came = callbackAt === undefined ? [] : [callbackAt]
  const times = [...attempts.map(each => each.reservedAt), ...stages.flatMap(timesOf), ...came]
  return times.length === 0 ? 0 : Math.min(...times)
}

/** When the words of a stage were said, as far as that is known. */
function timesOf({ askedAt, statusAskedAt, corrections, restated }: KnownStage): readonly number[] {
  const later = [...corrections, ...(restated === undefined ? [] : [restated])].map(each => each.askedAt)
  const first = later.length === 0 ? askedAt : statusAskedAt
  return first === undefined ? later : [first, ...later]
}

function openingOf({ orders }: PaymentDocument, place: number): Omit<OpenedEntry, 'order' | 'clientOrderId' | 'text'> {
  const { [place]: order, [place - 1]: before } = orders
  const { login = '', orderId, attempts = [], adoptedAt } = order ?? {}
  const [request] = attempts.filter(({ effect }) => effect === 'creates')
  const isOurs = request !== undefined && adoptedAt === undefined
  const why = !isOurs ? 'elsewhere' : before === undefined ? 'first' : whyFollowed(before)
  return { kind: 'opened', ...present({ at: adoptedAt ?? request?.reservedAt, orderId, why }), login }
}

/** Why another order could follow one. What became known of it later, such as a correction, was no reason then. */
function whyFollowed({ attempts, stages, left }: KnownOrder): OpenedEntry['why'] {
  if (left !== undefined) return 'left'
  const has = (isSo: (stage: KnownStage) => boolean): boolean => stages.some(isSo)
  const isRelease = ({ stage }: KnownStage): boolean => stage === 'void' || stage === 'cancel' || stage === 'reversal'
  if (has(({ stage, outcome }) => stage === 'preauth' && outcome === 'approved'))
    return has(isRelease) ? 'released' : undefined
  if (has(({ outcome }) => outcome !== undefined && outcome !== 'approved')) return 'failed'
  return stages.length === 0 && !attempts.some(mayHaveArrived) ? 'failed' : undefined
}

type AboutRequest = Pick<Extract<Happening, { readonly kind: 'request' }>, 'order' | 'clientOrderId' | 'request'>

function requestEntries(about: AboutRequest, attempt: KnownAttempt): readonly Happening[] {
  const { operation, effect, stages, amount, currency, recipient, attemptId, reservedAt, sendBy, baseline } = attempt
  const { absence, end, person } = attempt
  const sent = {
    operation,
    effect,
    stages,
    ...present({ amount, currency, recipient }),
    attemptId,
    sendBy,
    ...present({ baseline, person }),
  }
  const entries: Happening[] = [{ ...about, kind: 'request', at: reservedAt, ...sent }]
  if (absence !== undefined) {
    const { quietSince, neverSeenAt } = absence
    entries.push({ ...about, kind: 'absence', ...present({ at: neverSeenAt }), quietSince })
  }
  if (end !== undefined) {
    const { kind: ended, basis = 'answer', note, orderId, serialNumber, redirectUrl, foreignStatus, at } = end
    const form = redirectUrl === undefined ? undefined : (true as const)
    const said = present({ note, orderId, serialNumber, form, foreignStatus })
    entries.push({ ...about, kind: 'answer', at, ended, basis, ...said })
  }
  return entries
}

type AboutStage = Pick<Extract<Happening, { readonly kind: 'told' }>, 'order' | 'clientOrderId' | 'nth' | 'stage'>

interface StagePlace {
  readonly stage: KnownStage
  readonly telling: Telling | undefined
}

function stageEntries(about: AboutStage, { stage, telling }: StagePlace): readonly Happening[] {
  const { status, outcome, word, serialNumber, amount, currency, processorRrn, approvalCode, errorCode, errorMessage } =
    stage
  const { askedAt, statusAskedAt, corrections, restated, told = 0, toldAt, approvalTold, wordsBefore } = stage
  const isPlain = corrections.length === 0 && restated === undefined
  const money = { amount, currency, processorRrn, approvalCode }
  const said = present({ outcome, word, serialNumber, ...money, errorCode, errorMessage, wordsBefore })
  const entries: Happening[] = [
    { ...about, kind: 'status', ...present({ at: isPlain ? askedAt : statusAskedAt }), status, ...said },
  ]
  const places = placesOf(corrections)
  for (const [at, { from, to, askedAt }] of corrections.entries())
    entries.push({ ...about, kind: 'corrected', at: askedAt, from, to, correction: (places[at] ?? at) + 1 })
  if (restated !== undefined) {
    const { askedAt: at, ...money } = restated
    entries.push({ ...about, kind: 'restated', at, ...money })
  }
  // It stands after the last word that was told.
  const untold =
    places.filter(place => (wordsBefore ?? 0) + place + 2 > told).length +
    (restated === undefined || told === wordsOf(stage) ? 0 : 1)
  if (told > 0) {
    const heard = { words: told, ...present({ approval: approvalTold }) }
    entries.splice(entries.length - untold, 0, { ...about, kind: 'told', ...present({ at: toldAt }), ...heard })
  }
  if (telling !== undefined) {
    const { words, until, at, token, failed } = telling
    entries.push({
      ...about,
      kind: 'telling',
      ...present({ at }),
      words,
      until,
      postponed: token === '',
      ...present({ failed }),
    })
  }
  return entries
}

const tellingOf = (
  { telling }: PaymentDocument,
  { place, at }: { readonly place: number; readonly at: number },
): Telling | undefined => (telling?.order === place && telling.stage === at ? telling : undefined)

type Present<Of extends object> = { readonly [Field in keyof Of]?: Exclude<Of[Field], undefined> }

/** The fields that are there: what is absent survives JSON, what is undefined does not. */
export const present = <Of extends object>(of: Of): Present<Of> =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as Present<Of>
