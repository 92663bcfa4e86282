import {
  type AbsenceInput,
  type AbsenceVerdict,
  type Attempt,
  emptyOrder,
  judgeAbsence,
  type KnownAttempt,
  quietSinceOf,
  type RememberedAttempt,
  reduceOrder,
  type StageName,
  type StatusSnapshot,
  type WireProfile,
} from '@tillkit/protocol'
import { compareAmounts, sameAmount } from '@tillkit/signing'
import type { AnyGatewayError } from '../../errors/errors.js'
import { otherSpellings } from '../../reply/record.js'
import { neverSeenWord } from '../learnt.js'
import type { FirstAnswers } from './first-answers.js'
import { type Page, silentStore } from './page.js'
import { type Answer, askAbout, noAnswer, orderIdOf, type QuestionInput } from './question.js'
import type { CannotTellReason, Resolution, ResolveOptions, ResolvePosition, ResolveTimes } from './types.js'

/** How absence is judged. */
interface CreationOptions extends ResolveTimes, Pick<ResolveOptions, 'position' | 'connectionClosed'> {
  readonly page: Page
  readonly firstAnswers: FirstAnswers
}

/** Asks status and says what follows for an attempt that creates. */
export async function resolveCreation(input: QuestionInput, options: CreationOptions): Promise<Resolution> {
  const { attempt, clientOrderId, settings } = input
  const { profile } = settings
  const askedOn = options.firstAnswers.now()
  const answer = await askAbout(input)
  if (answer.kind === 'refused') return absent(answer, { input, options, askedOn })
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

async function absent(
  answer: Extract<Answer, { kind: 'refused' | 'failed' }>,
  {
    input: { attempt, settings },
    options,
    askedOn,
  }: {
    readonly input: QuestionInput
    readonly options: CreationOptions
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
function namesOrder({ orderId, received = {} }: AnyGatewayError, profile: WireProfile): boolean {
  return orderId !== undefined || otherSpellings(received, profile).orderIds.length > 0
}

const withoutAnswer = ({ attemptId, quietSince }: ResolvePosition): ResolvePosition => ({ attemptId, quietSince })

/** Why the order need not be this attempt's; `because` completes "status knows an order, and …". */
export interface CreationDoubt {
  readonly reason: CannotTellReason
  readonly because: string
}

/**
 * Which stages may come after the one that made an order. Status shows the latest stage only, so these say that there was
 * an order of that kind; a stage that is not listed was made by another request.
 */
const mayFollow: { readonly [Original in StageName]?: readonly StageName[] } = {
  sale: ['reversal', 'cancel', 'void', 'chargeback'],
  preauth: ['capture', 'cancel', 'void', 'reversal', 'chargeback'],
  payout: ['reversal', 'cancel', 'void'],
  'payout-check': ['payout', 'reversal', 'cancel', 'void'],
  transfer: ['reversal', 'cancel', 'void'],
  verification: ['cancel', 'void'],
}

/**
 * Judges whether the order that was found may be none of this attempt's.
 *
 * Its first stage is over the very amount; what came later is over no more than that, and in the same currency.
 *
 * @returns undefined when it is the attempt's.
 */
export function doubtsAboutCreation(
  attempt: Pick<Attempt, 'stages' | 'amount' | 'currency'>,
  { stage, amount, currency }: StatusSnapshot,
): CreationDoubt | undefined {
  const { stages } = attempt
  // Where the profile says that status finds subscriptions, any stage that it shows will do.
  const isKnownKind = stages.length > 0
  if (isKnownKind && stage === 'unrecognized') {
    return {
      reason: 'not-shown',
      because: 'shows a stage that the wire profile does not know: see "stages" of defineProfile',
    }
  }
  const isFirst = stage !== undefined && stages.includes(stage)
  const mayBeLater = stage === undefined || stages.some(each => mayFollow[each]?.includes(stage))
  if (isKnownKind && !isFirst && !mayBeLater) return anothers(`it is a ${stage}`)
  if (attempt.currency !== undefined && currency !== undefined && attempt.currency !== currency) {
    return anothers('it is in another currency')
  }
  if (attempt.amount === undefined || amount === undefined) return undefined
  return fits(attempt.amount, { amount, isFirst }) ? undefined : anothers('it is over another amount')
}

function fits(ours: string, { amount, isFirst }: { readonly amount: string; readonly isFirst: boolean }): boolean {
  // What cannot be read as an amount is not even the same as itself.
  const isReadable = sameAmount(ours, ours) && sameAmount(amount, amount)
  return isReadable && (isFirst ? sameAmount(amount, ours) : compareAmounts(amount, ours) <= 0)
}

const anothers = (what: string): CreationDoubt => ({
  reason: 'another-request',
  because: `${what}: another request made it, and this one may have been refused for it or have made another order`,
})

/**
 * Since when nothing of the request can be on its way. What was said once stays said, and is not moved back: it counts from when
 * it was said.
 */
function quietSinceFor(
  { end }: RememberedAttempt,
  { page, position, connectionClosed = false, askedAt }: CreationOptions & { readonly askedAt: number },
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
export function describeAbsence(
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
