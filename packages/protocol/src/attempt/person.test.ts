import { describe, expect, it } from 'vitest'
import { isSamePerson, readPerson, readPersonIfGiven } from './person.js'

const person = { who: 'anna', why: 'ticket 7' }
const cure = {
  who: 'Say who decides, by the login of your session, in one line of at most 100 characters.',
  why: 'Say why, such as a ticket, in one line of at most 500 characters.',
}

describe('readPerson', () => {
  it('trims both', () => {
    expect(readPerson('decide', { who: ' anna ', why: '\tticket 7\n' })).toEqual(person)
  })

  it('takes the longest that is allowed', () => {
    const longest = { who: 'a'.repeat(100), why: 'b'.repeat(500) }
    expect(readPerson('decide', longest)).toEqual(longest)
    const padded = { who: `${longest.who}${' '.repeat(100)}`, why: longest.why }
    expect(readPerson('decide', padded)).toEqual(longest)
  })

  it('masks what looks like a card number', () => {
    expect(readPerson('decide', { ...person, why: 'card 4444333322221111' }).why).not.toContain('4444333322221111')
  })

  it.each([
    ['who', undefined, 'is no text'],
    ['why', 7, 'is no text'],
    ['who', '', 'is empty'],
    ['why', ' \u200b ', 'is empty'],
    ['who', 'a'.repeat(101), 'has 101 characters'],
    ['who', ' '.repeat(201), 'has 201 characters'],
    ['why', 'b'.repeat(501), 'has 501 characters'],
    ['why', 'a\nb', 'has a line break or another control character'],
    ['who', 'a\u202eb', 'has characters that turn text around'],
    ['who', 'a\u2066b', 'has characters that turn text around'],
  ] as const)('refuses a wrong "%s": %j', (field, value, problem) => {
    const given = { ...person, [field]: value } as never
    expect(() => readPerson('decide', given)).toThrow(new TypeError(`decide: "${field}" ${problem}. ${cure[field]}`))
  })

  it('refuses nobody', () => {
    expect(() => readPerson('decide', undefined as never)).toThrow('decide: "who" is no text.')
  })
})

describe('readPersonIfGiven', () => {
  it('gives undefined where neither is given, and asks for the other where one is', () => {
    expect(readPersonIfGiven('decide', {})).toBeUndefined()
    expect(readPersonIfGiven('decide', person)).toEqual(person)
    expect(() => readPersonIfGiven('decide', { who: 'anna' })).toThrow('"why" is no text')
    expect(() => readPersonIfGiven('decide', { why: 'ticket 7' })).toThrow('"who" is no text')
  })
})

// Unicode Standard Annex 15: compatibility forms of one letter are the same under NFKC.
it.each([
  ['Anna', 'anna', true],
  [' an  na', 'anna\u200b', true],
  ['\uff21nna', 'anna', true],
  ['anna', 'hanna', false],
  ['anna', '\u0430nna', false],
])('%j and %j are one person: %s', (one, other, expected) => {
  expect(isSamePerson({ who: one }, { who: other })).toBe(expected)
})
