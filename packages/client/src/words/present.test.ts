import { describe, expect, it } from 'vitest'
import { present } from './present.js'

describe('present', () => {
  it('leaves out what is undefined and keeps everything else, in its order', () => {
    const copy = present({ a: 1, b: undefined, c: null, d: '', e: false, f: 0 })
    expect(Object.entries(copy)).toEqual([
      ['a', 1],
      ['c', null],
      ['d', ''],
      ['e', false],
      ['f', 0],
    ])
  })
})
