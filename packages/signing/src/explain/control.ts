import { controlString } from '../index.js'
import { type ControlMistake, compareEncodings, readDigest } from './control/candidate.js'
import { searchControl } from './control/mistakes.js'
import { controlFixes } from './fixes.js'
import { checkControlOptions, type ExplainControlOptions } from './options.js'
import { type ComparedLine, compareCovered } from './written/compared.js'

/** A control value laid out. It holds neither the control key nor the control value. */
export interface ControlExplanation {
  readonly items: readonly { readonly name: string; readonly value: string }[]
  /** What is digested, with `<control key>` in place of the key. */
  readonly controlString: string
  /** The same for the other side, where its mistake was found and its key is ours. */
  readonly theirControlString?: string
  /** Item by item, the control key last. */
  readonly lines: readonly ComparedLine[]
  /** Whether these items give `expected`, in any encoding. Absent without `expected`. */
  readonly matches?: boolean
  /** Absent when nothing is wrong, and when no single known mistake makes `expected`. */
  readonly explanation?: ControlMistake
}

/**
 * Lays out what a control value covers and, given the one the other side has, searches for the one mistake that makes it.
 *
 * Work is bounded and ends after the same mistakes on every machine, after 16 million characters, where a digest counts 512
 * besides; the section `explain` of the benchmark measures the time. That is every mistake where the items have a hundred
 * and twenty characters together; of longer ones the last and unlikeliest are left out, and of more than 32768 characters
 * nothing is searched.
 * Values longer than 128 characters are not edited. Of amounts, the usual ones are tried: see `candidates`.
 * Without a separator two mistakes may make the same text (`1` + `23`, `12` + `3`): the first one found is named.
 * The item values are shown as they are, so the result may hold an e-mail address.
 *
 * @throws {@link InvalidInputError} {@link InvalidKeyError} as `controlString` does, and {@link InvalidInputError} when
 * another option is not what it should be; `field` names it.
 * @see Interface specification, section 5.1
 */
export function explainControl<const Items extends readonly string[]>(
  options: ExplainControlOptions<Items>,
): ControlExplanation {
  checkControlOptions(options)
  const { items, values, controlKey, expected, candidates = {}, otherKeys = [] } = options
  // `controlString` refuses a key with a character in it that nobody sees, which is a mistake to be found here.
  const isFilled = typeof controlKey === 'string' && controlKey !== ''
  const text = controlString(items, values, isFilled ? '#' : controlKey).slice(0, -1) + controlKey
  const covered = items.map((name: Items[number]) => ({ name, value: values[name] }))
  const mask = maskKeys([controlKey, ...otherKeys])
  const shown = (controlText: string): string =>
    `${mask(controlText.slice(0, controlText.length - controlKey.length))}<control key>`
  const shownItems = covered.map(({ name, value }) => ({ name, value: mask(value) }))
  const layout = { items: shownItems, controlString: shown(text), lines: compareItems(shownItems) }
  if (expected === undefined) return layout
  const made = { items: covered, controlKey, candidates, otherKeys }
  const found = compareEncodings(text, expected) ?? searchControl(made, readDigest(expected) ?? '')
  if (found === undefined) return { ...layout, matches: false }
  if (found === 'same') return { ...layout, lines: compareItems(shownItems, { theirs: shownItems }), matches: true }
  const { theirs, ...named } = found
  const { mistake, text: said } = named
  const theirItems = (theirs?.items ?? covered).map(({ name, value }) => ({ name, value: mask(value) }))
  const hasOtherKey = mistake === 'key'
  // Other mistakes change the key, or what is seen of it.
  const isShown = theirs !== undefined && !hasOtherKey && mistake !== 'whole-text'
  return {
    ...layout,
    ...(isShown ? { theirControlString: shown(theirs.controlString) } : {}),
    ...(mistake === 'no-digest' ? {} : { lines: compareItems(shownItems, { theirs: theirItems, hasOtherKey }) }),
    matches: mistake === 'digest-encoding',
    explanation: { ...named, text: mask(said), fix: controlFixes[mistake] ?? '' },
  }
}

type Items = ControlExplanation['items']

/** Puts items side by side, with a line for the key, which is shown on neither side. */
function compareItems(ours: Items, other?: { readonly theirs: Items; readonly hasOtherKey?: boolean }): ComparedLine[] {
  const key = { name: 'control key', ours: '<control key>' }
  if (other === undefined) return [...ours.map(({ name, value }) => ({ name, ours: value })), key]
  const covered = (items: Items) => items.map(({ name, value }) => ({ name, shown: value, actual: value }))
  const { theirs, hasOtherKey = false } = other
  const keyLine = { ...key, theirs: hasOtherKey ? '…' : key.ours, differs: hasOtherKey }
  return [...compareCovered(covered(ours), covered(theirs)), keyLine]
}

/** Masks keys as they are and as JSON writes them, longest first: one may be the beginning of another. */
function maskKeys(keys: readonly string[]): (value: string) => string {
  const spellings = keys
    .flatMap(key => [key, JSON.stringify(key).slice(1, -1)])
    .filter(key => key !== '')
    .sort((a, b) => b.length - a.length)
  return value => spellings.reduce((text, key) => text.replaceAll(key, '<control key>'), value)
}

/** Writes a {@link ControlExplanation} as text for a terminal or a log, one line an item. */
export function describeControl({ items, controlString: joined, matches, explanation }: ControlExplanation): string {
  const width = items.reduce((width, { name }) => Math.max(width, name.length), 0)
  const verdict = matches
    ? 'the control value matches'
    : 'no single known mistake makes the other control value: check the key, then two items at a time'
  return [
    'control items, in order:',
    ...items.map(({ name, value }) => `  ${name.padEnd(width)}  ${JSON.stringify(value)}`),
    `digested: ${JSON.stringify(joined)}`,
    ...(matches === undefined ? [] : [explanation?.text ?? verdict]),
    ...(explanation === undefined ? [] : [`to do: ${explanation.fix}`]),
  ].join('\n')
}
