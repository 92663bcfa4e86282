/** Longest time whose unused turns may be used later, in milliseconds: that much can come in a heap. */
const longestUnused = 1_000

/** How far what went first may push back what comes after it, in milliseconds. */
const mostPushedBack = 2_000

/** How far ahead turns are believed to be given away, in milliseconds: after a clock was set back they are not. */
const longestLine = 60_000

/**
 * Gives away turns to ask, one after the other for all processes. What was given away is one number: the moment of the last turn.
 *
 * @param until What the store has of it, in milliseconds of its clock; undefined: nothing yet.
 * @param asked.at What the store's clock says, in milliseconds.
 * @param asked.count How many turns are wanted; 0: none, only `debt` is noted.
 * @param asked.debt How many questions were asked without a turn, because somebody waited for them.
 * @param asked.perSecond How many turns a second has.
 * @returns When the first of them is, in milliseconds of the store's clock, and how many milliseconds are between two; and what the
 * store is to have.
 */
export function reserveTurns(
  until: number | undefined,
  asked: { readonly at: number; readonly count: number; readonly debt: number; readonly perSecond: number },
) {
  const { at, count, debt, perSecond } = asked
  const apart = 1000 / perSecond
  const unused = at - Math.max(longestUnused, apart)
  const free = Math.max(unused, Math.min(until ?? unused, at + longestLine))
  // Customers may ask more than the limit for hours: what is due must be asked about all the same.
  const begin = Math.max(free, Math.min(free + debt * apart, at + mostPushedBack))
  return { from: begin + apart, apart, until: begin + count * apart }
}
