import { describe, expect, it } from 'vitest'
import { stateSecretBytes, stateSecretsOption } from './token.js'

const secret = 'x'.repeat(32)
const problem = (secrets: unknown) => stateSecretsOption(secrets, 'stateSecrets')

describe('stateSecretsOption', () => {
  it.each([
    ['32 characters', secret],
    ['16 characters of two bytes', 'ü'.repeat(16)],
    ['32 bytes', new Uint8Array(32)],
  ])('takes a secret of %s', (_, each) => {
    expect(problem([{ id: 'one', secret: each }])).toBeUndefined()
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
      expect(problem(secrets)).toContain('secret "two" is shorter than 32 bytes')
      if (typeof wrong === 'string' && wrong !== '') expect(problem(secrets)).not.toContain(wrong)
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
    expect(problem(secrets)).toContain('every secret needs an "id" of its own')
  })

  it.each([undefined, null, [], {}, secret])('refuses %j, which is no list of secrets', secrets => {
    expect(problem(secrets)).toContain('"stateSecrets" must be a list')
  })
})

describe('stateSecretBytes', () => {
  it('are those of the text in UTF-8', () => {
    expect([...stateSecretBytes('ü')]).toEqual([0xc3, 0xbc])
  })
})
