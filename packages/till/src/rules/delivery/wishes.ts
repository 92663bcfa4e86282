import { isSameWish, type PaymentDocument, type Telling, type WantedChange, type Wish } from '../../state/document.js'

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
  const wishes = [...known]
  for (const { name, part, because } of wanted) {
    const before = order.attempts.flatMap(({ operation, reservation }) => (operation === name ? [reservation] : []))
    const more = { ...(part === undefined ? {} : { part }), ...(because === undefined ? {} : { because }) }
    const wish = { name, ...more, clientOrderId, before, since }
    if (!wishes.some(each => isSameWish(each, wish))) wishes.push(wish)
  }
  return { ...document, wishes }
}

/**
 * The wish was carried out, or is not possible any more. A fact.
 *
 * @returns The very document where it is gone already.
 */
export function wishGone(document: PaymentDocument, wish: Wish): PaymentDocument {
  const { wishes = [], ...rest } = document
  const left = wishes.filter(each => !isSameWish(each, wish))
  if (left.length === wishes.length) return document
  return left.length === 0 ? rest : { ...rest, wishes: left }
}
