import { longestDelay, nextPause, startPace, type WaitState } from '@tillkit/protocol'
import type { Settings } from '../config/settings.js'
import type { AwaitOutcomeOptions } from './types.js'

/** The question that follows. */
export interface NextQuestion {
  /** Milliseconds. */
  readonly pause: number
  readonly position: WaitState
  /** It is the one at the deadline, or it ended after it. */
  readonly isLast: boolean
  /** A callback asked for it after the last one: one such question is enough. */
  readonly isExtra: boolean
}

/** What the next question goes by. */
interface NextQuestionContext {
  readonly options: Pick<AwaitOutcomeOptions, 'deadline' | 'schedule'>
  readonly settings: Pick<Settings, 'clock' | 'random' | 'profile'>
}

/** The question before. */
interface LastQuestion extends Pick<NextQuestion, 'isLast' | 'isExtra'> {
  /** Whether a callback has come meanwhile: a reason of its own to ask at once. */
  readonly isWoken: boolean
  /** How long its answer asks to wait, in milliseconds. Only a deadline comes before, and {@link longestAsked}. */
  readonly asked: number
}

/** A proxy's page that speaks of tomorrow must not put a wait to sleep until then. One hour, in milliseconds. */
const longestAsked = 3_600_000

/** Says when to ask again. @returns undefined when no question is to follow: after the last one, or when the schedule is over. */
export function nextQuestion(
  position: WaitState,
  { options, settings }: NextQuestionContext,
  { isLast, isExtra, isWoken, asked }: LastQuestion,
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
  const pause = Math.min(
    Math.max(next?.pause ?? longestDelay, Math.min(asked, longestAsked)),
    left ?? longestDelay,
    longestDelay,
  )
  const paced = next === undefined ? position : { ...position, pace: next.pace }
  return { pause, position: paced, isLast: pause === left, isExtra: false }
}
