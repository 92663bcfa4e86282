import { describe, expect, it } from 'vitest'
import { shortened } from './shortened.js'

describe('shortened', () => {
  // Counted by hand: a text of at most so many characters, of whole words, and one sign for the rest.
  it.each([
    ['one two', 7, 'one two'],
    ['one two three', 8, 'one two…'],
    ['one two three', 9, 'one two…'],
    ['one two three', 12, 'one two…'],
    ['one two three', 13, 'one two three'],
    ['one.  Two', 6, 'one.…'],
    ['abcd fgh ij', 7, 'abcd…'],
    [' abcd fgh', 8, 'abcd…'],
    ['abcd e fgh', 7, 'abcd e…'],
    ['abcd efgh', 8, 'abcd ef…'],
    ['🫖abcdefgh', 6, '🫖abc…'],
    ['abcd🫖x', 6, 'abcd…'],
    ['a word-that-is-long', 10, 'a word-th…'],
    ['x'.repeat(30), 10, 'xxxxxxxxx…'],
  ])('%j within %d characters is %j', (text, most, expected) => {
    expect(shortened(text, most)).toBe(expected)
  })
})
