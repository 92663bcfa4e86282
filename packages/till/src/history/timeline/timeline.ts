/**
 * The history of a payment, as people and programs may see it: each fact with the fields that are for them, and a sentence about it.
 *
 * @module
 */

import type { WireProfile } from '@tillkit/protocol'
import { saidOf } from '../../rules/orders/status-facts.js'
import { mayHaveArrived } from '../../state/attempt-rules.js'
import { isSameDecision, type KnownDecision } from '../../state/decision.js'
import { emptyDocument, type PaymentDocument } from '../../state/document.js'
import { placeOfOrder, withFact } from '../../state/evolve.js'
import type { Answered, Fact, FactOfOrder, Requested, StatusSaid } from '../../state/facts.js'
import type { KnownOrder, KnownStage, Telling } from '../../state/known.js'
import { countedStages } from '../../state/late-approval.js'
import { isSame, present } from '../../state/values.js'
import { partKeyIn } from '../../store/keys.js'
import type { EntryOf, Happening, TimelineEntry } from './entry.js'
import { type Placed, place } from './placed.js'
import { sentenceOf } from './sentences.js'

/** Lists everything that happened to a payment, in the order in which it was written down. */
export function timelineOf(now: PaymentDocument, profile: WireProfile): readonly TimelineEntry[] {
  const { facts, reference, telling } = now
  const placed: Placed[] = []
  let before = emptyDocument(reference)
  let last: Fact | undefined
  for (const fact of facts) {
    const after = withFact(before, fact)
    for (const entry of happeningsOf(fact, { before, after, now, last, profile }))
      place(placed, { entry, document: after })
    before = after
    if (fact.kind !== 'follow-up') last = fact
  }
  const lease = telling === undefined ? undefined : deliveryEntry(telling, now)
  if (lease !== undefined) placed.push({ entry: lease, document: now })
  return placed.map(
    ({ entry, document }) => ({ ...entry, text: sentenceOf(entry, { document, now, profile }) }) as TimelineEntry,
  )
}

/** A fact, and what was known before it, after it, and in the end. */
interface Scene {
  readonly before: PaymentDocument
  readonly after: PaymentDocument
  readonly now: PaymentDocument
  /** The fact before it, which a follow-up comes from: several may come from one. */
  readonly last: Fact | undefined
  readonly profile: WireProfile
}

function happeningsOf(fact: Fact, scene: Scene): readonly Happening[] {
  const { now } = scene
  switch (fact.kind) {
    case 'purged':
      return [{ kind: 'purged', at: fact.at, order: 1, clientOrderId: now.reference }]
    case 'decided': {
      const { decision } = fact
      return [{ kind: 'decided', ...aboutId(now, decision.matter.clientOrderId), ...decisionNow(decision, now) }]
    }
    case 'follow-up': {
      const { name, part, because, clientOrderId } = fact.wish
      const more = present({ at: saidAt(scene.last), part, because })
      return [{ kind: 'follow-up', ...aboutId(now, clientOrderId), name, ...more }]
    }
    case 'follow-up-dropped':
      return []
    default: {
      const place = placeOfOrder(scene.after, fact.order)
      const order = scene.after.orders[place]
      if (order === undefined) return []
      const about = { order: place + 1, clientOrderId: order.clientOrderId ?? '' }
      const opened = place < scene.before.orders.length ? [] : [openedEntry(fact, place, scene)]
      return [...opened, ...orderHappenings(fact, about, { ...scene, order, known: scene.before.orders[place] })]
    }
  }
}

/** When somebody said what is written beside a follow-up: the handler, or a person. */
const saidAt = (fact: Fact | undefined): number | undefined =>
  fact?.kind === 'delivered' ? fact.at : fact?.kind === 'decided' ? fact.decision.at : undefined

/** A decision as it counts now: a proposal may have been replaced since. */
const decisionNow = (decision: KnownDecision, { decisions = [] }: PaymentDocument): KnownDecision =>
  decisions.find(each => isSameDecision(each, decision)) ?? decision

function aboutId({ orders }: PaymentDocument, clientOrderId: string) {
  const place = orders.findIndex(order => order.clientOrderId === clientOrderId)
  return { order: Math.max(0, place) + 1, clientOrderId }
}

/** An order before a fact and after it. */
interface OrderScene extends Scene {
  readonly order: KnownOrder
  readonly known: KnownOrder | undefined
}

interface About {
  readonly order: number
  readonly clientOrderId: string
}

function orderHappenings(fact: FactOfOrder, about: About, scene: OrderScene): readonly Happening[] {
  switch (fact.kind) {
    case 'begun':
    case 'adopted':
      return []
    case 'requested':
      return [requestedEntry(fact, about)]
    case 'answered':
      return [answeredEntry(fact, about)]
    case 'never-seen':
      return [{ kind: 'never-seen', ...about, ...present({ at: fact.neverSeenAt }), request: fact.request }]
    case 'overdue':
      return [{ kind: 'overdue', ...about, request: fact.request }]
    case 'status':
      return statusHappenings(fact, about, scene)
    case 'settled': {
      const { outcome, serialNumber, amount, currency } = fact.said
      const more = present({ outcome, serialNumber, amount, currency })
      return aboutStage(about, fact.stage, scene).map(each => ({ kind: 'settled', ...each, ...more }))
    }
    case 'callback':
      return [{ kind: 'callback', ...about, at: fact.at }]
    case 'not-shown':
      return [{ kind: 'not-shown', ...about, at: fact.at, ...fact.said }]
    case 'delivered': {
      const { words, at } = fact
      if (isSkipped(scene.last, at)) return []
      return aboutStage(about, fact.stage, scene).map(each => ({
        kind: 'delivered',
        ...each,
        ...present({ at }),
        words,
      }))
    }
    case 'abandoned':
      return [{ kind: 'abandoned', ...about, at: fact.at, why: fact.why }]
    case 'full':
      return [{ kind: 'full', ...about }]
    case 'three-d-secure':
      return secureHappenings(fact, about, scene)
  }
}

/** Whether a person decided that what counts as told from now on need not be told. Who only proposed it decided nothing. */
const isSkipped = (last: Fact | undefined, at: number | undefined): boolean =>
  last?.kind === 'decided' &&
  last.decision.matter.kind === 'skip' &&
  last.decision.proposal === undefined &&
  last.decision.at === at

/** The fields of entries about a stage; none if the order does not have that stage. */
const aboutStage = (about: About, nth: number, { order: { stages } }: OrderScene) =>
  stages.slice(nth - 1, nth).map(({ stage }) => ({ ...about, nth, stage }))

function openedEntry(fact: FactOfOrder, place: number, { before, now, after, profile }: Scene): Happening {
  // Later facts say what its first one could not: the gateway's id, and that it was adopted.
  const {
    login = '',
    clientOrderId = '',
    orderId,
    attempts = [],
    adoptedAt,
  } = now.orders[place] ?? after.orders[place] ?? {}
  const isOurs = adoptedAt === undefined && attempts.some(({ effect }) => effect === 'creates')
  const earlier = before.orders[place - 1]
  const why = !isOurs ? 'elsewhere' : earlier === undefined ? 'first' : whyFollowed(earlier, profile)
  const at = adoptedAt ?? (fact.kind === 'requested' ? fact.attempt.reservedAt : undefined)
  return { kind: 'opened', order: place + 1, clientOrderId, login, ...present({ at, orderId, why }) }
}

/** Why another order could follow one. */
function whyFollowed({ attempts, stages, left }: KnownOrder, profile: WireProfile): EntryOf<'opened'>['why'] {
  if (left !== undefined) return 'abandoned'
  // A hold that was approved late was held.
  const counted = countedStages(stages, profile)
  const has = (isSo: (stage: KnownStage) => boolean): boolean => counted.some(isSo)
  const isRelease = ({ stage }: KnownStage): boolean => stage === 'void' || stage === 'cancel' || stage === 'reversal'
  if (has(({ stage, outcome }) => stage === 'preauth' && outcome === 'approved'))
    return has(isRelease) ? 'released' : undefined
  if (has(({ outcome }) => outcome !== undefined && outcome !== 'approved')) return 'failed'
  return stages.length === 0 && !attempts.some(mayHaveArrived) ? 'failed' : undefined
}

function requestedEntry({ attempt }: Requested, about: About): Happening {
  const { operation, amount, currency, recipient, attemptId, reservation, reservedAt, person } = attempt
  const key = partKeyIn(attemptId)
  const more = present({ amount, currency, key, recipient, person })
  return { kind: 'requested', ...about, at: reservedAt, request: reservation, operation, ...more }
}

function answeredEntry({ request, end }: Answered, about: About): Happening {
  const { kind: ended, basis = 'answer', note, orderId, serialNumber, foreignStatus, at } = end
  const more = present({ note, orderId, serialNumber, foreignStatus })
  return { kind: 'answered', ...about, at, request, ended, basis, ...more }
}

function statusHappenings(fact: StatusSaid, { order, clientOrderId }: About, scene: OrderScene): readonly Happening[] {
  const { stage: nth = 0, at, said, corrected = [], restated, firstAt } = fact
  const { [nth - 1]: stage } = scene.order.stages
  if (stage === undefined) return []
  const { [nth - 1]: known } = scene.known?.stages ?? []
  const about = { order, clientOrderId, nth, stage: stage.stage }
  const { stage: _named, status, ...more } = saidOf(stage)
  const words = said === undefined ? [] : [{ kind: 'status' as const, ...about, at: firstAt ?? at, status, ...more }]
  const contradictions = corrected.map(({ from, to, askedAt, nth: place }) => {
    return { kind: 'corrected' as const, ...about, at: askedAt, from, to, correction: place + 1 }
  })
  const isOther = restated !== undefined && !isSame(moneyIn(restated), moneyIn(known?.restated))
  const otherMoney = isOther
    ? [{ kind: 'restated' as const, ...about, at: restated.askedAt, ...moneyIn(restated) }]
    : []
  // Several replies may be kept as one.
  return [...words, ...[...contradictions, ...otherMoney].sort((one, other) => one.at - other.at)]
}

const moneyIn = ({ amount, currency }: NonNullable<KnownStage['restated']> = { askedAt: 0 }) =>
  present({ amount, currency })

function secureHappenings(
  { method, done = [] }: Extract<Fact, { kind: 'three-d-secure' }>,
  about: About,
  { known }: OrderScene,
): readonly Happening[] {
  const before = known?.threeDSecure?.method
  const entries: Happening[] = []
  if (method !== undefined && method.id !== before?.id)
    entries.push({ kind: 'three-d-secure', ...about, at: method.startedAt, step: 'method-shown' })
  if (method?.notifiedAt !== undefined && !isSame(method, before))
    entries.push({ kind: 'three-d-secure', ...about, at: method.notifiedAt, step: 'method-notified' })
  for (const each of done) {
    const [kind = ''] = each.split(' ', 1)
    entries.push({ kind: 'three-d-secure', ...about, step: 'done', done: kind })
  }
  return entries
}

function deliveryEntry({ order: place, stage: nth, until, at, token, failed }: Telling, { orders }: PaymentDocument) {
  const { clientOrderId = '', stages = [] } = orders[place] ?? {}
  const stage = stages[nth]?.stage
  if (stage === undefined) return undefined
  const about = { order: place + 1, clientOrderId, nth: nth + 1, stage }
  return { kind: 'delivery', ...about, ...present({ at, failed }), until, postponed: token === '' } as const
}
