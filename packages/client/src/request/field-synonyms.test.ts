import { wireNames } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { fieldSynonym } from './field-synonyms.js'

describe('fieldSynonym', () => {
  it.each([
    ['iban', 'accountNumber'],
    ['card_number', 'creditCardNumber'],
    ['returnURL', 'redirectUrl'],
    ['constructor', undefined],
    ['fancy', undefined],
  ])('takes %s for %s', (name, ours) => {
    expect(fieldSynonym(name)).toBe(ours)
  })

  it('takes no field of ours for another one, but for the words of replies', () => {
    const taken = Object.keys(wireNames).filter(name => (fieldSynonym(name) ?? name) !== name)
    expect(taken).toEqual([])
  })
})
