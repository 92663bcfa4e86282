/**
 * When a wait asks next, how long that question may take, and when none follows.
 *
 * @module
 */
import { nextPause, type OutcomePosition, startPace } from '@tillkit/protocol'
import { longestTimeout, type Settings } from '../config/settings.js'
import type { AwaitOutcomeOptions } from './watch-outcome.js'

/** The least time for a question, in milliseconds: one that begins at the deadline may take that long past it. */
const leastForQuestion = 1_000

/** What a question is timed by. */
export interface TimingInput {
  readonly options: Pick<AwaitOutcomeOptions, 'deadline' | 'schedule' | 'timeout'>
  readonly settings: Pick<Settings, 'clock' | 'random' | 'profile' | 'timeout'>
}

/** Whether the deadline has come. */
export function isPastDeadline({ options: { deadline }, settings }: TimingInput): boolean {
  return deadline !== undefined && settings.clock() >= deadline
}

/** The timeout of a question: its own, but no more than what is left until the deadline, see {@link leastForQuestion}. */
export function questionTimeout({ options, settings }: TimingInput): { readonly timeout?: number } {
  const { deadline, timeout = settings.timeout } = options
  // What is no number is refused with the question, naming it.
  if (deadline === undefined || typeof timeout !== 'number') return { timeout }
  const left = Math.ceil(deadline - settings.clock())
  return { timeout: Math.min(timeout, Math.max(left, leastForQuestion)) }
}

/** Which question it is. */
export interface QuestionKind {
  /** It is the one at the deadline, or it ended after it. */
  readonly isLast: boolean
  /** A callback asked for it after the last one: one such question is enough. */
  readonly isExtra: boolean
}

/** The question that follows. */
export interface NextQuestion extends QuestionKind {
  /** Milliseconds. */
  readonly pause: number
  readonly position: OutcomePosition
}

/** @returns undefined when no question is to follow: after the last one, or when the schedule is over. */
export function nextQuestion(
  position: OutcomePosition,
  { options, settings, isLast, isExtra, isWoken }: TimingInput & QuestionKind & { readonly isWoken: boolean },
): NextQuestion | undefined {
  if (isExtra) return undefined
  if (isWoken) return { pause: 0, position, isLast, isExtra: isLast }
  if (isLast) return undefined
  const { deadline, schedule = settings.profile.pollSchedule.value } = options
  const now = settings.clock()
  const next = nextPause(position.pace ?? startPace(now), { schedule, now, random: settings.random })
  const left = deadline === undefined ? undefined : Math.max(0, deadline - now)
  if (next === undefined && left === undefined) return undefined
  // A timer takes no more; a question in the weeks between does no harm.
  const pause = Math.min(next?.pause ?? longestTimeout, left ?? longestTimeout, longestTimeout)
  const paced = next === undefined ? position : { ...position, pace: next.pace }
  return { pause, position: paced, isLast: pause === left, isExtra: false }
}
