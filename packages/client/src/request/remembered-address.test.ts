import { describe, expect, it } from 'vitest'
import { rememberedAddress } from './remembered-address.js'

describe('rememberedAddress', () => {
  it('parses an address once, and forgets it among many others', () => {
    const first = rememberedAddress('https://gate.example/api/v2/sale/1')
    expect(rememberedAddress('https://gate.example/api/v2/sale/1')).toBe(first)
    for (let endpoint = 2; endpoint < 1_000; endpoint += 1)
      rememberedAddress(`https://gate.example/api/v2/sale/${endpoint}`)
    const again = rememberedAddress('https://gate.example/api/v2/sale/1')
    expect(again).not.toBe(first)
    expect(again.url.href).toBe('https://gate.example/api/v2/sale/1')
  })
})
