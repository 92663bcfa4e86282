import { type ControlExplanation, type ExplainControlOptions, explainControl } from '@tillkit/signing/explain'
import { couldBe, isMasked } from '../log/redact.js'
import type { ComparedSignature } from '../replies/refusal.js'
import type { SignedEvidence } from '../state/signed-evidence.js'

/** What the request says for each item, and the control value that it came with. */
interface ControlMismatch extends ExplainControlOptions<readonly string[]> {
  readonly values: Readonly<Record<string, string>>
  /** What the sender announced for this control value, if it did. */
  readonly evidence: SignedEvidence | undefined
}

/** A mismatch in words for the merchant, and line by line for the call log. */
export interface ExplainedMismatch {
  readonly text: string
  readonly compared?: ComparedSignature
}

/** Explains a mismatch in one sentence that names the item at fault. It never holds the control key. */
export function explainControlMismatch(mismatch: ControlMismatch): ExplainedMismatch {
  const announced = mismatch.evidence?.items
  const found = search(mismatch)
  const because = announced === undefined ? bySearch(mismatch, found) : byEvidence(mismatch, { announced, found })
  const text = `Control value does not match: ${because}.`
  if (found === undefined) return { text }
  const { lines, explanation } = found
  return { text, compared: { lines, ...shortened(explanation) } }
}

/** What the call log keeps of a mistake. */
export const shortened = (explanation: { readonly text: string; readonly fix: string } | undefined) =>
  explanation === undefined ? {} : { mistake: explanation.text, fix: explanation.fix }

interface Evidence {
  readonly announced: NonNullable<SignedEvidence['items']>
  readonly found: ControlExplanation | undefined
}

function byEvidence(mismatch: ControlMismatch, { announced, found }: Evidence): string {
  const { items, values, evidence } = mismatch
  const order = announced.map(({ name }) => name)
  if (order.join() !== items.join()) {
    return (
      `it was made for ${evidence?.operation ?? 'another operation'} over ${order.join(', ')}; ` +
      `this operation takes ${items.join(', ')}`
    )
  }
  const altered = announced.filter(({ name, value }) => !couldBe(value, values[name] ?? ''))
  if (altered.length > 0) {
    return altered
      .map(({ name, value }) => `item "${name}" was signed as "${value}", the request says "${values[name] ?? ''}"`)
      .join('; ')
  }
  const masked = announced.filter(({ value }) => isMasked(value)).map(({ name }) => name)
  const mistake = mistakeIn(found)
  if (mistake !== undefined) return mistake
  return masked.length > 0
    ? 'every item that can be seen is as it was signed, so another control key was used, ' +
        `or a masked item differs (${masked.map(name => `"${name}"`).join(', ')})`
    : 'every item is as it was signed, so it was made with another control key'
}

const bySearch = (mismatch: ControlMismatch, found: ControlExplanation | undefined): string =>
  mistakeIn(found) ??
  `no common mistake makes it, so an item has another value or it was made with another control key; items in order: ${mismatch.items
    .map(item => `${item} "${(mismatch.values[item] ?? '').slice(0, 256)}"`)
    .join(', ')}`

/** Most characters of all items together that are searched: a request with a wrong control value may have any length. */
const searchedLength = 1_024

function search({ evidence: _evidence, ...mismatch }: ControlMismatch): ControlExplanation | undefined {
  const { items, values } = mismatch
  const length = items.reduce((sum, item) => sum + (values[item]?.length ?? 0), 0)
  return length > searchedLength ? undefined : explainControl(mismatch)
}

function mistakeIn(found: ControlExplanation | undefined): string | undefined {
  if (found?.explanation === undefined) return undefined
  const { item, text } = found.explanation
  return item === undefined ? text : `item "${item}": ${text.replace(`${item}: `, '')}`
}
