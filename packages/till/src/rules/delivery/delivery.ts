import { errorText } from '@tillkit/protocol'
import type { PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { nameOf } from '../../state/facts.js'
import {
  type FailedTelling,
  isSameWish,
  isUntold,
  type KnownOrder,
  type KnownStage,
  type Telling,
  type WantedChange,
  type Wish,
  wordsOf,
} from '../../state/known.js'
import { present } from '../../state/values.js'

/** An outcome that the handler is to be told of. */
export interface UntoldOutcome {
  readonly order: KnownOrder
  readonly stage: KnownStage
  /** Identifies it: the same each time that it is told, in any process. */
  readonly key: string
}

/** The result of claiming an outcome. */
export type ClaimDecision =
  | { readonly kind: 'claimed'; readonly document: PaymentDocument }
  /** Another delivery of the payment is under way, until `until` at the latest, in milliseconds of the store's clock. */
  | { readonly kind: 'busy'; readonly until: number }
  | { readonly kind: 'nothing' }

/**
 * Claims the next outcome of a payment that was not told: in the order in which they became known, one at a time. A stage that has
 * had several words since it was last told is told once. A gate: the handler may run once the document is written at the version
 * that was read.
 *
 * @param claim `token` is unique for each claim; `at` is what the store's clock says, `lease` how long nobody else may tell it.
 */
export function claimDelivery(
  document: PaymentDocument,
  { token, at, lease }: { readonly token: string; readonly at: number; readonly lease: number },
): ClaimDecision {
  const { telling, over } = document
  if (over !== undefined) return { kind: 'nothing' }
  const isOurs = telling?.token === token
  if (telling !== undefined && !isOurs && telling.until > at) return { kind: 'busy', until: telling.until }
  // One whose delivery was begun comes first, whatever became known since: somebody may have heard it, and hears the same again.
  const begun = telling !== undefined && untoldAt(document, telling) !== undefined ? telling : undefined
  const place = isOurs ? telling : (begun ?? firstUntold(document))
  const stage = place && untoldAt(document, place)
  if (place === undefined || stage === undefined) return { kind: 'nothing' }
  const failed = isOurs || begun !== undefined ? failedSoFar(telling, isOurs) : undefined
  const about = { order: place.order, stage: place.stage, words: wordsOf(stage) }
  return {
    kind: 'claimed',
    document: { ...document, telling: { token, ...about, until: at + lease, at, ...present({ failed }) } },
  }
}

/** Finds what is told under a claim. @returns Undefined where that claim is over. */
export function claimedOutcome({ orders, telling }: PaymentDocument, token: string): UntoldOutcome | undefined {
  if (telling?.token !== token) return undefined
  const order = orders[telling.order]
  const stage = order?.stages[telling.stage]
  if (order === undefined || stage === undefined) return undefined
  const { login, clientOrderId = '' } = order
  const key = [login, clientOrderId, stage.stage, String(telling.stage + 1), String(telling.words)]
  return { order, stage, key: key.map(encodeURIComponent).join('/') }
}

/** One whose claim was over without a word has failed as well: its handler outstayed the lease, or its process died. */
function failedSoFar(telling: Telling | undefined, isOurs: boolean): FailedTelling | undefined {
  if (telling === undefined || isOurs || telling.token === '' || telling.overstayed === true) return telling?.failed
  return failedOnce(
    telling,
    telling.until,
    new Error('The handler did not end within "handlerTimeout", or its process died.'),
  )
}

/**
 * Notices that the handler has outstayed its lease. It may end yet, and counts as told then unless somebody else has claimed it. A fact:
 * noticed twice, it is one failure.
 */
export function overstayedDelivery(document: PaymentDocument | undefined, token: string): PaymentDocument | undefined {
  if (document?.telling?.token !== token) return undefined
  const { telling } = document
  if (telling.overstayed === true) return document
  const failed = failedOnce(telling, telling.until, new Error('The handler did not end within "handlerTimeout".'))
  return { ...document, telling: { ...telling, failed, overstayed: true } }
}

const failedOnce = ({ failed }: Pick<Telling, 'failed'>, at: number, error: unknown): FailedTelling => ({
  since: failed?.since ?? at,
  tries: (failed?.tries ?? 0) + 1,
  error: errorText(error),
})

function untoldAt({ orders }: PaymentDocument, place: Pick<Telling, 'order' | 'stage'>): KnownStage | undefined {
  const stage = orders[place.order]?.stages[place.stage]
  return stage !== undefined && isUntold(stage) ? stage : undefined
}

function firstUntold({ orders }: PaymentDocument): Pick<Telling, 'order' | 'stage'> | undefined {
  for (const [order, { stages }] of orders.entries()) {
    const stage = stages.findIndex(isUntold)
    if (stage >= 0) return { order, stage }
  }
  return undefined
}

/**
 * The delivery is done: the handler has run. It goes by the token, and not by the version: a callback or a poll that wrote
 * meanwhile changes nothing about what was told.
 *
 * @param wanted What the handler wants done about the order. It is written with the mark, or not at all.
 * @param isApproval Whether it was told that the stage is approved; undefined: nothing certain was told.
 * @returns undefined where the token's claim was over and another one has begun, or has told it: this one decides nothing.
 */
export function toldOutcome(
  document: PaymentDocument | undefined,
  token: string,
  wanted: readonly WantedChange[] = [],
  isApproval?: boolean,
): PaymentDocument | undefined {
  if (document?.telling?.token !== token) return undefined
  const { telling, ...rest } = document
  const { at = undefined } = telling
  const order = rest.orders[telling.order]
  const stage = order?.stages[telling.stage]
  if (order === undefined || stage === undefined) return rest
  // A person may have decided meanwhile that more of it need not be told.
  const words = Math.max(stage.told ?? 0, telling.words)
  const approval = (isApproval ?? stage.approvalTold === true) || undefined
  const about = { order: nameOf(order), stage: telling.stage + 1 }
  const told = evolve(rest, { kind: 'delivered', ...about, words, ...present({ at, approval }) })
  return withFollowUps(told, order, stage.askedAt, wanted)
}

/**
 * Gives a claim back undone: nobody tells the outcome until `until`, in milliseconds of the store's clock.
 *
 * @param failure Why, and when it failed by the same clock. Default: nothing has failed.
 */
export function postponeDelivery(
  document: PaymentDocument | undefined,
  token: string,
  until: number,
  failure?: { readonly error: unknown; readonly at: number },
): PaymentDocument | undefined {
  if (document?.telling?.token !== token) return undefined
  const { overstayed, ...telling } = document.telling
  const isNoMore = failure === undefined || overstayed === true
  const failed = isNoMore ? telling.failed : failedOnce(telling, failure.at, failure.error)
  return { ...document, telling: { ...telling, token: '', until, ...present({ failed }) } }
}

/** Adds what is to be done about an order. What is wanted already is there once. */
export function withFollowUps(
  document: PaymentDocument,
  { clientOrderId, attempts }: KnownOrder,
  since: number,
  wanted: readonly WantedChange[],
): PaymentDocument {
  if (clientOrderId === undefined) return document
  return wanted.reduce((after, { name, part, because }) => {
    const before = attempts.flatMap(({ operation, reservation }) => (operation === name ? [reservation] : []))
    const wish = { name, ...present({ part, because }), clientOrderId, before, since }
    const isKnown = after.wishes?.some(each => isSameWish(each, wish)) === true
    return isKnown ? after : evolve(after, { kind: 'follow-up', wish })
  }, document)
}

/** The follow-up was carried out, or is not possible any more. A fact. @returns The very document where it is gone already. */
export function followUpGone(document: PaymentDocument, wish: Wish): PaymentDocument {
  const known = document.wishes?.find(each => isSameWish(each, wish))
  return known === undefined ? document : evolve(document, { kind: 'follow-up-dropped', wish: known })
}
