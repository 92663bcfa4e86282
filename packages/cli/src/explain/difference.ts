import { type ComparedLine, cutAtDifference } from '@tillkit/signing/explain'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Takes a text apart into what people call characters. */
export const charactersOf = (text: string): readonly string[] =>
  [...segmenter.segment(text)].map(({ segment }) => segment)

/** What has no shape of its own. */
const shapeless = /^[\s\p{C}\p{Z}]/u

/** Writes a character so that it is seen. */
export const visible = (character: string): string => (shapeless.test(character) ? `⟨${nameOf(character)}⟩` : character)

const names: Readonly<Record<string, string>> = {
  ' ': 'space',
  '\n': 'line feed',
  '\r': 'carriage return',
  '\t': 'tab',
}

const nameOf = (character: string): string =>
  names[character] ?? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Says in a sentence where a line begins to differ. */
export function sayDifference({ name, ours, theirs }: ComparedLine): string {
  if (ours === undefined) return `First difference: ${name} was signed, and is not covered.`
  if (theirs === undefined) return `First difference: ${name} is covered, and was not signed.`
  if (ours === theirs) return `First difference: ${name}, in what is hidden here.`
  const cut = cutAtDifference(ours, theirs)
  const [signed, expected] = [cut.theirs, cut.ours].map(rest => {
    const [character] = charactersOf(rest)
    return character === undefined ? 'nothing more' : `“${visible(character)}”`
  })
  const place = charactersOf(cut.same).length + 1
  return `First difference: ${name}, character ${place}: ${signed} was signed, ${expected} is expected.`
}
