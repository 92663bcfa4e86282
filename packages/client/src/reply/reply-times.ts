import type { RawAnswer } from '../transport/types.js'

/**
 * The time of an HTTP header, in milliseconds since the epoch: one of the three forms of RFC 9110 section 5.6.7.
 *
 * @returns undefined where the text is none of them. `Date.parse` alone takes nearly any text, and the oldest form for local time.
 */
export function httpDate(text: string): number | undefined {
  if (!/^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? [\w :-]+$/.test(text)) return undefined
  const time = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`)
  return Number.isNaN(time) ? undefined : time
}

/** The answer's `Date` header. @see RFC 9110 section 6.6.1 */
export const dateOf = ({ headers: { date } }: Pick<RawAnswer, 'headers'>): string | undefined =>
  typeof date === 'string' ? date : undefined

/**
 * How long an answer asks to wait, in whole seconds. Where it names a time, the wait is counted from its own `Date`.
 *
 * @param clock Milliseconds since the epoch, for an answer without `Date`.
 * @see RFC 9110 section 10.2.3
 */
export function retryAfterOf(answer: Pick<RawAnswer, 'headers'>, clock: () => number): number | undefined {
  const asked = answer.headers['retry-after']
  if (typeof asked !== 'string') return undefined
  if (/^\d+$/.test(asked)) return Math.min(Number(asked), Number.MAX_SAFE_INTEGER)
  const until = httpDate(asked)
  if (until === undefined) return undefined
  const from = httpDate(dateOf(answer) ?? '') ?? clock()
  return Math.max(0, Math.ceil((until - from) / 1000))
}
