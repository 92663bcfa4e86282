import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakeClock } from './clock.js'

describe('createFakeClock', () => {
  it('runs what falls due in the order of its time, each at its time', async () => {
    const clock = createFakeClock({ base: () => 1_000 })
    const seen: string[] = []
    const note = (name: string) => () => void seen.push(`${name} ${clock.now()}`)
    clock.schedule(3_000, note('late'))
    clock.schedule(1_500, note('early'))
    clock.schedule(9_000, note('never'))
    await clock.advance(2_000)
    expect(seen).toEqual(['early 1500', 'late 3000'])
    expect(clock.now()).toBe(3_000)
  })

  it('waits for a task, and runs what the task schedules on the way', async () => {
    const clock = createFakeClock({ base: () => 0 })
    const seen: number[] = []
    const again = async (): Promise<void> => {
      await Promise.resolve()
      seen.push(clock.now())
      clock.schedule(clock.now() + 10, again)
    }
    clock.schedule(10, again)
    await clock.advance(35)
    expect(seen).toEqual([10, 20, 30])
    expect(clock.now()).toBe(35)
  })

  it('runs what is overdue and goes on after a task that fails', async () => {
    const clock = createFakeClock({ base: () => 100 })
    const seen: string[] = []
    clock.schedule(50, () => Promise.reject(new Error('failed')))
    clock.schedule(100, () => void seen.push('after'))
    await clock.advance(0)
    expect(seen).toEqual(['after'])
    expect(clock.now()).toBe(100)
  })

  it('runs nothing that was called off or cleared', async () => {
    const clock = createFakeClock({ base: () => 0 })
    const task = vi.fn()
    clock.schedule(1, task).cancel()
    clock.schedule(1, task)
    clock.clear()
    await clock.advance(10)
    expect(task).not.toHaveBeenCalled()
  })

  it('advances twice in a row when asked twice at once', async () => {
    const clock = createFakeClock({ base: () => 0 })
    await Promise.all([clock.advance(5), clock.advance(7)])
    expect(clock.now()).toBe(12)
  })

  // An option of another type would fail far away, in `now()`. The message names it, like those of createFakeGateway.
  it.each([
    [{ base: 1 }, '"base" is 1; it must be a function.'],
    [{}, '"base" is missing.'],
    [{ base: () => 0, realtime: true }, '"realtime"'],
    [undefined, 'createFakeClock'],
  ])('refuses %j at once', (options, text) => {
    expect(() => createFakeClock(options as never)).toThrow(text)
  })

  it('refuses to go back', async () => {
    await expect(createFakeClock({ base: () => 0 }).advance(-1)).rejects.toThrow('a clock only goes forward')
  })
})

describe('createFakeClock in real time', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }))
  afterEach(() => void vi.useRealTimers())

  it('runs what falls due as time passes, and sooner once it was advanced', async () => {
    const clock = createFakeClock({ base: Date.now, realTime: true })
    const task = vi.fn()
    clock.schedule(1_000, task)
    await vi.advanceTimersByTimeAsync(999)
    expect(task).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(task).toHaveBeenCalledTimes(1)
    clock.schedule(100_000, task)
    await clock.advance(98_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(task).toHaveBeenCalledTimes(2)
  })

  it('leaves no timer behind when it is cleared', () => {
    const clock = createFakeClock({ base: Date.now, realTime: true })
    const before = vi.getTimerCount()
    clock.schedule(1_000, () => undefined)
    expect(vi.getTimerCount()).toBe(before + 1)
    clock.clear()
    expect(vi.getTimerCount()).toBe(before)
  })
})

describe('wait', () => {
  it('is over when the clock has moved that far', async () => {
    const clock = createFakeClock({ base: () => 0 })
    let over = false
    const waiting = clock.wait(5_000).then(() => {
      over = true
    })
    await clock.advance(4_999)
    expect(over).toBe(false)
    await clock.advance(1)
    await waiting
    expect(over).toBe(true)
  })

  it('is over at once for no time, and when it is called off before or meanwhile', async () => {
    const clock = createFakeClock({ base: () => 0 })
    await clock.wait(0)
    await clock.wait(1, AbortSignal.abort())
    const calledOff = new AbortController()
    const waiting = clock.wait(1, calledOff.signal)
    calledOff.abort()
    await waiting
    expect(clock.now()).toBe(0)
  })
})
