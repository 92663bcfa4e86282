import { type ComparedLine, cutAtDifference } from '@tillkit/signing/explain'
import { charactersOf, sayDifference, visible } from './difference.js'
import type { ExplainedSignature } from './explained.js'

const verdicts = { right: 'right', wrong: 'wrong', unjudged: 'not judged' } as const

/** Breaks text into lines that fit. */
interface Folds {
  readonly sentence: (text: string) => readonly string[]
  readonly baseString: (text: string) => readonly string[]
}

/** Writes an explanation for a terminal. */
export function describeExplained(explained: ExplainedSignature, fold: Folds): string {
  const { about, verdict, says, fix, lines, covered } = explained
  const coveredLines = fold.baseString(printable(covered))
  const first = lines.find(({ differs }) => differs)
  const width = Math.max(...lines.map(({ name }) => printable(name).length))
  return [
    `${about}: ${verdicts[verdict]}.`,
    '',
    ...[
      fix === undefined ? printable(says) : `The likely mistake: ${printable(says)}`,
      ...(fix === undefined ? [] : [`What to do: ${fix}`]),
      ...(first === undefined ? [] : [printable(sayDifference(first))]),
    ].flatMap(fold.sentence),
    '',
    ...lines.flatMap(line => describeLine(line, width)),
    '',
    `Covered when it is right${coveredLines.length === 1 ? '' : ', here in several lines (--json has one)'}:`,
    ...coveredLines.map(line => `  ${line}`),
  ].join('\n')
}

function describeLine({ name, ours, theirs, differs }: ComparedLine, width: number): readonly string[] {
  if (!differs) return [`    ${printable(name).padEnd(width)}  ${printable(ours ?? '')}`]
  const { same } = cutAtDifference(ours ?? '', theirs ?? '')
  const side = (text: string | undefined) => (text === undefined ? '(not covered)' : printable(text))
  const caret = ours === undefined || theirs === undefined ? [] : [`${' '.repeat(18 + printable(same).length)}^`]
  return [`  ≠ ${printable(name)}`, `        signed    ${side(theirs)}`, `        expected  ${side(ours)}`, ...caret]
}

/** What a terminal would obey in place of showing it. */
const unprintable = /[\p{C}\u2028\u2029]/u

const printable = (text: string): string =>
  charactersOf(text)
    .flatMap(character => (unprintable.test(character) ? [...character].map(visible) : [character]))
    .join('')

/** Writes an explanation for programs, as one line of JSON. */
export const explainedAsJson = ({ kind: _kind, ...explained }: ExplainedSignature): string => JSON.stringify(explained)
