/**
 * Resolving an attempt that changes an order: by the serial number of its request, or by the state before it.
 *
 * @module
 */
import { emptyOrder, type RememberedAttempt, readAttempt, reduceOrder } from '@tillkit/protocol'
import type { Settings } from '../settings.js'
import { soonerThan } from '../sooner-than.js'
import { doubtsAboutChange, doubtsAboutNamed } from './judge-change.js'
import { type Answer, askAbout, noAnswer, orderIdOf, type QuestionInput } from './question.js'
import type { Resolution } from './resolution.js'

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
  const others = await otherChanges(attempt, settings)
  const named =
    observation.bySerialNumber === undefined ? 'not-named' : doubtsAboutNamed({ attempt, reply: snapshot, others })
  if (named === undefined) {
    return happened(input, { answer, evidence, because: `it is what request ${serialNumber} started` })
  }
  const doubts =
    named === 'not-named' ? doubtsAboutChange({ attempt, reply: snapshot, others, profile: settings.profile }) : named
  if (doubts !== undefined) return { resolution: 'cannot-tell-yet', ...doubts, evidence }
  const because =
    `before it was sent status showed ${baseline?.stage ?? 'no stage'}, ${JSON.stringify(baseline?.status)}, and no other ` +
    'change that may be this one was sent. That holds as long as nobody changes the order past the attempts port'
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
    resolution: 'happened',
    order: reduceOrder(order, observation, settings.profile),
    explanation: `Status shows a ${snapshot.stage}, ${JSON.stringify(snapshot.status.slice(0, 40))}: ${because}.`,
    evidence,
  }
}

/** How long the port may take to say which other changes there were, in milliseconds. */
const longestListing = 5_000

/** The other changes of the order; undefined where the port cannot tell. */
async function otherChanges(
  attempt: RememberedAttempt,
  { attempts, wait }: Settings,
): Promise<readonly RememberedAttempt[] | undefined> {
  if (attempts === undefined) return undefined
  const limit = new AbortController()
  try {
    const listed = await soonerThan(attempts.changesOf(attempt), () => wait(longestListing, limit.signal))
    if (listed.isLate || !Array.isArray(listed.value)) return undefined
    const isThis = (each: RememberedAttempt) =>
      each.attemptId === attempt.attemptId && each.reservedAt === attempt.reservedAt
    return listed.value.map(readAttempt).filter(each => !isThis(each))
  } catch {
    return undefined
  } finally {
    limit.abort()
  }
}
