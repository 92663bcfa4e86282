import { doubtsAboutCreation, emptyOrder, reduceOrder } from '@tillkit/protocol'
import { type AbsenceOptions, resolveAbsence } from './absence.js'
import { askAbout, noAnswer, type QuestionInput } from './question.js'
import type { Resolution, ResolvePosition } from './types.js'

/** Asks status and says what follows for an attempt that creates. */
export async function resolveCreation(input: QuestionInput, options: AbsenceOptions): Promise<Resolution> {
  const { attempt, clientOrderId, settings } = input
  const { profile } = settings
  const askedOn = options.firstAnswers.now()
  const answer = await askAbout(input)
  if (answer.kind === 'refused') return resolveAbsence(answer, { input, options, askedOn })
  if (answer.kind !== 'reply') return noAnswer(answer)
  const { observation, snapshot } = answer
  const { askedAt } = observation
  const evidence = { askedAt, reply: snapshot }
  const doubts = doubtsAboutCreation(attempt, snapshot)
  if (doubts !== undefined) {
    const explanation = `Status knows an order ${JSON.stringify(clientOrderId)}, and ${doubts.because}.`
    const open = {
      kind: 'cannot-tell-yet',
      reason: doubts.reason,
      explanation,
      evidence,
      needsPerson: true,
    } as const
    // An answer of absence from before says nothing any more: there is an order of this id.
    return options.position === undefined ? open : { ...open, position: withoutAnswer(options.position) }
  }
  const { orderId } = observation.reply
  const order = emptyOrder({ clientOrderId, ...(orderId === undefined ? {} : { orderId }) })
  return {
    kind: 'happened',
    order: reduceOrder(order, observation, profile),
    explanation: `Status knows the order: ${snapshot.stage ?? 'its stage'} is ${JSON.stringify(snapshot.status.slice(0, 40))}. It was created; wait for its outcome.`,
    evidence,
  }
}

const withoutAnswer = ({ attemptId, quietSince }: ResolvePosition): ResolvePosition => ({ attemptId, quietSince })
