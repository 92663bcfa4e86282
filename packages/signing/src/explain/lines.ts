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

/** The one mistake that makes what the other side has. */
export interface Mistake {
  /** Short name, for programs. */
  readonly mistake: string
  /** The item or the parameter at fault, when it is one. */
  readonly item?: string
  /** One sentence, for people. It holds no secret. */
  readonly text: string
  /** What to do about it, for whoever signs. One sentence. */
  readonly fix: string
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

/** Puts what both sides cover side by side: by name, or by place where both have the same names in another order. */
export function compareCovered(ours: readonly CoveredText[], theirs: readonly CoveredText[]): ComparedLine[] {
  const line = (name: string, mine: CoveredText | undefined, other: CoveredText | undefined): ComparedLine => ({
    name,
    ...(mine === undefined ? {} : { ours: mine.shown }),
    ...(other === undefined ? {} : { theirs: other.shown }),
    differs: mine?.name !== other?.name || mine?.actual !== other?.actual,
  })
  const [left, right] = [ours, theirs].map(side => side.map(({ name }) => name)) as [string[], string[]]
  if (left.join('&') !== right.join('&') && left.toSorted().join('&') === right.toSorted().join('&')) {
    return ours.map((mine, place) => {
      const other = theirs[place]
      const name = mine.name === other?.name ? mine.name : `${place + 1}: ${mine.name}, ${other?.name}`
      return line(name, mine, other)
    })
  }
  const rest = [...theirs]
  const lines = ours.map(mine => {
    const place = rest.findIndex(({ name }) => name === mine.name)
    return line(mine.name, mine, place < 0 ? undefined : rest.splice(place, 1)[0])
  })
  return [...lines, ...rest.map(other => line(other.name, undefined, other))]
}
