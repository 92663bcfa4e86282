import type { PaymentDocument } from '../../state/document.js'
import { present } from '../../state/values.js'
import type { Happening } from './entry.js'

/** An entry, and the payment as it was known when that happened. */
export interface Placed {
  readonly entry: Happening
  readonly document: PaymentDocument
}

/** Adds an entry. What becomes known later of a word of a stage, or of a request that was accepted, goes to the entry that there is. */
export function place(placed: Placed[], { entry, document }: Placed): void {
  const at = placed.findLastIndex(each => isAboutSame(each.entry, entry))
  const { [at]: known } = placed
  const more = known === undefined ? undefined : together(known.entry, entry)
  if (known === undefined || more === undefined) placed.push({ entry, document })
  else placed[at] = { ...known, entry: more }
}

/**
 * Whether both are of the word of one stage, or say that one request was accepted: status and the answer may both do so,
 * and each knows more.
 */
function isAboutSame(one: Happening, other: Happening): boolean {
  if (other.kind === 'status' && (one.kind === 'status' || one.kind === 'settled'))
    return one.order === other.order && one.nth === other.nth
  const isAccepted = one.kind === 'answered' && one.ended === 'accepted'
  return isAccepted && other.kind === 'answered' && other.ended === 'accepted' && one.request === other.request
}

/** One entry that says what two say about the same; undefined where the later one has another word, or the amount of what was over. */
function together(one: Happening, other: Happening): Happening | undefined {
  if (one.kind === 'settled' && other.kind === 'status') {
    // The word is the person's: whatever the gateway says against it is a correction.
    const { serialNumber, amount, currency } = other
    return { ...one, ...present({ serialNumber, amount, currency }) }
  }
  if (one.kind === 'status' && other.kind === 'status') {
    const isCompleted = one.outcome !== undefined && one.amount === undefined && other.amount !== undefined
    if (one.status !== other.status || isCompleted) return undefined
  }
  return { ...other, ...present({ at: one.at }) }
}
