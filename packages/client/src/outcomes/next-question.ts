import { longestDelay, nextPause, type Pace, startPace } from '@tillkit/protocol'
import type { Settings } from '../config/settings.js'
import type { AwaitOutcomeOptions } from './types.js'

/** The question that follows. */
export interface NextQuestion {
  /** Milliseconds. */
  readonly pause: number
  /** How far the schedule has got. Absent: it begins with the next pause. */
  readonly pace: Pace | undefined
  /** It is the one at the deadline. */
  readonly isLast: boolean
  /** A callback asked for it after the last one: one such question is enough. */
  readonly isExtra: boolean
}

/** The next question goes by these. */
interface NextQuestionContext {
  readonly options: Pick<AwaitOutcomeOptions, 'deadline' | 'schedule'>
  readonly settings: Pick<Settings, 'clock' | 'random' | 'profile'>
}

/** The question before. */
interface LastQuestion extends Pick<NextQuestion, 'pace' | 'isLast' | 'isExtra'> {
  /** Whether a callback has come meanwhile: a reason of its own to ask at once. */
  readonly isWoken: boolean
  /** How long its answer asks to wait, in milliseconds. Only a deadline comes before, and {@link longestAsked}. */
  readonly asked: number
}

/** A proxy's page that speaks of tomorrow must not put a wait to sleep until then. One hour, in milliseconds. */
const longestAsked = 3_600_000

/** Says when to ask again. @returns undefined when no question is to follow: after the last one, or when the schedule is over. */
export function nextQuestion(
  { options: { deadline, schedule }, settings: { clock, random, profile } }: NextQuestionContext,
  { pace, isLast, isExtra, isWoken, asked }: LastQuestion,
): NextQuestion | undefined {
  if (isExtra) return undefined
  const now = clock()
  const left = deadline === undefined ? undefined : Math.max(0, deadline - now)
  const wasLast = isLast || left === 0
  if (isWoken) return { pause: 0, pace, isLast: wasLast, isExtra: wasLast }
  if (wasLast) return undefined
  const next = nextPause(pace ?? startPace(now), { schedule: schedule ?? profile.pollSchedule.value, now, random })
  if (next === undefined && left === undefined) return undefined
  // A timer takes no more; a question in the weeks between does no harm.
  const pause = Math.min(
    Math.max(next?.pause ?? longestDelay, Math.min(asked, longestAsked)),
    left ?? longestDelay,
    longestDelay,
  )
  return { pause, pace: next?.pace ?? pace, isLast: pause === left, isExtra: false }
}
