import type { PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { isSameWish, type Telling, type WantedChange, type Wish } from '../../state/known.js'

/** Adds what a handler wants done about the order that it is told of. What is wanted already is there once. */
export function withWishes(
  document: PaymentDocument,
  { order: place, stage }: Pick<Telling, 'order' | 'stage'>,
  wanted: readonly WantedChange[],
): PaymentDocument {
  const { wishes: known = [], orders } = document
  const { [place]: order } = orders
  const { clientOrderId } = order ?? {}
  if (wanted.length === 0 || order === undefined || clientOrderId === undefined) return document
  const since = order.stages[stage]?.askedAt ?? 0
  const wishes: Wish[] = []
  for (const { name, part, because } of wanted) {
    const before = order.attempts.flatMap(({ operation, reservation }) => (operation === name ? [reservation] : []))
    const more = { ...(part === undefined ? {} : { part }), ...(because === undefined ? {} : { because }) }
    const wish = { name, ...more, clientOrderId, before, since }
    if (![...known, ...wishes].some(each => isSameWish(each, wish))) wishes.push(wish)
  }
  return wishes.length === 0
    ? document
    : evolve(document, ...wishes.map(wish => ({ kind: 'follow-up', wish }) as const))
}

/**
 * The wish was carried out, or is not possible any more. A fact.
 *
 * @returns The very document where it is gone already.
 */
export function wishGone(document: PaymentDocument, wish: Wish): PaymentDocument {
  const known = document.wishes?.find(each => isSameWish(each, wish))
  return known === undefined ? document : evolve(document, { kind: 'follow-up-dropped', wish: known })
}
