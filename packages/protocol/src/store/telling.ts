import { finalOutcome } from '../order/attribution.js'
import type { FinalOutcome, WireProfile } from '../profile/types.js'
import { isUntold, type KnownOrder, type KnownStage, type PaymentDocument, placesOf, type Telling } from './document.js'

/** What is to be told. */
export interface UntoldOutcome {
  readonly order: KnownOrder
  readonly stage: KnownStage
  /** The final word that is told: the stage's first, or that of a correction. */
  readonly word: string
  readonly outcome: FinalOutcome | undefined
  /** Whether the gateway said something else before. */
  readonly isCorrection: boolean
}

/** What claiming came to. */
export type ClaimDecision =
  | { readonly kind: 'claimed'; readonly document: PaymentDocument; readonly untold: UntoldOutcome }
  /** Another telling of the payment is under way, until `until` at the latest, in milliseconds of the store's clock. */
  | { readonly kind: 'busy'; readonly until: number }
  | { readonly kind: 'nothing' }

/**
 * Claims the next outcome of a payment that was not told: in the order in which they became known, one at a time. A gate: the
 * handler may run once the document is written at the version that was read.
 *
 * @param claim `token` is unique for each claim; `at` is what the store's clock says, `lease` how long nobody else may tell it.
 */
export function claimTelling(
  document: PaymentDocument,
  {
    token,
    at,
    lease,
    profile,
  }: { readonly token: string; readonly at: number; readonly lease: number; readonly profile: WireProfile },
): ClaimDecision {
  const { telling } = document
  const isOurs = telling?.token === token
  if (telling !== undefined && !isOurs && telling.until > at) return { kind: 'busy', until: telling.until }
  const place = isOurs ? telling : firstUntold(document)
  const untold = place === undefined ? undefined : untoldAt(document, place, profile)
  if (place === undefined || untold === undefined) return { kind: 'nothing' }
  const { order, stage } = place
  const { words, ...outcome } = untold
  const isNext = words === (untold.stage.told ?? 0) + 1
  const claimed = { token, order, stage, ...(isNext ? {} : { words }), until: at + lease }
  return { kind: 'claimed', untold: outcome, document: { ...document, telling: claimed } }
}

function firstUntold({ orders }: PaymentDocument): Pick<Telling, 'order' | 'stage'> | undefined {
  for (const [order, { stages }] of orders.entries()) {
    const stage = stages.findIndex(isUntold)
    if (stage >= 0) return { order, stage }
  }
  return undefined
}

function untoldAt(
  { orders }: PaymentDocument,
  at: Pick<Telling, 'order' | 'stage'>,
  profile: WireProfile,
): (UntoldOutcome & { readonly words: number }) | undefined {
  const order = orders[at.order]
  const stage = order?.stages[at.stage]
  if (order === undefined || stage === undefined || !isUntold(stage)) return undefined
  const { told = 0, status, corrections } = stage
  // One that was not kept is not told; the last one always is kept.
  const places = placesOf(corrections)
  const next = places.findIndex(each => each >= told - 1)
  const word = told === 0 ? status : (corrections[next]?.to ?? status)
  const words = told === 0 ? 1 : (places[next] ?? 0) + 2
  return { order, stage, word, outcome: finalOutcome(word, profile), isCorrection: told > 0, words }
}

/**
 * The telling is done: the handler has run. It goes by the token, and not by the version: a callback or a poll that wrote
 * meanwhile changes nothing about what was told.
 *
 * @returns undefined where the token's claim was over and another one has begun, or has told it: this one decides nothing.
 */
export function toldOutcome(document: PaymentDocument | undefined, token: string): PaymentDocument | undefined {
  if (document?.telling?.token !== token) return undefined
  const { telling, ...rest } = document
  const told = (stage: KnownStage): KnownStage => ({ ...stage, told: telling.words ?? (stage.told ?? 0) + 1 })
  const stagesOf = ({ stages }: KnownOrder) => stages.map((each, at) => (at === telling.stage ? told(each) : each))
  const orders = rest.orders.map((each, at) => (at === telling.order ? { ...each, stages: stagesOf(each) } : each))
  return { ...rest, orders }
}

/** Gives a claim back undone: nobody tells the outcome until `until`, in milliseconds of the store's clock. */
export function postponeTelling(
  document: PaymentDocument | undefined,
  token: string,
  until: number,
): PaymentDocument | undefined {
  if (document?.telling?.token !== token) return undefined
  return { ...document, telling: { ...document.telling, token: '', until } }
}
