import { afterEach, describe, expect, it, vi } from 'vitest'
import { signatureBaseString } from './signature-base-string.js'

afterEach(() => vi.restoreAllMocks())

describe('signatureBaseString', () => {
  // What is remembered outlives a test file: no other one signs for this host.
  const short = 'https://seen-for-the-first-time.example/'

  it.each([
    ['an address', short, true],
    ['an address of 1024 characters', short + 'a'.repeat(1024 - short.length), true],
    ['a longer one, for memory stays bounded', short + 'a'.repeat(1025 - short.length), false],
    ['one with a query, where a value may be', `${short}?credit_card_number=4444444444444448`, false],
  ])('of %s, remembers what it becomes or not', (_which, address, isRemembered) => {
    const set = vi.spyOn(Map.prototype, 'set')
    signatureBaseString({ method: 'POST', url: new URL(address), parameters: [] })
    expect(set.mock.calls.some(([key]) => key === address)).toBe(isRemembered)
  })
})
