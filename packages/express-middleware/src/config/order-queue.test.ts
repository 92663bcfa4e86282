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
    isNews: result => result === 'news',
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

  it('lets the least time pass again after work that brought something new', async () => {
    const { waits, queue } = queueAt(50_000, 60_000)
    for (const came of ['again', 'again', 'news', 'news', 'news', 'again', 'again'])
      await queue.run('o-1', async () => came)
    expect(waits).toEqual([1000, 2000, 1000, 1000, 1000, 2000])
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

  it('asks again after a wait that failed', async () => {
    let isBroken = true
    const wait = async () => {
      if (isBroken) throw new Error('no timers')
    }
    const queue = createOrderQueue<string>({ interval: 1000, concurrency: 1, clock: () => 0, wait })
    await queue.run('o-1', async () => 'first')
    await expect(queue.run('o-1', async () => 'second')).rejects.toThrow('no timers')
    isBroken = false
    expect(await queue.run('o-1', async () => 'third')).toBe('third')
  })

  it('does not forget how often an order is asked for because another one is', async () => {
    const { time, waits, queue } = queueAt(50_000, 5000)
    for (let round = 0; round < 3; round += 1) {
      await queue.run('o-1', async () => 'again')
      time.now += 1200
      await queue.run(`o-2-${round}`, async () => 'other')
    }
    expect(waits).toEqual([800])
  })
})

/** Work that a test ends. */
function works(queue: ReturnType<typeof createOrderQueue<string>>) {
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const run = (key: string, name: string) =>
    queue.run(key, () => {
      begun.push(name)
      return new Promise((resolve, reject) => {
        ends.set(name, error => (error === undefined ? resolve(name) : reject(error)))
      })
    })
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await new Promise(resolve => setImmediate(resolve))
  }
  return { begun, run, end }
}

describe('work on one order', () => {
  const unpaced = (concurrency: number) =>
    works(createOrderQueue<string>({ interval: 0, concurrency, clock: () => 0, wait: async () => {} }))

  it('is done one after the other, and what comes meanwhile is done together', async () => {
    const { begun, run, end } = unpaced(10)
    const first = run('o-1', 'first')
    await end('nothing yet')
    const later = [run('o-1', 'second'), run('o-1', 'third')]
    await end('nothing yet')
    expect(begun).toEqual(['first'])
    await end('first')
    expect(begun).toEqual(['first', 'second'])
    const last = run('o-1', 'last')
    await end('nothing yet')
    expect(begun).toEqual(['first', 'second'])
    await end('second')
    await end('last')
    expect(await Promise.all([first, ...later, last])).toEqual(['first', 'second', 'second', 'last'])
  })

  it('does not fail with the work before it', async () => {
    const { run, end } = unpaced(10)
    const first = run('o-1', 'first')
    await end('nothing yet')
    const second = run('o-1', 'second')
    const failure = expect(first).rejects.toThrow('away')
    await end('first', new Error('away'))
    await failure
    await end('second')
    expect(await second).toBe('second')
  })

  it('is never done for more orders at once than was said', async () => {
    const { begun, run, end } = unpaced(2)
    const names = ['a', 'b', 'c', 'd', 'e']
    const all = names.map(name => run(name, name))
    await end('nothing yet')
    for (const [index, name] of names.entries()) {
      expect(begun).toEqual(names.slice(0, index + 2))
      await end(name)
    }
    expect(await Promise.all(all)).toEqual(names)
  })
})
