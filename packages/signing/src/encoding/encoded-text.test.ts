import { describe, expect, it } from 'vitest'
import { addAscii, addEncoded, addEncodedTwice, startText, takeBytes, takeText } from './encoded-text.js'

const card = '4444444444444448'

/** A look at the bytes that every short text is put together in, as long as `text`. */
function look(text: string): Uint8Array {
  startText()
  addEncoded(text)
  return takeBytes(bytes => bytes)
}

const isEmpty = (bytes: Uint8Array): boolean => bytes.length > 0 && bytes.every(byte => byte === 0)

describe('encoded text', () => {
  it('holds what was added, in that order', () => {
    startText()
    addAscii('POST&')
    addEncodedTwice('a b')
    addAscii('&')
    addEncoded('a b')
    expect(takeText()).toBe('POST&a%2520b&a%20b')
  })

  it.each([
    ['once', addEncoded, (text: string) => encodeURIComponent(text)],
    ['twice', addEncodedTwice, (text: string) => encodeURIComponent(encodeURIComponent(text))],
  ])('encodes long texts of any script %s', (_times, add, expected) => {
    for (const text of ['é €', '😀 %', 'a ', 'ÿ', '\u0080'].map(piece => piece.repeat(9_000))) {
      startText()
      addEncoded('start')
      add(text)
      add(text)
      expect(takeText() === `start${expected(text)}${expected(text)}`).toBe(true)
    }
  })

  it('has room for bytes and characters behind a text that fills it', () => {
    for (const filled of [16_383, 16_384]) {
      startText()
      addAscii('a'.repeat(filled))
      addAscii('b')
      addAscii('cd')
      expect(takeText() === `${'a'.repeat(filled)}bcd`).toBe(true)
    }
  })

  it('hands over bytes that are those of the text while they are used', () => {
    startText()
    addEncoded('a=b')
    expect(takeBytes(bytes => Buffer.from(bytes).toString())).toBe('a%3Db')
  })

  it('keeps no bytes of a long text', () => {
    const { buffer } = look('short')
    expect(look('long'.repeat(9_000)).buffer).not.toBe(buffer)
    expect(look('short').buffer).toBe(buffer)
  })

  it('begins with nothing of a text that was never taken', () => {
    startText()
    addEncoded('unfinished')
    startText()
    addEncoded('b')
    expect(takeText()).toBe('b')
  })

  it('begins with nothing of a text that was refused', () => {
    startText()
    addEncoded('refused')
    expect(() => addEncodedTwice('\ud83d')).toThrow(/no UTF-8 form/)
    addEncoded('b')
    expect(takeText()).toBe('b')
  })
})

describe('card data in encoded text', () => {
  it('is gone when the bytes have been used', () => {
    expect(isEmpty(look(card))).toBe(true)
  })

  it('is gone when a long text has been used', () => {
    expect(isEmpty(look(card.repeat(2_000)))).toBe(true)
  })

  it.each([
    ['the text was taken', () => takeText()],
    ['another text starts', () => startText()],
    ['it was refused', () => expect(() => addEncoded('\udc00')).toThrow()],
    ['the text moved to make room, and was taken', () => [addEncoded('a'.repeat(20_000)), takeText()]],
  ])('is gone when %s', (_event, happen) => {
    const bytes = look(card)
    startText()
    addEncoded(card)
    expect(Buffer.from(bytes).toString()).toBe(card)
    happen()
    expect(isEmpty(bytes)).toBe(true)
  })
})
