/**
 * Ends that this world found and that nobody has mended yet: each is counted by its name, beside those at rest, and told apart from a broken rule
 * as narrowly as it can be. A gap that is mended goes from here.
 *
 * @module
 */
import { mayRepeat } from '@tillkit/protocol'
import type { Life } from '../life.js'
import { knownOf } from '../till/store.js'

/** Names the gap that a broken rule comes from; undefined: it is a violation. */
export const gapOf = (life: Life, rule: string): string | undefined =>
  Object.entries(gaps).find(([, isIt]) => isIt(life, rule))?.[0]

const gaps: Readonly<Record<string, (life: Life, rule: string) => boolean>> = {
  /**
   * A capture, a void or a return was approved, and the gateway takes that back. The till knows no serial number of it, so that the
   * reply may be about another one: nothing is written, and the callback counts as answered (ADR 0059). A person who is asked about the order
   * cannot settle it either: status says another word than the one that is kept.
   */
  'a word that is taken back of a stage without a number': ({ books, store }, rule) => {
    const isSum = / are approved, and \d+ of them were told$| count as (captured|returned) of order /.test(rule)
    if (!isSum && !rule.startsWith('a person cannot end the question "disputed"')) return false
    const { document } = knownOf(store.row())
    return books.orders.some(({ order: { stages, orderId }, words }) =>
      stages.some((stage, place) => {
        const [number] = stage.serialNumbers
        const known = document?.orders.find(each => each.orderId === orderId)?.stages ?? []
        const isNumbered = known.some(({ serialNumber }) => serialNumber !== undefined && serialNumber === number)
        return mayRepeat(stage.stage) && stage.stage !== 'chargeback' && (words[place]?.size ?? 0) > 1 && !isNumbered
      }),
    )
  },
}
