/**
 * The tour: calls every operation at least once and says, one line a step, what came of it and how we know.
 *
 * @module
 */
import { defaultProfile, type OperationName, operations, resolveSigning } from '@tillkit/protocol'
import type { Line, Step, TourContext } from './step.js'
import { cardSteps } from './steps-cards.js'
import { formSteps } from './steps-forms.js'
import { paymentSteps } from './steps-payments.js'
import { payoutSteps } from './steps-payouts.js'
import { rest, uncalled } from './steps-rest.js'
import { shopSteps } from './steps-shop.js'
import { trustSteps } from './steps-trust.js'

/** Every step, in the order it is walked. */
export const steps: readonly Step[] = [
  ...paymentSteps,
  ...cardSteps,
  ...payoutSteps,
  ...formSteps,
  ...trustSteps,
  ...shopSteps,
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
): Promise<TourResult> {
  const lines: Line[] = []
  const print = (line: Line) => {
    lines.push(line)
    write(lineText(line))
  }
  const say = (sentence: string) => write(`  ${sentence}`)
  write(
    lineText({
      operation: 'operation',
      scheme: 'scheme',
      orderId: 'order',
      outcome: 'outcome',
      evidence: 'how we know',
    }),
  )
  for (const step of steps) {
    if (step === rest && uncalled(context).length === 0) continue
    write(`\n${step.title}`)
    try {
      await step.run({ ...context, client: context.till.client, print, say })
    } catch (error) {
      return { lines, uncalled: [], failed: { step: step.title, error } }
    }
  }
  return { lines, uncalled: uncalled(context) }
}

const schemeNames = { control: 'control', 'oauth-hmac-sha1': 'HMAC-SHA1', 'oauth-rsa-sha256': 'RSA-SHA256' } as const

function lineText(
  line: Line | (Omit<Line, 'operation'> & { readonly operation: string; readonly scheme: string }),
): string {
  const { operation, detail, orderId, outcome, evidence } = line
  const scheme = 'scheme' in line ? line.scheme : schemeOf(line.operation)
  const what = detail === undefined ? operation : `${operation}, ${detail}`
  return `  ${what.padEnd(56)}${scheme.padEnd(12)}${orderId.padEnd(18)}${outcome.padEnd(48)}${evidence}`.trimEnd()
}

function schemeOf(operation: Line['operation']): string {
  if (operation === 'callback') return 'control'
  return schemeNames[resolveSigning(operations[operation], defaultProfile).scheme]
}
