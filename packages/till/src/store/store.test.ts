import { describe, expect, it } from 'vitest'
import { checkCount, checkPostpone, StoreError } from './store.js'

const refused = expect.objectContaining({ code: 'ERR_STORE_REFUSED' })

describe('checkPostpone', () => {
  it.each([
    ['a key that is empty', '', 'w', 1],
    ['an id that is empty', 'a', '', 1],
    ['an id with a space', 'a', 'w 1', 1],
    ['an id that is too long', 'a', 'w'.repeat(129), 1],
    ['no date', 'a', 'w', Number.NaN],
    ['half a millisecond', 'a', 'w', 0.5],
  ])('refuses %s', (_, key, after, due) => {
    expect(() => checkPostpone(key, after, due)).toThrow(refused)
  })

  it('takes the longest id and dates before 1970', () => {
    expect(() => checkPostpone('a', 'w'.repeat(128), -1)).not.toThrow()
  })
})

describe('checkCount', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 11])(
    'refuses %s where 1 to 10 are taken, and names it',
    value => {
      const refusal = new StoreError(
        'ERR_STORE_REFUSED',
        `"limit" is ${value}; it must be a whole number from 1 to 10.`,
      )
      expect(() => checkCount('limit', value, 1, 10)).toThrow(refusal)
      expect(() => checkCount('limit', value, 1, 10)).toThrow(refused)
    },
  )

  it('takes both ends', () => {
    for (const value of [1, 10]) expect(() => checkCount('limit', value, 1, 10)).not.toThrow()
  })
})
