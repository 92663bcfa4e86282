import { type ExplainControlOptions, explainControl } from '@tillkit/signing/explain'
import { couldBe, isMasked } from '../log/redact.js'
import type { SignedEvidence } from '../state/signed-evidence.js'

/** What the request says for each item, and the control value that it came with. */
interface ControlMismatch extends ExplainControlOptions<readonly string[]> {
  readonly values: Readonly<Record<string, string>>
  /** What the sender announced for this control value, if it did. */
  readonly evidence: SignedEvidence | undefined
}

/** Explains a mismatch in one sentence that names the item at fault. It never holds the control key. */
export function explainControlMismatch(mismatch: ControlMismatch): string {
  const announced = mismatch.evidence?.items
  const because = announced === undefined ? bySearch(mismatch) : byEvidence(mismatch, announced)
  return `Control value does not match: ${because}.`
}

function byEvidence(mismatch: ControlMismatch, announced: NonNullable<SignedEvidence['items']>): string {
  const { items, values, evidence } = mismatch
  const order = announced.map(({ name }) => name)
  if (order.join() !== items.join()) {
    return `it was made for ${evidence?.operation ?? 'another operation'} over ${order.join(', ')}; this operation takes ${items.join(', ')}`
  }
  const altered = announced.filter(({ name, value }) => !couldBe(value, values[name] ?? ''))
  if (altered.length > 0) {
    return altered
      .map(({ name, value }) => `item "${name}" was signed as "${value}", the request says "${values[name] ?? ''}"`)
      .join('; ')
  }
  const masked = announced.filter(({ value }) => isMasked(value)).map(({ name }) => name)
  const found = search(mismatch)
  if (found !== undefined) return found
  return masked.length > 0
    ? `either a masked item differs (${masked.map(name => `"${name}"`).join(', ')}) or another control key was used`
    : 'every item is as it was signed, so it was made with another control key'
}

const bySearch = (mismatch: ControlMismatch): string =>
  search(mismatch) ??
  `no single change of an item makes it, so it was made with another control key or several items differ; items in order: ${mismatch.items
    .map(item => `${item} "${(mismatch.values[item] ?? '').slice(0, 256)}"`)
    .join(', ')}`

/**
 * Most characters of all items together that are searched. The search grows with the square of their length, and a request
 * with a wrong control value may have any length.
 */
const searchedLength = 1_024

function search({ evidence: _evidence, ...mismatch }: ControlMismatch): string | undefined {
  const { items, values } = mismatch
  const length = items.reduce((sum, item) => sum + (values[item]?.length ?? 0), 0)
  if (length > searchedLength) return undefined
  const { explanation } = explainControl(mismatch)
  if (explanation === undefined) return undefined
  const { item, text } = explanation
  return item === undefined ? text : `item "${item}": ${text.replace(`${item}: `, '')}`
}
