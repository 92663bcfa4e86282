import { describe, expect, it } from 'vitest'
import { createOrderQueue } from './order-queue.js'

/** A queue whose clock a test sets, and whose waits it ends. */
function queueAt(now: number, longestInterval?: number) {
  const time = { now }
  const waits: number[] = []
  const queue = createOrderQueue<string>({
    interval: 1000,
    ...(longestInterval === undefined ? {} : { longestInterval }),
    concurrency: 1,
    clock: () => time.now,
    wait: async milliseconds => {
      waits.push(milliseconds)
      time.now += milliseconds
    },
  })
  return { time, waits, queue }
}

describe('createOrderQueue', () => {
  it('waits what is left of the interval', async () => {
    const { time, waits, queue } = queueAt(50_000)
    await queue.run('o-1', async () => 'first')
    time.now += 400
    await queue.run('o-1', async () => 'second')
    expect(waits).toEqual([600])
  })

  it('lets more and more time pass while somebody does not stop asking, and begins anew when they do', async () => {
    const { time, waits, queue } = queueAt(50_000, 5000)
    for (let round = 0; round < 6; round += 1) await queue.run('o-1', async () => 'again')
    expect(waits).toEqual([1000, 2000, 4000, 5000, 5000])
    time.now += 10_000
    for (let round = 0; round < 3; round += 1) await queue.run('o-1', async () => 'later')
    expect(waits.slice(5)).toEqual([1000, 2000])
  })

  it('does not grow for what comes as rarely as a gateway repeats it', async () => {
    const { time, waits, queue } = queueAt(50_000, 60_000)
    for (let round = 0; round < 12; round += 1) {
      await queue.run('o-1', async () => 'again')
      time.now += 5000
    }
    expect(waits).toEqual([])
  })

  it('waits no longer than the interval when the clock is set back', async () => {
    const { time, waits, queue } = queueAt(50_000_000)
    await queue.run('o-1', async () => 'first')
    time.now -= 3_600_000
    expect(await queue.run('o-1', async () => 'second')).toBe('second')
    expect(waits).toEqual([1000])
  })

  it('is not stopped by work that fails', async () => {
    const { queue } = queueAt(0)
    await expect(queue.run('o-1', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await queue.run('o-1', async () => 'well')).toBe('well')
    expect(await queue.run('o-2', async () => 'well')).toBe('well')
  })

  it('is not stopped by a wait that fails', async () => {
    const queue = createOrderQueue<string>({
      interval: 1000,
      concurrency: 1,
      clock: () => 0,
      wait: () => Promise.reject(new Error('no timers')),
    })
    await queue.run('o-1', async () => 'first')
    await expect(queue.run('o-1', async () => 'second')).rejects.toThrow('no timers')
    // Not the failure of before, for ever.
    await expect(queue.run('o-1', async () => 'third')).rejects.toThrow('no timers')
    expect(await queue.run('o-2', async () => 'other')).toBe('other')
  })
})
