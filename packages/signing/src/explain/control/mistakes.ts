import { currencyCodes } from '../../index.js'
import { type ControlCandidate, type ControlMade, type FoundControlMistake, sha1 } from './candidate.js'
import { amountForms, likelyAmounts, operationCandidates, togetherCandidates } from './formula-mistakes.js'
import {
  digestCandidates,
  encodedForms,
  keyCandidates,
  separatorCandidates,
  spacedForms,
  wholeTextCandidates,
  wordsForNothing,
} from './text-mistakes.js'

/** Every mistake that is tried, likelier and cheaper ones first. */
export const controlMistakes: readonly {
  readonly mistake: string
  readonly candidates: (made: ControlMade) => Iterable<ControlCandidate>
}[] = [
  {
    mistake: 'another-value',
    candidates: replaced(({ name }, { candidates }) => (Object.hasOwn(candidates, name) && candidates[name]) || []),
  },
  { mistake: 'item-left-out', candidates: replaced(() => ['']) },
  { mistake: 'amount-and-currency', candidates: togetherCandidates },
  { mistake: 'another-operation', candidates: operationCandidates },
  { mistake: 'amount-form', candidates: replaced(({ name, value }) => (name === 'amount' ? amountForms(value) : [])) },
  { mistake: 'white-space-or-case', candidates: replaced(({ value }) => spacedForms(value)) },
  { mistake: 'key', candidates: keyCandidates },
  { mistake: 'order', candidates: orderCandidates },
  { mistake: 'separator', candidates: separatorCandidates },
  { mistake: 'empty-as-word', candidates: replaced(({ value }) => (value === '' ? wordsForNothing : [])) },
  { mistake: 'item-encoding', candidates: replaced(({ value }) => encodedForms(value)) },
  { mistake: 'whole-text', candidates: wholeTextCandidates },
  { mistake: 'digest', candidates: digestCandidates },
  { mistake: 'currency', candidates: replaced(({ name }) => (name === 'currency' ? currencyCodes : [])) },
  { mistake: 'amount', candidates: replaced(({ name, value }) => (name === 'amount' ? likelyAmounts(value) : [])) },
  { mistake: 'one-character', candidates: replaced(({ value }) => editsOf(value)) },
]

/** Puts other values in place of each item's, one item at a time. */
function replaced(valuesOf: (item: ControlMade['items'][number], made: ControlMade) => Iterable<string>) {
  return function* (made: ControlMade): Generator<ControlCandidate> {
    const joined = made.items.map(({ value }) => value).join('') + made.controlKey
    let start = 0
    for (const item of made.items) {
      const before = joined.slice(0, start)
      start += item.value.length
      const after = joined.slice(start)
      for (const value of valuesOf(item, made)) {
        yield [before + value + after, () => textOf(item, value), { item: item.name, value }]
      }
    }
  }
}

function textOf({ name, value }: ControlMade['items'][number], theirs: string): string {
  const hint = name === 'endpointId' && theirs === '' ? '; take the endpoint, or the endpoint group, of the path' : ''
  return `${name}: the value was made over ${JSON.stringify(theirs)}; it must be made over ${JSON.stringify(value)}${hint}`
}

/** Most items whose orders are all tried: five items have 120. */
const mostPermutedItems = 5

function orderCandidates({ items, controlKey }: ControlMade): ControlCandidate[] {
  if (items.length > mostPermutedItems) return []
  const namesOf = (order: ControlMade['items']): string => order.map(({ name }) => name).join(', ')
  return permutations(items).map(order => [
    order.map(({ value }) => value).join('') + controlKey,
    `the items were joined as ${namesOf(order)}; the order is ${namesOf(items)}`,
    { covered: () => order },
  ])
}

const permutations = <Entry>(entries: readonly Entry[]): (readonly Entry[])[] =>
  entries.length <= 1
    ? [entries]
    : entries.flatMap((first, index) => permutations(entries.toSpliced(index, 1)).map(rest => [first, ...rest]))

/**
 * Most characters that are digested. A digest costs as much time as some characters, however short the text is. The
 * section `explain` of the benchmark measures a search to the end.
 */
const mostCharacters = 16_000_000
const charactersOfDigest = 512

/** Longest control string whose mistakes are searched, in characters. A longer one would leave time for few of them. */
const longestSearched = 32_768

/** Tries one mistake after another until one has the digest that the other side has, in lower-case hexadecimal. */
export function searchControl(made: ControlMade, digest: string): FoundControlMistake | undefined {
  if (made.items.reduce((length, { value }) => length + value.length, made.controlKey.length) > longestSearched) return
  let characters = 0
  for (const { mistake, candidates } of controlMistakes) {
    for (const [controlString, text, more = {}] of candidates(made)) {
      characters += charactersOfDigest + controlString.length
      if (characters > mostCharacters) return undefined
      if ((more.digest ?? sha1)(controlString) !== digest) continue
      const { item, value, covered } = more
      const items =
        covered?.() ?? made.items.map(each => (each.name === item && value !== undefined ? { ...each, value } : each))
      return {
        mistake,
        ...(item === undefined ? {} : { item }),
        text: typeof text === 'string' ? text : text(),
        ...(more.digest === undefined ? { theirs: { controlString, items } } : {}),
      }
    }
  }
  return undefined
}

/** What names, ids and e-mail addresses are made of. */
const characters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.@+'

/** Longest text that is edited, in UTF-16 units; it has some 18000 edits. */
const longestEdited = 128

/** Lists the texts one edit away: a character replaced or inserted, one deleted, two neighbours swapped. */
function* editsOf(text: string): Generator<string> {
  if (text.length > longestEdited) return
  for (let at = 0; at <= text.length; at += 1) {
    const before = text.slice(0, at)
    const after = text.slice(at + 1)
    if (at < text.length) yield before + after
    if (at + 1 < text.length) yield before + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
    for (const character of characters) {
      if (at < text.length) yield before + character + after
      yield before + character + text.slice(at)
    }
  }
}
