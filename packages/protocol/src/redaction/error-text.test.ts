import { describe, expect, it } from 'vitest'
import { errorText } from './error-text.js'

class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code = '23505'
}

describe('errorText', () => {
  it.each<[string, unknown, string]>([
    ['name and message', new TypeError('x is no function'), 'TypeError: x is no function'],
    ['the code', new DatabaseError('duplicate key'), 'DatabaseError 23505: duplicate key'],
    ['what is no error', 'locked', 'locked'],
    ['an error without a message', new Error(''), 'Error'],
    ['nothing', undefined, 'It is not said what was thrown.'],
    ['no card number', new Error('card 4444 4444 4444 4448 of joan'), 'Error: card 444444******4448 of joan'],
    [
      'no e-mail address',
      new Error('Key (email)=(joan@customer.example) is there'),
      'Error: Key (email)=(***) is there',
    ],
    [
      'no password',
      new Error('no route to postgres://shop:secret@db/shop'),
      'Error: no route to postgres://***@db/shop',
    ],
    [
      'no password with a slash or an at sign',
      new Error('no route to postgres://shop:a/hunter2@b/c@db/shop of joan'),
      'Error: no route to postgres://***@db/shop of joan',
    ],
    ['the path of a module', new Error('no file:///app/@shop/b.js'), 'Error: no file:///app/@shop/b.js'],
    [
      'no value that Node.js repeats',
      Object.assign(new TypeError("Received type string ('hunter2')"), { code: 'ERR_INVALID_ARG_TYPE' }),
      'TypeError ERR_INVALID_ARG_TYPE',
    ],
    ['a code that is a number', { name: 'E', code: 5, message: true }, 'E 5'],
    ['what only ends as Node.js does', { code: 'X_ERR_OUT_OF_RANGE', message: 'no' }, 'X_ERR_OUT_OF_RANGE: no'],
    ['no password at the very beginning', '//user:word@host', '//***@host'],
    ['an at sign before an address', 'a@b//c', '***//c'],
    ['one line', new Error('first\n\u001b[31m second\u202e'), 'Error: first [31m second'],
    ['no name that is a text', { name: 'joan baker wrote this', message: 'no' }, 'no'],
  ])('gives %s', (_, thrown, text) => {
    expect(errorText(thrown)).toBe(text)
  })

  it('errorText: is at most 200 characters, and shows no part of a card number, wherever it is cut', () => {
    // Texts are cut after 200 characters, and long ones after 2,000 as well.
    const around = (most: number) => Array.from({ length: 60 }, (_, at) => most - 40 + at)
    for (const before of [...around(200), ...around(1_000), ...around(2_000)]) {
      const text = errorText(new Error(`${'a'.repeat(before % 7)}${' '.repeat(before)}4444444444444448`))
      expect(text.length).toBeLessThanOrEqual(200)
      expect(text).not.toMatch(/4{7}/)
    }
    expect(errorText(new Error('x'.repeat(1_000_000)))).toHaveLength(200)
  })

  it('does not throw for what cannot be read', () => {
    const trap = {
      get message(): string {
        throw new Error('no')
      },
    }
    expect(errorText(trap)).toBe('What was thrown cannot be read.')
  })
})
