/** The time a wait keeps, without a gateway: status is a function here. */
import { defaultProfile, longestDelay, type StatusRequest, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import type { CallOptions } from '../config/options.js'
import { AuthenticationRefusedError } from '../errors/errors.js'
import { awaitOutcome } from './await-outcome.js'
import type { AwaitOutcomeOptions } from './types.js'
import { createWaits, type Waits } from './waits.js'

const order = { clientOrderId: 'o-1', orderId: '77' }
const question = { ...order, stages: ['sale'] }
const processing: StatusResponse = { status: 'processing', transactionType: 'sale', ...order, raw: {} }

interface Watched {
  /** Answers a question; `at` is when it was asked. */
  readonly answer: (asked: {
    readonly at: number
    readonly timeout: number
    readonly signal: AbortSignal | undefined
    readonly waits: Waits
    readonly passTime: (milliseconds: number) => void
  }) => StatusResponse | Promise<StatusResponse>
  readonly options?: AwaitOutcomeOptions
  /** Default: 0. */
  readonly startAt?: number
  /** A callback that comes in the middle of a pause, so many milliseconds after its beginning. */
  readonly wakeInPause?: { readonly number: number; readonly after: number }
}

/** Waits from 0 on, with a timeout of 3,000 ms for a question. @returns How it ended, and all questions and pauses. */
async function watched({ answer, options = {}, startAt = 0, wakeInPause }: Watched) {
  let now = startAt
  const passTime = (milliseconds: number): void => {
    now += milliseconds
  }
  const [asked, pauses]: [number[], number[]] = [[], []]
  const timeouts: (number | undefined)[] = []
  const waits = createWaits()
  const warnings: string[] = []
  const outcome = await awaitOutcome({
    question,
    options,
    waits,
    warn: warning => warnings.push(warning.code),
    settings: {
      observer: {},
      clock: () => now,
      random: () => 0,
      profile: defaultProfile,
      baseUrl: { origin: '', prefix: '', address: '', isPlainHttp: false },
      timeout: 3_000,
      async wait(milliseconds) {
        pauses.push(milliseconds)
        if (pauses.length !== wakeInPause?.number) return passTime(milliseconds)
        passTime(wakeInPause.after)
        waits.wake('o-1')
      },
    },
    async status(_request: StatusRequest, { timeout, signal }: CallOptions) {
      asked.push(now)
      timeouts.push(timeout)
      if (asked.length > 200) throw new Error('It asks for ever.')
      return answer({ at: now, timeout: timeout ?? 0, signal, waits, passTime })
    },
  })
  return { outcome, asked, pauses, timeouts, warnings, endedAt: now }
}

const silent: Watched['answer'] = ({ timeout, passTime }) => {
  passTime(timeout)
  throw new Error(`no answer within ${timeout} ms`)
}

describe('the deadline of a wait', () => {
  it.each([5_000, 1_795_265_951])('is no duration and no time in seconds: %i', async deadline => {
    const options = { deadline }
    const watching = watched({ answer: silent, options, startAt: Date.UTC(2026, 10, 21) })
    await expect(watching).rejects.toThrow(`"deadline" is ${deadline}: a duration, or a time in seconds?`)
  })

  it('cuts the question that is under way, and asks none after it', async () => {
    const { outcome, asked, timeouts, endedAt } = await watched({ answer: silent, options: { deadline: 2_500 } })
    expect(outcome).toMatchObject({ kind: 'still-unknown', reason: 'time-is-up' })
    expect([asked, timeouts, endedAt]).toEqual([[0], [2_500], 2_500])
  })

  it.each([500, 0, -60_000])('leaves a question the least time that makes sense, %i ms before it', async deadline => {
    const { asked, timeouts, endedAt } = await watched({ answer: silent, options: { deadline } })
    expect([asked, timeouts, endedAt]).toEqual([[0], [1_000], 1_000])
  })

  it('gives no question more time than it had', async () => {
    const own = await watched({ answer: silent, options: { deadline: 500, timeout: 20 } })
    expect(own.timeouts[0]).toBe(20)
    const clients = await watched({ answer: silent, options: { deadline: 3_500 } })
    expect(clients.timeouts).toEqual([3_000, 1_000])
  })

  it('takes fractions of a millisecond', async () => {
    const { timeouts } = await watched({ answer: silent, options: { deadline: 1_500.25 } })
    expect(timeouts).toEqual([1_501])
  })

  it('asks once more for a callback that comes with the last question, and never again', async () => {
    const { outcome, asked } = await watched({
      answer: ({ waits, passTime }) => {
        passTime(2)
        waits.wake('o-1')
        return processing
      },
      options: { deadline: 1 },
    })
    expect(outcome).toMatchObject({ kind: 'still-unknown', reason: 'time-is-up' })
    expect(asked).toEqual([0, 2])
  })

  it('asks at the deadline all the same after a callback woke it in the last pause', async () => {
    const { asked, pauses } = await watched({
      answer: () => processing,
      options: { deadline: 2_000 },
      wakeInPause: { number: 1, after: 500 },
    })
    expect([asked, pauses]).toEqual([
      [0, 500, 2_000],
      [2_000, 1_500],
    ])
  })

  it('lets no timer run for longer than it can, whatever the schedule says', async () => {
    const atLeast = longestDelay + 10
    const schedule = [{ atLeast, atMost: atLeast, times: 1 }]
    expect((await watched({ answer: () => processing, options: { schedule } })).pauses).toEqual([longestDelay])
  })

  it('may be further away than a timer reaches', async () => {
    const deadline = 2 * longestDelay + 5
    const { pauses } = await watched({
      answer: () => processing,
      options: { deadline, schedule: [{ atLeast: 100, atMost: 100, times: 1 }] },
    })
    expect(pauses).toEqual([100, longestDelay, longestDelay - 95])
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longestDelay)
  })
})

describe('a wait whose question is refused', () => {
  const refused = (httpStatus: number) =>
    new AuthenticationRefusedError('The gateway did not accept the key.', {
      operation: 'status',
      clientOrderId: 'o-1',
      orderId: '77',
      httpStatus,
    })

  it('says so once, and goes on', async () => {
    const { outcome, warnings, asked } = await watched({
      answer: ({ at }) => {
        if (at < 9_000) throw refused(401)
        return { ...processing, status: 'approved' }
      },
    })
    expect(outcome).toMatchObject({ kind: 'approved' })
    expect([asked.length, warnings]).toEqual([4, ['WARN_STATUS_REFUSED']])
  })

  it('says nothing of other failures', async () => {
    expect((await watched({ answer: silent, options: { deadline: 9_000 } })).warnings).toEqual([])
  })
})

describe('a wait that is aborted', () => {
  it.each(['by its signal', 'because its client is closed'])(
    'ends %s, and its question too, where that is being put and never answered',
    async by => {
      const controller = new AbortController()
      let question: AbortSignal | undefined
      const { outcome } = await watched({
        answer({ signal, waits }) {
          question = signal
          if (by === 'by its signal') controller.abort()
          else waits.close()
          return new Promise(() => {})
        },
        options: { signal: controller.signal },
      })
      expect(outcome).toMatchObject({ kind: 'still-unknown', reason: 'aborted' })
      expect(question?.aborted).toBe(true)
    },
  )
})
