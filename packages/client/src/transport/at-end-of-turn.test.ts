import { describe, expect, it, vi } from 'vitest'
import { atEndOfTurn } from './at-end-of-turn.js'

/** Behind what is planned in this turn, microtasks included. */
const endOfTurn = () => new Promise<void>(resolve => queueMicrotask(() => setImmediate(resolve)))

describe('tellSoon', () => {
  it('tells at the end of the turn what came in it, in the order in which it came', async () => {
    const told: string[] = []
    atEndOfTurn({ tell: () => told.push('first') })
    atEndOfTurn({ tell: () => told.push('second') })
    expect(told).toEqual([])
    await endOfTurn()
    expect(told).toEqual(['first', 'second'])
  })

  it('tells behind what the teller plans for the end of the same turn', async () => {
    const done: string[] = []
    atEndOfTurn({ tell: () => done.push('first told') })
    setImmediate(() => done.push('planned by the first'))
    await undefined
    atEndOfTurn({ tell: () => done.push('second told') })
    setImmediate(() => done.push('planned by the second'))
    await endOfTurn()
    expect(done).toEqual(['planned by the first', 'planned by the second', 'first told', 'second told'])
  })

  it('tells although timers were replaced', async () => {
    vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'queueMicrotask'] })
    const told = new Promise<string>(resolve => atEndOfTurn({ tell: () => resolve('told') }))
    await expect(told).resolves.toBe('told')
    vi.useRealTimers()
  })

  it('tells while something is to be told at the end of every turn', async () => {
    const turns = 50
    const told: number[] = []
    let first: number | undefined
    for (let turn = 0; turn < turns; turn += 1) {
      await new Promise<void>(resolve =>
        setImmediate(() => {
          atEndOfTurn({ tell: () => told.push(turn) })
          resolve()
        }),
      )
      if (told.length > 0) first ??= turn
    }
    expect(first).toBeLessThan(5)
    await endOfTurn()
    await endOfTurn()
    expect(told).toEqual(Array.from({ length: turns }, (_, turn) => turn))
  })

  it('tells in the next turn what comes while it tells', async () => {
    const told: string[] = []
    atEndOfTurn({
      tell() {
        told.push('first')
        atEndOfTurn({ tell: () => told.push('second') })
      },
    })
    await endOfTurn()
    expect(told).toEqual(['first'])
    await endOfTurn()
    expect(told).toEqual(['first', 'second'])
  })
})
