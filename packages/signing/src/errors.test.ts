import { describe, expect, it } from 'vitest'
import { InvalidInputError, InvalidKeyError, quoted, refuse, shown } from './errors.js'

describe('quoted', () => {
  it.each([
    ['', '""'],
    ['order-1', '"order-1"'],
    ['say "so"', '"say \\"so\\""'],
    ['1\nINFO payment verified', '"1\\nINFO payment verified"'],
    ['\u001b[2J\u009b2J\u2028\u007f', '"\\u001b[2J\\u009b2J\\u2028\\u007f"'],
    ['a'.repeat(64), `"${'a'.repeat(64)}"`],
    ['a'.repeat(65), `"${'a'.repeat(64)}"…`],
  ])('shows %j as %s', (text, written) => {
    expect(quoted(text)).toBe(written)
  })
})

describe('the two errors', () => {
  it('have a code, a name and the cause that they were given', () => {
    const cause = new Error('why')
    const input = new InvalidInputError('amount', 'It is none.', { cause })
    expect(input).toMatchObject({ name: 'InvalidInputError', code: 'ERR_INVALID_INPUT', field: 'amount', cause })
    expect(new InvalidKeyError('It is none.')).toMatchObject({ name: 'InvalidKeyError', code: 'ERR_INVALID_KEY' })
  })
})

describe('refuse', () => {
  it('says why to programs and to people', () => {
    expect(refuse('stale', 'It is old.')).toEqual({ kind: 'refused', reason: 'stale', explanation: 'It is old.' })
  })
})

describe('shown', () => {
  it.each([
    ['text', '"text"'],
    [null, 'null'],
    [undefined, 'undefined'],
    [['a secret'], 'a list'],
    [{ a: 'secret' }, 'of type object'],
    [4, 'of type number'],
  ])('says of %j: %s', (value, expected) => {
    expect(shown(value)).toBe(expected)
  })
})
