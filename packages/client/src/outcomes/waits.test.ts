import { describe, expect, it } from 'vitest'
import { createWaits } from './waits.js'

/** A wait of the caller's that rejects as soon as it is cut short, as the timers of Node.js do. */
const rejecting = (_milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('cut short')))
  })

describe('a pause', () => {
  it('ends when it is woken, although the wait under it rejects', async () => {
    const waits = createWaits()
    const wait = waits.begin('o-1')
    const paused = wait.pause(1_000, rejecting)
    expect(waits.wake('o-1')).toBe(1)
    await expect(paused).resolves.toBeUndefined()
    expect(wait.takeWake()).toBe(true)
  })

  it('fails when the wait under it does of its own accord', async () => {
    const wait = createWaits().begin('o-1')
    const broken = async () => {
      throw new Error('no timers left')
    }
    await expect(wait.pause(1_000, broken)).rejects.toThrow('no timers left')
  })

  it('is woken by the id as it is sent, whatever white space surrounds it', () => {
    const waits = createWaits()
    waits.begin('o-1')
    expect(waits.wake(' o-1\n')).toBe(1)
  })
})

describe('a wait', () => {
  const never = () => new Promise<never>(() => {})

  it('does not pause when it was woken before, which is then forgotten', async () => {
    const waits = createWaits()
    const wait = waits.begin('o-1')
    waits.wake('o-1')
    await wait.pause(1_000, never)
    expect([wait.isWoken(), wait.takeWake(), wait.takeWake(), wait.isWoken()]).toEqual([true, true, false, false])
    let hasWaited = false
    await wait.pause(1_000, async () => {
      hasWaited = true
    })
    expect(hasWaited).toBe(true)
  })

  it('is woken with every other one for its order, and with none for another', async () => {
    const waits = createWaits()
    const [first, second, other] = [waits.begin('o-1'), waits.begin('o-1'), waits.begin('o-2')]
    expect(waits.wake('o-1')).toBe(2)
    expect([first, second, other].map(wait => wait.isWoken())).toEqual([true, true, false])
    waits.end(first)
    expect([waits.wake('o-1'), waits.wake('o-2')]).toEqual([1, 1])
    waits.end(second)
    expect(waits.wake('o-1')).toBe(0)
  })

  it('that is stopped ends its pause and the timer under it, and pauses no more', async () => {
    const wait = createWaits().begin('o-1')
    let timer: AbortSignal | undefined
    const paused = wait.pause(1_000, (_milliseconds, signal) => {
      timer = signal
      return never()
    })
    expect([wait.stopped.aborted, timer?.aborted]).toEqual([false, false])
    wait.stop()
    await paused
    await wait.pause(1_000, never)
    expect([wait.stopped.aborted, timer?.aborted, wait.isWoken()]).toEqual([true, true, false])
  })

  it('is stopped when its client is closed, also where it begins only then', () => {
    const waits = createWaits()
    const before = waits.begin('o-1')
    waits.close()
    const after = waits.begin('o-2')
    expect([before, after].map(({ stopped }) => stopped.aborted)).toEqual([true, true])
  })
})
