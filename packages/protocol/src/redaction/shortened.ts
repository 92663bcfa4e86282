/**
 * The beginning of a text for people. What is too long ends after a whole word, with "…" for the rest;
 * a single word that is longer than half of what is shown is cut.
 *
 * @param most Characters in all.
 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const begun = text.slice(0, most - 1)
  const end = /^\s/.test(text.slice(most - 1)) ? begun.length : begun.search(/\s\S*$/)
  // Half a pair of UTF-16 is no character.
  return `${(end > most / 2 ? begun.slice(0, end) : begun).trim().replace(/[\ud800-\udbff]$/, '')}…`
}
