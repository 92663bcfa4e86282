/**
 * Resolving an attempt that creates: status finds its order by the merchant's id, or it does not.
 *
 * @module
 */
import { emptyOrder, reduceOrder, type WireProfile } from '@tillkit/protocol'
import type { AnyGatewayError } from '../../errors/errors.js'
import { otherSpellings } from '../../reply/reply-ids.js'
import type { ResolveTimes } from './check-attempt.js'
import { judgeAbsence } from './judge-absence.js'
import { doubtsAboutCreation } from './judge-creation.js'
import { type Answer, askAbout, noAnswer, orderIdOf, type QuestionInput } from './question.js'
import type { Resolution, ResolveOptions, ResolvePosition } from './resolution.js'

/** Asks status and says what follows for an attempt that creates. */
export async function resolveCreation(
  input: QuestionInput,
  options: ResolveTimes & Pick<ResolveOptions, 'position' | 'connectionClosed'>,
): Promise<Resolution> {
  const { attempt, clientOrderId, settings } = input
  const { profile } = settings
  const answer = await askAbout(input)
  if (answer.kind === 'refused') return absent(answer, { input, options })
  if (answer.kind !== 'reply') return noAnswer(answer)
  const { observation, snapshot } = answer
  const { askedAt } = observation
  const evidence = { askedAt, reply: snapshot }
  const doubts = doubtsAboutCreation(attempt, snapshot)
  if (doubts !== undefined) {
    const explanation = `Status knows an order ${JSON.stringify(clientOrderId)}, and ${doubts.because}.`
    const open = {
      resolution: 'cannot-tell-yet',
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
    resolution: 'happened',
    order: reduceOrder(order, observation, profile),
    explanation: `Status knows the order: ${snapshot.stage ?? 'its stage'} is ${JSON.stringify(snapshot.status.slice(0, 40))}. It was created; wait for its outcome.`,
    evidence,
  }
}

function absent(
  answer: Extract<Answer, { kind: 'refused' | 'failed' }>,
  {
    input: { attempt, settings },
    options,
  }: { readonly input: QuestionInput; readonly options: Parameters<typeof resolveCreation>[1] },
): Resolution {
  const { askedAt, cause } = answer
  const word = settings.profile.orderNeverSeen.value
  const code = 'errorCode' in cause ? cause.errorCode : undefined
  // Where the gateway has given the order an id it has seen it, whatever it says now; and so where it gives one now.
  if (orderIdOf(attempt) !== undefined || namesOrder(cause, settings.profile)) return noAnswer(answer)
  if (word !== undefined && code !== word) return noAnswer(answer)
  if (word === undefined) {
    return {
      resolution: 'cannot-tell-yet',
      reason: 'no-word',
      explanation:
        'Status refused the question, and it is not known which error code means that it has never seen an order. Ask ' +
        'the gateway’s support, then say so: defineProfile({ orderNeverSeen }).',
      evidence: { askedAt },
      needsPerson: true,
      cause,
    }
  }
  const { address } = settings.baseUrl
  if (attempt.baseUrl !== address) {
    return {
      resolution: 'cannot-tell-yet',
      reason: 'another-address',
      explanation: `Status at ${address} says that it has never seen the order, and the attempt was sent to ${attempt.baseUrl}: that may be another gateway. Ask with a client for that address.`,
      evidence: { askedAt },
      needsPerson: true,
      cause,
    }
  }
  const { quietPeriod, apart, position, connectionClosed = false } = options
  return judgeAbsence({ attempt, askedAt, position, quietPeriod, apart, connectionClosed })
}

/** Whether a refusal of the question says an order id itself, under whatever name. */
function namesOrder({ orderId, received = {} }: AnyGatewayError, profile: WireProfile): boolean {
  return orderId !== undefined || otherSpellings(received, { profile, clientOrderId: undefined }).orderIds.length > 0
}

const withoutAnswer = ({ attemptId, quietSince }: ResolvePosition): ResolvePosition => ({ attemptId, quietSince })
