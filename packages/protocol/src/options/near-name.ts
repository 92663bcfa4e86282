/**
 * The name that was probably meant.
 *
 * @module
 */

/** The one of `names` nearest to `name`: equal but for letter case and separators, or at most two edits away, one for every three letters or fewer. */
export function nearName(name: string, names: readonly string[]): string | undefined {
  const plain = normalize(name)
  const same = names.find(each => normalize(each) === plain)
  if (same !== undefined || name.length > 40) return same
  const [nearest] = names
    .map(each => ({ each, distance: editDistance(plain, normalize(each)) }))
    .filter(({ distance }) => distance <= Math.min(2, Math.ceil(plain.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.each
}

const normalize = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
