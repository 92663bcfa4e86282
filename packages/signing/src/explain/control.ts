import { type ControlItem, type ControlValues, controlString } from '../index.js'
import { findControlMistake, type Items } from './control-mistakes.js'
import { type ComparedLine, compareCovered, type Mistake } from './lines.js'

/** What to explain. */
export interface ExplainControlOptions<Items extends readonly string[]> {
  readonly items: Items
  readonly values: ControlValues<Items>
  readonly controlKey: string
  /**
   * The control value the other side sent or computed, in hexadecimal or Base64. Anything else matches nothing.
   * Default: only the items are shown.
   */
  readonly expected?: string
  /**
   * Other values each item may have had, tried first: the value of another field, of the previous order. Likeliest first.
   * With values of items that this operation does not have (the endpoint, the e-mail address of the order) the formula of
   * another operation is recognized.
   */
  readonly candidates?: { readonly [Item in Items[number] | ControlItem]?: readonly string[] | undefined }
}

/** A control value laid out. It holds neither the control key nor the control value. */
export interface ControlExplanation {
  readonly items: readonly { readonly name: string; readonly value: string }[]
  /** What is digested, with `<control key>` in place of the key. */
  readonly controlString: string
  /** Item by item, the control key last. */
  readonly lines: readonly ComparedLine[]
  /** Whether these items give `expected`, in any encoding. Absent without `expected`. */
  readonly matches?: boolean
  /** Absent when nothing is wrong, and when no single common mistake makes `expected`. */
  readonly explanation?: Mistake
}

/**
 * Lays out what a control value covers and, given the one the other side has, says which common mistake makes it. A control
 * string of more than 4096 characters is laid out and not searched.
 *
 * Without a separator two mistakes may make the same text (`1` + `23`, `12` + `3`): the likelier one is named.
 * The item values are shown as they are, so the result may hold an e-mail address.
 *
 * @throws {@link InvalidInputError} {@link InvalidKeyError} as `controlString` does; `field` names the option.
 * @see Interface specification, section 5.1
 */
export function explainControl<const Names extends readonly string[]>(
  options: ExplainControlOptions<Names>,
): ControlExplanation {
  const { items: names, values, controlKey, expected, candidates = {} } = options
  // `controlString` refuses a key with a character in it that nobody sees, which is a mistake to be found here.
  controlString(names, values, typeof controlKey === 'string' && controlKey !== '' ? '#' : controlKey)
  const actual: Items = names.map((name: Names[number]) => ({ name, value: values[name] }))
  const mask = maskKey(controlKey)
  const items = masked(actual, mask)
  const layout = {
    items,
    controlString: `${items.map(({ value }) => value).join('')}<control key>`,
    lines: [...items.map(({ name, value }) => ({ name, ours: value })), keyLine],
  }
  if (expected === undefined) return layout
  const found = findControlMistake({ items: actual, controlKey, candidates }, expected)
  if (found === undefined) return { ...layout, matches: false }
  if (found === 'same') return { ...layout, lines: compareItems(items, items), matches: true }
  const { theirs, ...explanation } = found
  const { mistake, text } = explanation
  return {
    ...layout,
    ...(mistake === 'no-digest'
      ? {}
      : { lines: compareItems(items, masked(theirs ?? actual, mask), mistake === 'key') }),
    matches: mistake === 'digest-encoding',
    explanation: { ...explanation, text: mask(text) },
  }
}

const keyLine = { name: 'control key', ours: '<control key>' }

const masked = (items: Items, mask: (value: string) => string): Items =>
  items.map(({ name, value }) => ({ name, value: mask(value) }))

/** Puts items side by side, with a line for the key, which is shown on neither side. */
function compareItems(ours: Items, theirs: Items, hasOtherKey = false): ComparedLine[] {
  const covered = (items: Items) => items.map(({ name, value }) => ({ name, shown: value, actual: value }))
  const key = { ...keyLine, theirs: hasOtherKey ? '…' : keyLine.ours, differs: hasOtherKey }
  return [...compareCovered(covered(ours), covered(theirs)), key]
}

/** Masks the key as it is, and as JSON writes it. */
const maskKey =
  (key: string) =>
  (value: string): string =>
    [JSON.stringify(key).slice(1, -1), key].reduce((text, each) => text.replaceAll(each, '<control key>'), value)
