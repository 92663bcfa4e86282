/** The tour: calls every operation at least once and says, one line a step, what came of it and how we know. */
import type { OperationName } from '@tillkit/protocol'
import type { Line, Step, TourContext } from './step.js'
import { cardSteps } from './steps-cards.js'
import { formSteps } from './steps-forms.js'
import { paymentSteps } from './steps-payments.js'
import { payoutSteps } from './steps-payouts.js'
import { rest, uncalled } from './steps-rest.js'
import { shopSteps } from './steps-shop.js'
import { trustSteps } from './steps-trust.js'

/** Every step, in the order it is walked: what can go wrong comes early, where it is seen. */
export const steps: readonly Step[] = [
  ...paymentSteps.slice(0, 1),
  ...shopSteps,
  ...trustSteps,
  ...paymentSteps.slice(1),
  ...cardSteps,
  ...payoutSteps,
  ...formSteps,
  rest,
]

/** How a tour went. */
export interface TourResult {
  readonly lines: readonly Line[]
  /** Operations that the gateway never saw called. */
  readonly uncalled: readonly OperationName[]
  readonly failed?: { readonly step: string; readonly error: unknown }
}

/** Walks the tour; stops at the first step that is not as it should be. */
export async function walkTour(
  context: Omit<TourContext, 'print' | 'say' | 'client'>,
  write: (text: string) => void,
  paint: Paint = (_colour, text) => text,
): Promise<TourResult> {
  const lines: Line[] = []
  const print = (line: Line) => {
    lines.push(line)
    write(lineText(line, paint))
  }
  const say = (sentence: string) => write(`  ${sentence}`)
  write(paint('dim', row('operation', 'outcome', 'how we know')))
  for (const step of steps) {
    if (step === rest && uncalled(context).length === 0) continue
    write(`\n${paint('bold', step.title)}`)
    try {
      await step.run({ ...context, client: context.till.client, print, say })
    } catch (error) {
      return { lines, uncalled: [], failed: { step: step.title, error } }
    }
  }
  return { lines, uncalled: uncalled(context) }
}

/** Colours a text. */
export type Paint = (colour: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string

/** Columns at which the outcome and its evidence begin. A line has 80 at most. */
const [second, third] = [43, 68]

function lineText({ operation, detail, outcome, evidence = 'status' }: Line, paint: Paint): string {
  const what = detail === undefined ? operation : `${operation}, ${detail}`
  return row(what, outcome, evidence, text => paint(colourOf(outcome), text))
}

/** A row. An outcome that has no room beside the rest stands in a line of its own. */
function row(what: string, outcome: string, evidence: string, paint = (text: string): string => text): string {
  const isShort = what.length + 3 < second && second + outcome.length < third
  const left = isShort ? `  ${what}`.padEnd(second) : `  ${what}\n    `
  const room = third - (isShort ? second : 4)
  return `${left}${paint(outcome)}${' '.repeat(Math.max(1, room - outcome.length))}${evidence}`
}

function colourOf(outcome: string): 'green' | 'red' | 'yellow' {
  if (/^unknown/.test(outcome)) return 'yellow'
  return /^(?:declined|refused)/.test(outcome) ? 'red' : 'green'
}
