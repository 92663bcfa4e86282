import type { Surroundings } from './surroundings.js'

/** Characters in a line of the output. */
export const columnsOf = (terminal: Surroundings['terminal']): number => terminal?.columns ?? 80

/** What a terminal would obey, in place of showing it. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{FFFD}')

/** Leaves out who may come in: `user:password@` of an address. */
export const withoutUser = (text: string): string => text.replace(/(\/\/)[^\s/?#]*@/g, '$1***@')

/** Breaks a line at spaces; what has none, such as an address, stays whole so that it can be copied. Its indentation is kept. */
export function wrap(line: string, width: number): readonly string[] {
  const start = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = ''
  for (const word of line.trimStart().split(/(?<=\S)(?= )/)) {
    if (current !== '' && start.length + current.length + word.trimEnd().length > width) {
      lines.push(start + current)
      current = word.trimStart()
    } else current += word
  }
  return [...lines, start + current]
}

/** Breaks each line of a text. */
export const wrapText = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap(line => wrap(line, width))
    .join('\n')

/** A message: a person reads words that are whole, and a log is searched line by line. */
export const forReader = (text: string, terminal: Surroundings['terminal']): string =>
  terminal?.progress === true ? wrapText(text, terminal.columns) : text

/** Breaks a base string where a line may end without a doubt: after its parts and between its parameters. */
export function wrapBaseString(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const part of text.split(/(?<=&|%26)/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + part.length > width) lines.push(part)
    else lines[lines.length - 1] = last + part
  }
  return lines
}

/** A word as a shell takes it. */
export const inShell = (word: string): string =>
  /^[\w.:@/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const codes = { good: 32, bad: 31, unsure: 33, bold: 1, dim: 2 } as const

/** Writes text as a terminal shows it: its colour never says what the words do not. */
export type Paint = (as: keyof typeof codes, text: string) => string

/** Colours where the standard output is a terminal, and `NO_COLOR` is not set. */
export const paintFor =
  ({ terminal }: Pick<Surroundings, 'terminal'>): Paint =>
  (as, text) =>
    terminal?.colours === true ? `\u001B[${codes[as]}m${text}\u001B[0m` : text
