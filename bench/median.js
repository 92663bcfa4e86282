/** The middle one of an odd number of values, the upper of the two middle ones otherwise. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
