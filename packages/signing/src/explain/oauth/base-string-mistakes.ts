/**
 * The table of mistakes that make a different signature base string. To add one, add a row.
 *
 * @module
 */
import type { BaseStringParts } from './base-string-parts.js'

/** A difference, located. */
export interface LocatedDifference {
  readonly left: BaseStringParts
  readonly right: BaseStringParts
  readonly part: 'method' | 'address' | 'parameters'
  /** Name of the parameter at fault. */
  readonly name: string | undefined
  /** What it may be called in a message. */
  readonly shownName: string
}

/** A located difference, with the two encoded texts it is in. */
interface Sides extends LocatedDifference {
  readonly ours: string | undefined
  readonly theirs: string | undefined
}

interface BaseStringHypothesis {
  readonly applies: (sides: Sides) => boolean
  readonly text: (sides: Sides) => string
}

/** What may be echoed: anything else may be a piece of something else. */
const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

const is =
  (part: LocatedDifference['part']) =>
  (sides: Sides): boolean =>
    sides.part === part

const hypotheses: readonly BaseStringHypothesis[] = [
  {
    applies: sides => is('method')(sides) && sides.theirs?.toUpperCase() === sides.ours,
    text: () => 'method: the other side has it in lower case; it must be in upper case',
  },
  {
    applies: /* @__PURE__ */ is('method'),
    text: ({ ours, theirs = '' }) => `method: ${ours} here, ${methods.includes(theirs) ? theirs : 'another'} there`,
  },
  {
    applies: sides => is('address')(sides) && /%3A(443|80)(%2F|$)/.test(sides.theirs ?? ''),
    text: () => 'address: the other side kept the port; a default port is left out',
  },
  {
    applies: sides => is('address')(sides) && sides.theirs?.toLowerCase() === sides.ours?.toLowerCase(),
    text: () => 'address: letter case differs; scheme and host must be in lower case, the path stays as it is',
  },
  {
    applies: sides => is('address')(sides) && /%3F/i.test(sides.theirs ?? ''),
    text: () => 'address: the other side kept the query in it; the query is covered among the parameters',
  },
  {
    applies: /* @__PURE__ */ is('address'),
    text: () => 'address: host or path differs; look for a missing path prefix, a trailing slash, a proxy',
  },
  {
    applies: ({ theirs, name }) => theirs !== undefined && name === 'oauth_signature',
    text: () => 'oauth_signature: the other side covers the signature itself; it must be left out',
  },
  {
    applies: ({ theirs }) => theirs === undefined,
    text: ({ shownName }) => `${shownName}: only this side covers it`,
  },
  {
    applies: ({ ours }) => ours === undefined,
    text: ({ shownName }) => `${shownName}: only the other side covers it`,
  },
  {
    applies: ({ ours, theirs }) => ours === theirs,
    text: ({ shownName }) => `${shownName}: the same parameters in another order; sort by encoded name, then by value`,
  },
  {
    applies: ({ ours, theirs }) => [/%2B/g, /%252B/g, /\+/g].some(plus => theirs?.replace(plus, '%2520') === ours),
    text: ({ shownName }) => `${shownName}: the other side encodes a space as "+"; it must be %20, so %2520 here`,
  },
  {
    applies: ({ ours, theirs }) => ours !== undefined && theirs === ours.replaceAll('%25', '%'),
    text: ({ shownName }) => `${shownName}: the other side encodes it once; it must be encoded twice`,
  },
  {
    applies: () => true,
    text: ({ shownName }) => `${shownName}: the two sides have different values, or encode the value differently`,
  },
]

/** Says in one sentence what the mistake probably is. Never a value: it may be card data. */
export function baseStringMistake(difference: LocatedDifference): string {
  const sides = { ...difference, ours: textOf(difference, 'left'), theirs: textOf(difference, 'right') }
  return hypotheses.find(({ applies }) => applies(sides))?.text(sides) ?? 'the base strings differ'
}

function textOf({ part, name, ...sides }: LocatedDifference, side: 'left' | 'right'): string | undefined {
  const parts = sides[side]
  if (part === 'method') return parts.method
  if (part === 'address') return parts.encodedAddress
  const texts = parts.parameters.filter(parameter => parameter.name === name).map(({ encoded }) => encoded)
  return texts.length === 0 ? undefined : texts.sort().join('%26')
}
