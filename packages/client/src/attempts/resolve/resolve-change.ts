/**
 * Resolving an attempt that changes an order: by the serial number of its request, or by the state before it.
 *
 * @module
 */
import { emptyOrder, type RememberedAttempt, readAttempt, reduceOrder } from '@tillkit/protocol'
import type { Settings } from '../../config/settings.js'
import { soonerThan } from '../../transport/sooner-than.js'
import { type ChangeDoubt, doubtsAboutChange, doubtsAboutNamed } from './judge-change.js'
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
  const changes = await changesOfOrder(attempt, settings)
  const unknown = doubtsAboutPort(attempt, { changes, hasPort: settings.attempts !== undefined })
  if (unknown !== undefined) return { resolution: 'cannot-tell-yet', ...unknown, evidence }
  const others = changes?.filter(each => !isSame(each, attempt))
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

/** Which of two equal changes made a stage, only those who know both can tell. */
function doubtsAboutPort(
  attempt: RememberedAttempt,
  { changes, hasPort }: { readonly changes: readonly RememberedAttempt[] | undefined; readonly hasPort: boolean },
): ChangeDoubt | undefined {
  if (!hasPort || changes?.some(each => isSame(each, attempt))) return undefined
  if (changes === undefined) {
    const explanation = 'The attempts port did not say which changes of the order were sent. Ask again later.'
    return { reason: 'no-port', explanation, needsPerson: false }
  }
  const explanation =
    'The attempts port does not know this attempt, so it may have forgotten other changes of the order as well, and one of ' +
    'them may be what status shows. Resolve it with the store that reserved it; a person must look where that is lost.'
  return { reason: 'attempt-unknown', explanation, needsPerson: true }
}

const isSame = (one: RememberedAttempt, other: RememberedAttempt): boolean =>
  one.attemptId === other.attemptId && one.reservedAt === other.reservedAt

/** The changes of the order that the port remembers; undefined where it cannot tell, or there is none. */
async function changesOfOrder(
  attempt: RememberedAttempt,
  { attempts, wait }: Settings,
): Promise<readonly RememberedAttempt[] | undefined> {
  if (attempts === undefined) return undefined
  const limit = new AbortController()
  try {
    const listed = await soonerThan(attempts.changesOf(attempt), () => wait(longestListing, limit.signal))
    if (listed.isLate || !Array.isArray(listed.value)) return undefined
    return listed.value.map(readAttempt)
  } catch {
    return undefined
  } finally {
    limit.abort()
  }
}
