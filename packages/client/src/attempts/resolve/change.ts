import { doubtsAboutChange, doubtsAboutNamed, emptyOrder, type RememberedAttempt, reduceOrder } from '@tillkit/protocol'
import { changesOfOrder } from '../order-changes.js'
import { type Answer, askAbout, noAnswer, orderIdOf, type QuestionInput } from './question.js'
import type { CannotTellReason, Resolution } from './types.js'

/** Asks status and says what follows for an attempt that changes. "No trace" is never what follows. */
export async function resolveChange(input: QuestionInput): Promise<Resolution> {
  const { attempt, settings } = input
  const serialNumber = attempt.end?.serialNumber
  const first = await askAbout(input, serialNumber)
  // A serial number that status does not know says nothing about the order.
  const answer = first.kind === 'refused' && serialNumber !== undefined ? await askAbout(input) : first
  if (answer.kind !== 'reply') return noAnswer(answer)
  const { observation, snapshot } = answer
  const { baseline } = attempt
  const evidence = {
    askedAt: observation.askedAt,
    reply: snapshot,
    ...(baseline === undefined ? {} : { baseline }),
  }
  const changes = await changesOfOrder(attempt, settings)
  const unknown = doubtsAboutStore(attempt, { changes, hasStore: settings.book !== undefined })
  if (unknown !== undefined) return { kind: 'cannot-tell-yet', ...unknown, evidence }
  const others = changes?.filter(each => !isSame(each, attempt))
  const named =
    observation.bySerialNumber === undefined ? 'not-named' : doubtsAboutNamed({ attempt, reply: snapshot, others })
  if (named === undefined) {
    return happened(input, { answer, evidence, because: `it is what request ${serialNumber} started` })
  }
  const doubts =
    named === 'not-named' ? doubtsAboutChange({ attempt, reply: snapshot, others, profile: settings.profile }) : named
  if (doubts !== undefined) return { kind: 'cannot-tell-yet', ...doubts, evidence }
  const because =
    `before it was sent status showed ${baseline?.stage ?? 'no stage'}, ${JSON.stringify(baseline?.status)}, and no other ` +
    'change that may be this one was sent. That holds as long as every change of the order goes through the store'
  return happened(input, { answer, evidence, because })
}

interface Happened {
  readonly answer: Extract<Answer, { kind: 'reply' }>
  readonly evidence: Resolution['evidence']
  readonly because: string
}

function happened(
  { attempt, clientOrderId, settings }: QuestionInput,
  { answer, evidence, because }: Happened,
): Resolution {
  const { observation, snapshot } = answer
  const orderId = orderIdOf(attempt)
  const order = emptyOrder({ clientOrderId, ...(orderId === undefined ? {} : { orderId }) })
  return {
    kind: 'happened',
    order: reduceOrder(order, observation, settings.profile),
    explanation: `Status shows a ${snapshot.stage}, ${JSON.stringify(snapshot.status.slice(0, 40))}: ${because}.`,
    evidence,
  }
}

/** Which of two equal changes made a stage, only those who know both can tell. */
function doubtsAboutStore(
  attempt: RememberedAttempt,
  { changes, hasStore }: { readonly changes: readonly RememberedAttempt[] | undefined; readonly hasStore: boolean },
): { readonly reason: CannotTellReason; readonly explanation: string; readonly needsPerson: boolean } | undefined {
  if (!hasStore || changes?.some(each => isSame(each, attempt))) return undefined
  if (changes === undefined) {
    const explanation = 'The store did not say which changes of the order were sent. Ask again later.'
    return { reason: 'no-store', explanation, needsPerson: false }
  }
  const explanation =
    'The store does not know this attempt, so it may not know other changes of the order either, and one of them may be what ' +
    'status shows. Resolve it with the store that reserved it; a person must look where that is lost.'
  return { reason: 'attempt-unknown', explanation, needsPerson: true }
}

/** A request that did nothing makes way for another one with its id, which it is not. */
const isSame = (one: RememberedAttempt, other: RememberedAttempt): boolean =>
  one.attemptId === other.attemptId &&
  (one.reservation === undefined || other.reservation === undefined || one.reservation === other.reservation)
