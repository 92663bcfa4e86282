import { describe, expect, it } from 'vitest'
import { checkCount, checkPostpone, StoreError } from './store.js'

const refused = expect.objectContaining({ code: 'ERR_STORE_REFUSED' })

describe('checkPostpone', () => {
  it.each([
    ['a key that is empty', '', 1, 1],
    ['a version below 0', 'a', -1, 1],
    ['half a version', 'a', 1.5, 1],
    ['no date', 'a', 1, Number.NaN],
    ['half a millisecond', 'a', 1, 0.5],
  ])('refuses %s', (_, key, version, due) => {
    expect(() => checkPostpone(key, version, due)).toThrow(refused)
  })

  it('takes version 0 and dates before 1970', () => {
    expect(() => checkPostpone('a', 0, -1)).not.toThrow()
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
