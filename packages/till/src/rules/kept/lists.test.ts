import { expect, it } from 'vitest'
import { listsFor } from './lists.js'

it('names the lists of a word, the most important first', () => {
  expect(listsFor('failing')).toEqual([
    'surplus+unknown+failing',
    'surplus+open+failing',
    'surplus+form+failing',
    'surplus+failing',
    'needs-person+unknown+failing',
    'needs-person+open+failing',
    'needs-person+form+failing',
    'needs-person+failing',
    'unknown+failing',
    'open+failing',
    'form+failing',
    'failing',
  ])
  expect(listsFor('unmatched')).toEqual(['unmatched'])
  // The words that older releases wrote are read as before.
  expect(listsFor('unknown').at(-1)).toBe('unknown')
  expect(listsFor('needs-person').at(-1)).toBe('needs-person')
})
