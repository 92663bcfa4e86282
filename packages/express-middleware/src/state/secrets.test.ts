import { describe, expect, it } from 'vitest'
import { checkStateSecrets, type StateSecrets, stateSecretBytes } from './secrets.js'

const secret = 'x'.repeat(32)
const check = (secrets: unknown) => () => checkStateSecrets(secrets as StateSecrets)

describe('checkStateSecrets', () => {
  it.each([
    ['32 characters', secret],
    ['16 characters of two bytes', 'ü'.repeat(16)],
    ['32 bytes', new Uint8Array(32)],
  ])('takes a secret of %s', (_, each) => {
    expect(check([{ id: 'one', secret: each }])).not.toThrow()
  })

  it.each([
    ['31 characters', 'x'.repeat(31)],
    ['31 bytes', new Uint8Array(31)],
    ['nothing', ''],
    ['no text', 10 ** 40],
    ['a list', [secret]],
    ['no value', undefined],
    ['null', null],
  ])('refuses a secret of %s, in whatever place, and does not show it', (_, wrong) => {
    for (const secrets of [
      [{ id: 'two', secret: wrong }],
      [
        { id: 'one', secret },
        { id: 'two', secret: wrong },
      ],
    ]) {
      expect(check(secrets)).toThrow(TypeError)
      expect(check(secrets)).toThrow('secret "two" is shorter than 32 bytes')
      if (typeof wrong === 'string' && wrong !== '') expect(check(secrets)).not.toThrow(wrong)
    }
  })

  it.each([
    ['none', [{ secret }]],
    ['an empty one', [{ id: '', secret }]],
    ['a number', [{ id: 1, secret }]],
    [
      'that of another secret',
      [
        { id: 'one', secret },
        { id: 'one', secret: 'y'.repeat(32) },
      ],
    ],
  ])('refuses an id that is %s', (_, secrets) => {
    expect(check(secrets)).toThrow('every secret needs an "id" of its own')
  })

  it.each([undefined, null, [], {}, secret])('refuses %j, which is no list of secrets', secrets => {
    expect(check(secrets)).toThrow('"stateSecrets" must be a list')
  })
})

describe('stateSecretBytes', () => {
  it('are those of the text in UTF-8', () => {
    expect([...stateSecretBytes('ü')]).toEqual([0xc3, 0xbc])
  })
})
