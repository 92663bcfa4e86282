import { isUntold, type KnownOrder, type KnownStage, type PaymentDocument, type Telling, wordsOf } from '../document.js'

/** What is to be told. */
export interface UntoldOutcome {
  readonly order: KnownOrder
  readonly stage: KnownStage
  /** Identifies it: the same each time that it is told, in any process. */
  readonly key: string
}

/** What claiming came to. */
export type ClaimDecision =
  | { readonly kind: 'claimed'; readonly document: PaymentDocument; readonly untold: UntoldOutcome }
  /** Another telling of the payment is under way, until `until` at the latest, in milliseconds of the store's clock. */
  | { readonly kind: 'busy'; readonly until: number }
  | { readonly kind: 'nothing' }

/**
 * Claims the next outcome of a payment that was not told: in the order in which they became known, one at a time. A stage that has
 * had several words since it was last told is told once. A gate: the handler may run once the document is written at the version
 * that was read.
 *
 * @param claim `token` is unique for each claim; `at` is what the store's clock says, `lease` how long nobody else may tell it.
 */
export function claimTelling(
  document: PaymentDocument,
  { token, at, lease }: { readonly token: string; readonly at: number; readonly lease: number },
): ClaimDecision {
  const { telling, over } = document
  if (over !== undefined) return { kind: 'nothing' }
  const isOurs = telling?.token === token
  if (telling !== undefined && !isOurs && telling.until > at) return { kind: 'busy', until: telling.until }
  const place = isOurs ? telling : firstUntold(document)
  const order = place === undefined ? undefined : document.orders[place.order]
  const stage = place === undefined ? undefined : order?.stages[place.stage]
  if (place === undefined || order === undefined || stage === undefined || !isUntold(stage)) return { kind: 'nothing' }
  const words = wordsOf(stage)
  const claimed = { token, order: place.order, stage: place.stage, words, until: at + lease }
  const key = [order.login, order.clientOrderId ?? '', stage.stage, String(place.stage + 1), String(words)]
  const untold = { order, stage, key: key.map(encodeURIComponent).join('/') }
  return { kind: 'claimed', untold, document: { ...document, telling: claimed } }
}

function firstUntold({ orders }: PaymentDocument): Pick<Telling, 'order' | 'stage'> | undefined {
  for (const [order, { stages }] of orders.entries()) {
    const stage = stages.findIndex(isUntold)
    if (stage >= 0) return { order, stage }
  }
  return undefined
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
  const told = (stage: KnownStage): KnownStage => ({ ...stage, told: telling.words })
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
