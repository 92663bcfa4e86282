/**
 * The table of mistakes that make a different control value. To add one, add a row.
 *
 * @module
 */

import { currencyCodes } from '../../index.js'
import { amountForms, likelyAmounts } from './amount-mistakes.js'
import { operationCandidates, togetherCandidates } from './control-formula-mistakes.js'
import { keyCandidates } from './control-key-mistakes.js'
import {
  digestCandidates,
  encodedForms,
  separatorCandidates,
  wholeTextCandidates,
  wordsForNothing,
} from './control-text-mistakes.js'
import { editsOf } from './edit-distance.js'

/** A control value as we made it. */
export interface ControlMade {
  readonly items: readonly { readonly name: string; readonly value: string }[]
  readonly controlKey: string
  /** Other values an item may have had, and values of items that this operation does not have. */
  readonly candidates: { readonly [item: string]: readonly string[] | undefined }
  /** Control keys that may have been used by mistake. */
  readonly otherKeys: readonly string[]
}

/** A control string that the other side may have made. It holds the control key. */
export interface ControlCandidate {
  readonly controlString: string
  /** The item at fault, when it is one. */
  readonly item?: string
  /** What the mistake was, for people. Never the key. It is worked out late where most candidates are not the one. */
  readonly text: string | (() => string)
  /** Digests the text, to lower-case hexadecimal. Default: SHA-1 of its UTF-8 bytes. */
  readonly digest?: (controlString: string) => string
}

/** One kind of mistake, and the control strings it makes. */
export interface MistakeHypothesis {
  readonly mistake: string
  readonly candidates: (made: ControlMade) => Iterable<ControlCandidate>
}

/** Every mistake that is tried, likelier and cheaper ones first. */
export const controlMistakes: readonly MistakeHypothesis[] = [
  {
    mistake: 'another-value',
    candidates: made =>
      replaceEach(made, ({ name }) => (Object.hasOwn(made.candidates, name) && made.candidates[name]) || []),
  },
  {
    mistake: 'item-left-out',
    candidates: made => replaceEach(made, () => [''], hintsOfNothing),
  },
  { mistake: 'amount-and-currency', candidates: togetherCandidates },
  { mistake: 'another-operation', candidates: operationCandidates },
  {
    mistake: 'amount-form',
    candidates: made => replaceEach(made, ({ name, value }) => (name === 'amount' ? amountForms(value) : [])),
  },
  {
    mistake: 'white-space-or-case',
    candidates: made =>
      replaceEach(made, ({ value }) => [
        value.trim(),
        `${value} `,
        ` ${value}`,
        `${value}\n`,
        value.toLowerCase(),
        value.toUpperCase(),
      ]),
  },
  { mistake: 'key', candidates: keyCandidates },
  { mistake: 'order', candidates: orderCandidates },
  { mistake: 'separator', candidates: separatorCandidates },
  {
    mistake: 'empty-as-word',
    candidates: made => replaceEach(made, ({ value }) => (value === '' ? wordsForNothing : [])),
  },
  { mistake: 'item-encoding', candidates: made => replaceEach(made, ({ value }) => encodedForms(value)) },
  { mistake: 'whole-text', candidates: wholeTextCandidates },
  { mistake: 'digest', candidates: digestCandidates },
  {
    mistake: 'currency',
    candidates: made => replaceEach(made, ({ name }) => (name === 'currency' ? currencyCodes : [])),
  },
  {
    mistake: 'amount',
    candidates: made => replaceEach(made, ({ name, value }) => (name === 'amount' ? likelyAmounts(value) : [])),
  },
  { mistake: 'one-character', candidates: made => replaceEach(made, ({ value }) => editsOf(value)) },
]

/** Why an item is often left empty, and what to do, after what is said of it anyway. */
const hintsOfNothing: Readonly<Record<string, string>> = {
  endpointId: '; take the endpoint, or the endpoint group, of the path',
}

/** Puts other values in place of each item's. */
function* replaceEach(
  { items, controlKey }: ControlMade,
  valuesOf: (item: { readonly name: string; readonly value: string }) => Iterable<string>,
  hints: Readonly<Record<string, string>> = {},
): Generator<ControlCandidate> {
  const joined = items.map(({ value }) => value).join('') + controlKey
  let start = 0
  for (const item of items) {
    const { name } = item
    const before = joined.slice(0, start)
    start += item.value.length
    const after = joined.slice(start)
    const says = `this request says ${JSON.stringify(item.value)}${hints[name] ?? ''}`
    for (const value of valuesOf(item)) {
      const text = () => `${name}: the value was made over ${JSON.stringify(value)}, ${says}`
      yield { controlString: before + value + after, item: name, text }
    }
  }
}

/** Most items whose orders are all tried: five items have 120. */
const mostPermutedItems = 5

function* orderCandidates({ items, controlKey }: ControlMade): Generator<ControlCandidate> {
  if (items.length > mostPermutedItems) return
  const right = items.map(({ name }) => name).join(', ')
  for (const order of permutations(items)) {
    const controlString = order.map(({ value }) => value).join('') + controlKey
    yield {
      controlString,
      text: `the items were joined as ${order.map(({ name }) => name).join(', ')}; the order is ${right}`,
    }
  }
}

function* permutations<Entry>(entries: readonly Entry[]): Generator<readonly Entry[]> {
  if (entries.length <= 1) yield entries
  else {
    for (const [index, first] of entries.entries()) {
      for (const rest of permutations([...entries.slice(0, index), ...entries.slice(index + 1)])) yield [first, ...rest]
    }
  }
}
