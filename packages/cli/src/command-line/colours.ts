import type { Surroundings } from './surroundings.js'

const codes = { good: 32, bad: 31, unsure: 33, bold: 1, dim: 2 } as const

/** Writes text as a terminal shows it: its colour never says what the words do not. */
export type Paint = (as: keyof typeof codes, text: string) => string

/** Colours where the standard output is a terminal, and `NO_COLOR` is not set. */
export const paintFor =
  ({ terminal }: Pick<Surroundings, 'terminal'>): Paint =>
  (as, text) =>
    terminal?.colours === true ? `\u001B[${codes[as]}m${text}\u001B[0m` : text
