import { describe, expect, it, vi } from 'vitest'
import { lazy } from './lazy.js'

describe('whenNeeded', () => {
  it('does nothing until it is asked, and then its work once', () => {
    const work = vi.fn(() => ({ done: true }))
    const result = lazy(work)
    expect(work).not.toHaveBeenCalled()
    expect(result()).toBe(result())
    expect(work).toHaveBeenCalledTimes(1)
  })

  it('does its work once where the result is an empty text', () => {
    const work = vi.fn(() => '')
    const result = lazy(work)
    expect([result(), result(), work.mock.calls.length]).toEqual(['', '', 1])
  })
})
