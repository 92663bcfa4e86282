const units: readonly (readonly [name: string, milliseconds: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

/** Writes how long something took, with the two largest units that it has: `12 ms`, `1.2 s`, `3 min 4 s`, `14 d`. */
export function writeDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${Math.floor(milliseconds / 100) / 10} s`
  let left = milliseconds
  const parts: string[] = []
  for (const [name, length] of units) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0) parts.push(`${count} ${name}`)
  }
  return parts.slice(0, 2).join(' ')
}
