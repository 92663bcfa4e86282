import { describe, expect, it } from 'vitest'
import { rememberedUrl } from './remembered-url.js'

describe('rememberedUrl', () => {
  it('parses an address once, and forgets it among many others', () => {
    const first = rememberedUrl('https://gate.example/api/v2/sale/1')
    expect(rememberedUrl('https://gate.example/api/v2/sale/1')).toBe(first)
    for (let endpoint = 2; endpoint < 1_000; endpoint += 1)
      rememberedUrl(`https://gate.example/api/v2/sale/${endpoint}`)
    const again = rememberedUrl('https://gate.example/api/v2/sale/1')
    expect(again).not.toBe(first)
    expect(again.href).toBe('https://gate.example/api/v2/sale/1')
  })
})
