/**
 * Random lives of a payment, through every rule that changes its document.
 *
 * @module
 */
import type { PaymentDocument } from '../../src/state/document.js'
import { adopted, claimed, decided, delivered, followed, postponed, purged, takenUp, told } from './lives/people.js'
import { changed, ended, endedByPerson, neverSeen, opened, overdue, retried } from './lives/requests.js'
import { authenticated, calledBack, contradictions, heardFirst, left, replied } from './lives/status.js'
import type { Act, Scene, Step } from './lives/step.js'

const acts = {
  opened,
  changed,
  ended,
  retried,
  neverSeen,
  overdue,
  endedByPerson,
  replied,
  calledBack,
  heardFirst,
  authenticated,
  left,
  claimed,
  told,
  delivered,
  postponed,
  followed,
  decided,
  takenUp,
  adopted,
  purged,
} satisfies { readonly [name: string]: Act }

/** An order is opened, paid, and told: most lives get somewhere by it. */
const sold = (step: Step): readonly Act[] => {
  const about = { ...step, order: 1, stage: 1, word: 0, money: 1, way: 1 }
  const last = (document: PaymentDocument | undefined) => (document?.orders.length ?? 1) - 1
  return [
    (document, _, scene) => opened(document, about, scene),
    (document, _, scene) => ended(document, { ...about, money: 0 }, scene),
    (document, _, scene) => replied(document, { ...about, order: last(document), request: 3, stage: 0 }, scene),
    (document, _, scene) => delivered(document, { ...about, request: step.request }, scene),
  ]
}

/** A shop insists on an order: its requests do nothing, come again, and end late, one of them perhaps for the second time. */
const insisted = (step: Step): readonly Act[] =>
  [retried, retried, ended, retried, ended, replied].map(
    (act, nth): Act =>
      (document, _, scene) =>
        act(
          document,
          { ...step, word: step.word + nth * 3, request: step.request + nth, order: 0, way: 4 * step.way },
          { ...scene, nth: scene.nth + nth / 10 },
        ),
  )

/** It is sold, and over for so long that only its ids are kept. */
const forgotten = (step: Step): readonly Act[] => [
  ...sold({ ...step, request: 0 }),
  (document, _, { at, ...scene }) => purged(document, { ...step, way: 0 }, { ...scene, at: at + 90_000_000 }),
]

/** How often each act comes in a life. */
const weights: { readonly [Name in keyof typeof acts | 'contradicted' | 'forgotten' | 'insisted' | 'sold']: number } = {
  forgotten: 1,
  insisted: 4,
  sold: 3,
  opened: 4,
  changed: 6,
  ended: 7,
  retried: 2,
  neverSeen: 2,
  overdue: 1,
  endedByPerson: 1,
  replied: 12,
  contradicted: 1,
  calledBack: 3,
  heardFirst: 1,
  authenticated: 4,
  left: 1,
  claimed: 2,
  told: 2,
  delivered: 6,
  postponed: 3,
  followed: 2,
  decided: 6,
  takenUp: 2,
  adopted: 1,
  purged: 1,
}

/** Names of acts, each as often as it comes. */
export const actNames: readonly string[] = Object.entries(weights).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name),
)

/** The rules that one step runs, one write each. */
export function actsOf(document: PaymentDocument | undefined, step: Step): readonly Act[] {
  if (step.act === 'contradicted') {
    const replies = contradictions(document, step)
    // In half of them the handler hears each word.
    return step.request % 2 === 0 ? replies : replies.flatMap(each => [each, delivered])
  }
  if (step.act === 'insisted') return insisted(step)
  if (step.act === 'forgotten') return forgotten(step)
  return step.act === 'sold' ? sold(step) : [acts[step.act as keyof typeof acts]]
}

export type { Act, Scene, Step }
