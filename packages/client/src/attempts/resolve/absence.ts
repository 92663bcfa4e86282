import {
  type AbsenceInput,
  type AbsenceVerdict,
  judgeAbsence,
  type KnownAttempt,
  quietSinceOf,
  type RememberedAttempt,
  type WireProfile,
} from '@tillkit/protocol'
import type { AnyGatewayError } from '../../errors/errors.js'
import { otherSpellings } from '../../reply/record.js'
import { neverSeenWord } from '../learnt.js'
import type { FirstAnswers } from './first-answers.js'
import { type Page, silentStore } from './page.js'
import { type Answer, noAnswer, orderIdOf, type QuestionInput } from './question.js'
import type { Resolution, ResolveOptions, ResolveTimes } from './types.js'

/** How absence is judged. */
export interface AbsenceOptions extends ResolveTimes, Pick<ResolveOptions, 'position' | 'connectionClosed'> {
  readonly page: Page
  readonly firstAnswers: FirstAnswers
}

/** Says what follows where status refused the question: whether the gateway has never seen the order. */
export async function resolveAbsence(
  answer: Extract<Answer, { kind: 'refused' | 'failed' }>,
  {
    input: { attempt, settings },
    options,
    askedOn,
  }: {
    readonly input: QuestionInput
    readonly options: AbsenceOptions
    /** By the client's own clock, in milliseconds. */
    readonly askedOn: number
  },
): Promise<Resolution> {
  const { askedAt, cause } = answer
  const code = 'errorCode' in cause ? cause.errorCode : undefined
  // A gateway that showed the order or gave it an id, before or in this answer, has seen it: its answer of absence does not count.
  if (options.page.isSeen || orderIdOf(attempt) !== undefined || namesOrder(cause, settings.profile))
    return noAnswer(answer)
  let word: string | undefined
  try {
    word = await neverSeenWord(settings)
  } catch (storeCause) {
    return silentStore(storeCause, { askedAt })
  }
  if (word !== undefined && code !== word) return noAnswer(answer)
  if (word === undefined) {
    return {
      kind: 'cannot-tell-yet',
      reason: 'no-word',
      explanation:
        'Status refused the question, and it is not known which error code means that it has never seen an order. ' +
        'client.check() of a client with a store learns it; or ask the gateway’s support, and say so: defineProfile({ orderNeverSeen }).',
      evidence: { askedAt },
      needsPerson: true,
      cause,
    }
  }
  const { address } = settings.baseUrl
  if (attempt.baseUrl !== address) {
    return {
      kind: 'cannot-tell-yet',
      reason: 'another-address',
      explanation: `Status at ${address} says that it has never seen the order, and the attempt was sent to ${attempt.baseUrl}: that may be another gateway. Ask with a client for that address.`,
      evidence: { askedAt },
      needsPerson: true,
      cause,
    }
  }
  const { page, firstAnswers, quietPeriod, apart } = options
  let answeredAt: number
  try {
    answeredAt = await page.now()
  } catch (storeCause) {
    return silentStore(storeCause, { askedAt })
  }
  const times = { askedAt: page.at, answeredAt, quietPeriod, apart }
  const kept = page.kept?.absence
  const position = kept === undefined ? options.position : { attemptId: attempt.attemptId, ...kept }
  const quietSince = quietSinceFor(attempt, { ...options, position, askedAt: page.at })
  const before = position?.neverSeenAt
  const heardFor = firstAnswers.heardFor(attempt, before, askedOn)
  const verdict = judgeAbsence({ position, quietSince, heardFor, ...times })
  const seen = verdict.kind === 'one-answer' ? verdict.position.neverSeenAt : before
  if (seen !== undefined && seen !== before) firstAnswers.remember(attempt, seen)
  return describeAbsence(verdict, {
    attempt,
    evidence: { askedAt },
    ...times,
    quietSince,
  })
}

/** Whether a refusal of the question holds an order id, under any name. */
export function namesOrder(
  { orderId, received = {} }: Pick<AnyGatewayError, 'orderId' | 'received'>,
  profile: WireProfile,
): boolean {
  return orderId !== undefined || otherSpellings(received, profile).orderIds.length > 0
}

/**
 * Since when nothing of the request can be on its way. What was said once stays said, and is not moved back: it counts from when
 * it was said.
 */
function quietSinceFor(
  { end }: RememberedAttempt,
  { page, position, connectionClosed = false, askedAt }: AbsenceOptions & { readonly askedAt: number },
): number | undefined {
  const known =
    page.kept === undefined ? (end?.connection === undefined ? undefined : end.at) : quietSinceKept(page.kept, end)
  if (known !== undefined) return known
  if (position !== undefined) return Math.min(position.quietSince, askedAt)
  return connectionClosed ? askedAt : undefined
}

/** What the store has counts. Where it lacks the end, and the caller was told of one that a dispatcher may still have, nothing is known. */
const quietSinceKept = (kept: KnownAttempt, told: RememberedAttempt['end']): number | undefined =>
  kept.end === undefined && told !== undefined && told.connection === undefined ? undefined : quietSinceOf(kept)

interface AbsenceContext extends Omit<AbsenceInput, 'position'> {
  readonly attempt: RememberedAttempt
  readonly evidence: Resolution['evidence']
}

/** An answer of absence in words. */
function describeAbsence(
  verdict: AbsenceVerdict,
  { attempt, evidence, askedAt, quietSince = askedAt, quietPeriod, apart }: AbsenceContext,
): Resolution {
  const seen = 'Status says that it has never seen the order.'
  const open = { kind: 'cannot-tell-yet', needsPerson: false } as const
  const { attemptId } = attempt
  switch (verdict.kind) {
    case 'connection-open':
      return {
        ...open,
        reason: verdict.kind,
        explanation: `${seen} It is not known that nothing of the request is still on its way: say so with "connectionClosed" once the process that sent it has ended, or its dispatcher was destroyed.`,
        evidence,
      }
    case 'quiet-period':
      return {
        ...open,
        reason: verdict.kind,
        explanation: `${seen} That counts once nothing was on its way for ${seconds(quietPeriod)}; so far it was ${seconds(Math.max(0, askedAt - quietSince))}.`,
        evidence,
        askAgainAt: verdict.askAgainAt,
        position: { attemptId, ...verdict.position },
      }
    case 'one-answer': {
      const { position, askAgainAt } = verdict
      return {
        ...open,
        reason: verdict.kind,
        explanation: `${seen} A second such answer, ${seconds(apart)} after the first, is needed.`,
        evidence: { ...evidence, neverSeenAt: [position.neverSeenAt ?? askedAt] },
        askAgainAt,
        position: { attemptId, ...position },
      }
    }
    case 'no-trace': {
      const { first } = verdict
      return {
        kind: 'no-trace',
        explanation:
          `${seen} It said so twice, ${seconds(askedAt - first)} apart, after nothing of the request had been on its way for ` +
          `${seconds(first - quietSince)}. If you send it again, send the same request under the same order id: should the first still arrive, only a ` +
          'gateway that refuses used ids takes one of the two.',
        evidence: { ...evidence, neverSeenAt: [first, askedAt] },
      }
    }
  }
}

const seconds = (milliseconds: number): string => `${Math.floor(milliseconds / 1000)} s`
