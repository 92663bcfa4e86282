/** One line of what a signature covers, as each side has it. */
export interface ComparedLine {
  /** `method`, `address`, `control key`, or the name of a parameter or an item; `…` for one that may be a value. */
  readonly name: string
  /** Absent when this side does not cover it. */
  readonly ours?: string
  /** Absent when the other side does not cover it, and on every line when nothing is known of the other side. */
  readonly theirs?: string
  /** Whether the two sides differ; hidden values may, and look the same. Absent when nothing is known of the other side. */
  readonly differs?: boolean
}

/** A text and another, cut where they begin to differ. */
export interface CutTexts {
  /** The beginning that both have. */
  readonly same: string
  readonly ours: string
  readonly theirs: string
}

/** What belongs to the character before it: an accent, the second half of a surrogate pair. */
const joining = /^(\p{M}|[\udc00-\udfff])/u

/** Cuts two texts before the first character that differs. An accent is not cut off its letter. */
export function cutAtDifference(ours: string, theirs: string): CutTexts {
  let at = 0
  while (at < ours.length && ours[at] === theirs[at]) at += 1
  while (at > 0 && [ours, theirs].some(text => joining.test(text.charAt(at)))) at -= 1
  return { same: ours.slice(0, at), ours: ours.slice(at), theirs: theirs.slice(at) }
}

/** One thing that is covered: its name and its text as it may be shown, and what tells whether two are the same. */
export interface CoveredText {
  readonly name: string
  readonly shown: string
  readonly actual: string
}

/**
 * Puts what both sides cover side by side: by name, or by place when both cover the same in another order. What only the other
 * side covers stands where it has it.
 */
export function compareCovered(ours: readonly CoveredText[], theirs: readonly CoveredText[]): ComparedLine[] {
  const isSame = (a: CoveredText | undefined, b: CoveredText | undefined): boolean =>
    a !== undefined && b !== undefined && a.name === b.name && a.actual === b.actual
  const lineOf = (
    a: CoveredText | undefined,
    b: CoveredText | undefined,
    name = (a ?? b)?.name ?? '',
  ): ComparedLine => ({
    name,
    ...(a === undefined ? {} : { ours: a.shown }),
    ...(b === undefined ? {} : { theirs: b.shown }),
    differs: !isSame(a, b),
  })
  if (isReordered(ours, theirs)) {
    return ours.map((each, place) => {
      const other = theirs[place]
      return lineOf(each, other, isSame(each, other) ? each.name : `${place + 1}: ${each.name}, ${other?.name ?? ''}`)
    })
  }
  const places = new Map<string, number[]>()
  for (const [place, { name }] of ours.entries()) addTo(places, name, place)
  const matches = new Map<number, CoveredText>()
  const extras = new Map<number, CoveredText[]>()
  let last = -1
  for (const other of theirs) {
    const place = places.get(other.name)?.shift()
    if (place === undefined) addTo(extras, last, other)
    else {
      matches.set(place, other)
      last = place
    }
  }
  const extraLines = (place: number) => (extras.get(place) ?? []).map(other => lineOf(undefined, other))
  return [...extraLines(-1), ...ours.flatMap((each, place) => [lineOf(each, matches.get(place)), ...extraLines(place)])]
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Whether both sides cover the same, each as often, and not in the same order. */
function isReordered(ours: readonly CoveredText[], theirs: readonly CoveredText[]): boolean {
  if (ours.length !== theirs.length) return false
  const keyOf = ({ name, actual }: CoveredText): string => `${name.length} ${name}${actual}`
  const [left, right] = [ours.map(keyOf), theirs.map(keyOf)]
  if (left.every((key, place) => key === right[place])) return false
  const [first, second] = [left.toSorted(), right.toSorted()]
  return first.every((key, place) => key === second[place])
}
