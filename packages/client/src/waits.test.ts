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
