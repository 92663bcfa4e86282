import { describe, expect, it } from 'vitest'
import { storeClock } from './connection.js'

describe('storeClock', () => {
  it('is the system clock in whole milliseconds', () => {
    let system = 1_000.9
    const clock = storeClock({ system: () => system, monotonic: () => 0 })
    expect(clock.now()).toBe(1_000)
    system = 5_000
    expect(clock.now()).toBe(5_000)
  })

  it('goes on at half speed where the system clock was set back, until that has caught up', () => {
    let [system, monotonic] = [10_000, 0]
    const clock = storeClock({ system: () => system, monotonic: () => monotonic })
    clock.now()
    ;[system, monotonic] = [9_000, 0]
    expect(clock.now()).toBe(10_000)
    ;[system, monotonic] = [9_001, 1]
    expect(clock.now()).toBe(10_000)
    ;[system, monotonic] = [9_002, 2]
    expect(clock.now()).toBe(10_001)
    ;[system, monotonic] = [10_900, 1_900]
    expect(clock.now()).toBe(10_950)
    ;[system, monotonic] = [11_200, 2_200]
    expect(clock.now()).toBe(11_200)
  })

  it('does not undercut what the file has told', () => {
    const clock = storeClock({ system: () => 10, monotonic: () => 0 })
    clock.heard(500)
    clock.heard(400)
    expect(clock.now()).toBe(500)
  })

  it('stands still where its only clock goes back', () => {
    let now = 100
    const only = () => now
    const clock = storeClock({ system: only, monotonic: only })
    clock.now()
    now = 50
    expect(clock.now()).toBe(100)
  })
})
