import { describe, expect, it } from 'vitest'
import { refuseUnseen, unseenProblem, withoutUnseen } from './unseen.js'

// Unicode Standard, UnicodeData.txt and DerivedCoreProperties.txt: Cc, Cf, Default_Ignorable_Code_Point, and one beyond the first plane.
describe.each([
  ['\n', 'U+000A'],
  ['\u200b', 'U+200B'],
  ['\u3164', 'U+3164'],
  ['\u{e0001}', 'U+E0001'],
])('%j', (character, code) => {
  const text = `a${character}b`
  const problem = `has ${code} in it, a character that nobody sees and that came along when it was copied. Delete it from the setting.`

  it('is named, and refused in a key', () => {
    expect(unseenProblem(text)).toBe(problem)
    expect(() => refuseUnseen('The key', text)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_KEY', message: `The key ${problem}` }),
    )
  })

  it('is left out', () => {
    expect(withoutUnseen(`${text}${character}`)).toBe('ab')
  })
})

it('finds nothing in text that can be seen', () => {
  expect(unseenProblem('ключ №1 é')).toBeUndefined()
  expect(() => refuseUnseen('The key', 'ключ №1 é')).not.toThrow()
})
