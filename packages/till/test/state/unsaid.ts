import type { TimelineEntry } from '../../src/history/timeline/entry.js'
import type { PaymentDocument } from '../../src/state/document.js'
import type { KnownOrder } from '../../src/state/known.js'

/** The facts of a payment that its timeline does not say, or says in words that are for no person. */
export function unsaidBy(timeline: readonly TimelineEntry[], document: PaymentDocument): readonly string[] {
  const { orders, wishes = [], decisions = [], telling, over } = document
  const kinds = timeline.map(({ kind }) => kind)
  const count = (kind: TimelineEntry['kind']): number => kinds.filter(each => each === kind).length
  const missing = [
    ...(over !== undefined ? [] : orders.flatMap((order, place) => unsaidOf(timeline, order, place + 1))),
    count('follow-up') === wishes.length || 'a follow-up',
    count('decided') === decisions.length || 'a decision',
    count('delivery') === (telling === undefined ? 0 : 1) || 'the delivery',
    count('purged') === (over === undefined ? 0 : 1) || 'that it was purged',
    timeline.every(({ text }) => /^\S.*\.$/s.test(text)) || 'a whole sentence',
    timeline.every(({ text }) => !/undefined|\[object|NaN|https?:/.test(withoutQuotes(text))) ||
      'a sentence for people',
  ]
  return missing.filter(each => each !== true)
}

/** A sentence without what others have said in it. */
const withoutQuotes = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '')

function unsaidOf(timeline: readonly TimelineEntry[], order: KnownOrder, place: number): readonly string[] {
  const own = timeline.filter(each => each.order === place)
  const has = (is: (entry: TimelineEntry) => boolean): boolean => own.some(is)
  const { attempts, stages, left, crowded, callbackAt, unshown = [] } = order
  const missing = [
    has(({ kind }) => kind === 'opened') || 'that it was opened',
    (has(({ kind }) => kind === 'abandoned') ? left !== undefined : left === undefined) || 'why it was left',
    (has(({ kind }) => kind === 'full') ? crowded === true : crowded === undefined) || 'that it is full',
    (has(({ kind }) => kind === 'callback') ? callbackAt !== undefined : callbackAt === undefined) || 'the callback',
    own.filter(({ kind }) => kind === 'not-shown').length === unshown.length || 'what status did not show',
    ...attempts.flatMap(({ reservation, end, overdue }) => [
      has(each => each.kind === 'requested' && each.request === reservation) || `request ${reservation}`,
      end === undefined ||
        has(each => each.kind === 'answered' && each.request === reservation && each.ended === end.kind) ||
        `how request ${reservation} ended`,
      overdue === undefined ||
        has(each => each.kind === 'overdue' && each.request === reservation) ||
        `that request ${reservation} is overdue`,
    ]),
    ...stages.flatMap(({ stage, status, outcome, corrections, restated, told = 0 }, at) => {
      const words = own.flatMap(each => ('nth' in each && each.nth === at + 1 ? [each] : []))
      const last = words.flatMap(each => (each.kind === 'status' || each.kind === 'settled' ? [each] : [])).at(-1)
      const isSaid = last?.kind === 'status' ? last.status === status : last?.kind === 'settled'
      const corrected = words.flatMap(each => (each.kind === 'corrected' ? [each.to] : []))
      const isSkipped = own.some(
        each =>
          each.kind === 'decided' &&
          each.proposal === undefined &&
          each.matter.kind === 'skip' &&
          each.matter.stage === stage,
      )
      return [
        (isSaid && last?.outcome === outcome) || `stage ${at + 1}`,
        corrections.every(({ to }, nth) => corrected.at(nth - corrections.length) === to) ||
          `how ${at + 1} was corrected`,
        (restated === undefined) === !words.some(({ kind }) => kind === 'restated') || `other money of ${at + 1}`,
        told === 0 ||
          isSkipped ||
          words.some(({ kind }) => kind === 'settled') ||
          words.some(each => each.kind === 'delivered' && each.words === told) ||
          `that ${at + 1} was told`,
      ]
    }),
  ]
  return missing.flatMap(each => (each === true ? [] : [`order ${place}: ${each}`]))
}
