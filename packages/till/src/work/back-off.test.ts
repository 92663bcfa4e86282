import { describe, expect, it } from 'vitest'
import { createBackOff } from './back-off.js'

/** Five questions a second, by a clock that a test moves. */
function openBackOff() {
  const clock = { now: 10_000 }
  const waiting = new Set<() => void>()
  const backOff = createBackOff({
    perSecond: 5,
    clock: () => clock.now,
    wait: (milliseconds, signal) =>
      new Promise(resolve => {
        const until = clock.now + milliseconds
        const look = () => {
          if (clock.now < until && signal?.aborted !== true) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  })
  const settled = () => new Promise(setImmediate)
  const asked: string[] = []
  return {
    asked,
    busyFor: backOff.busyFor,
    answered: (httpStatus: number, retryAfter?: number) =>
      backOff.answered('shop', { httpStatus, error: { retryAfter } as never }),
    /** Somebody wants to ask. */
    async asks(name: string, most = 30_000, signal?: AbortSignal) {
      const waited = await backOff.mayAsk('shop', { most, signal })
      asked.push(waited === undefined ? `${name} gave up` : `${name} at ${clock.now - 10_000} after ${waited}`)
    },
    async passes(milliseconds: number) {
      await settled()
      for (const end = clock.now + milliseconds; clock.now < end; ) {
        clock.now += 50
        for (const look of waiting) look()
        await settled()
      }
    },
  }
}

describe('a gateway that is too busy', () => {
  it.each([429, 503])('is asked nothing for as long as it says, HTTP %s', async status => {
    const { answered, asks, asked, passes, busyFor } = openBackOff()
    await asks('before')
    answered(status, 3)
    expect(busyFor('shop')).toBe(3_000)
    void asks('meanwhile')
    await passes(2_950)
    expect(asked).toEqual(['before at 0 after 0'])
    await passes(50)
    expect(asked).toEqual(['before at 0 after 0', 'meanwhile at 3000 after 3000'])
  })

  it('is asked nothing for a second where it does not say for how long, for twice as long each time after that, and once for all that was under way together', async () => {
    const { answered, busyFor, passes } = openBackOff()
    const pauses: number[] = []
    for (let nth = 0; nth < 8; nth += 1) {
      answered(429)
      answered(503)
      answered(429)
      pauses.push(busyFor('shop'))
      await passes(busyFor('shop'))
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    answered(200)
    answered(429)
    expect(busyFor('shop')).toBe(1_000)
  })

  it('is not believed for longer than an hour, nor by an answer that came meanwhile', () => {
    const { answered, busyFor } = openBackOff()
    answered(503, 86_400)
    answered(200)
    answered(503, 1)
    expect(busyFor('shop')).toBe(3_600_000)
  })

  it('keeps nobody from asking about another account', async () => {
    const { answered, busyFor } = openBackOff()
    answered(503, 3)
    expect(busyFor('other')).toBe(0)
  })
})

describe('those who waited', () => {
  it('ask one after the other in their order, and who comes later at once', async () => {
    const { answered, asks, asked, passes, busyFor } = openBackOff()
    answered(429)
    for (const name of ['a', 'b', 'c']) void asks(name)
    await passes(1_200)
    expect(busyFor('shop')).toBe(400)
    void asks('later')
    await passes(500)
    expect(asked).toEqual([
      'a at 1000 after 1000',
      'b at 1200 after 1200',
      'later at 1200 after 0',
      'c at 1400 after 1400',
    ])
    expect(busyFor('shop')).toBe(0)
  })

  it('give up where it would take longer than they wait, and at once', async () => {
    const { answered, asks, asked, passes } = openBackOff()
    answered(503, 30)
    void asks('impatient')
    void asks('patient', 30_001)
    await passes(100)
    expect(asked).toEqual(['impatient gave up'])
    await passes(30_000)
    expect(asked).toEqual(['impatient gave up', 'patient at 30000 after 30000'])
  })

  it('wait on where it says so again meanwhile, each as long as it can', async () => {
    const { answered, asks, asked, passes } = openBackOff()
    answered(429)
    for (const name of ['a', 'b', 'c', 'd']) void asks(name, name === 'c' ? 2_000 : 30_000)
    await passes(1_000)
    // The gateway answers the first question.
    answered(429)
    await passes(4_000)
    expect(asked).toEqual(['a at 1000 after 1000', 'c gave up', 'b at 3000 after 3000', 'd at 3200 after 3200'])
  })

  it('go at once where their signal fires', async () => {
    const { answered, asks, asked, passes } = openBackOff()
    const leaving = new AbortController()
    answered(503, 20)
    void asks('leaves', 30_000, leaving.signal)
    void asks('stays')
    await passes(1_000)
    leaving.abort()
    await passes(50)
    expect(asked).toEqual(['leaves at 1050 after 1050'])
  })
})
