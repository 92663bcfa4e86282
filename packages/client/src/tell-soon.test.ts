import { describe, expect, it, vi } from 'vitest'
import { tellSoon } from './tell-soon.js'

const endOfTurn = () => new Promise<void>(resolve => setImmediate(resolve))

describe('tellSoon', () => {
  it('tells at the end of the turn what came in it, in the order in which it came', async () => {
    const told: string[] = []
    tellSoon(() => told.push('first'))
    tellSoon(() => told.push('second'))
    expect(told).toEqual([])
    await endOfTurn()
    expect(told).toEqual(['first', 'second'])
  })

  it('tells although timers were replaced', async () => {
    vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout'] })
    const told = new Promise<string>(resolve => tellSoon(() => resolve('told')))
    await expect(told).resolves.toBe('told')
    vi.useRealTimers()
  })

  it('tells in the next turn what comes while it tells', async () => {
    const told: string[] = []
    tellSoon(() => {
      told.push('first')
      tellSoon(() => told.push('second'))
    })
    await endOfTurn()
    expect(told).toEqual(['first'])
    await endOfTurn()
    expect(told).toEqual(['first', 'second'])
  })
})
