/** What the gateway's books may come to at last. */
import { expect, it } from 'vitest'
import { booksAfter, type Exploration } from '../src/change/change.js'

const held = ['', 'capture 10 approved', 'void 10 approved']

it.each<[string, Exploration, readonly string[]]>([
  [
    'a part and the rest are returned, or one of them',
    { pair: 'a part, and the whole', trouble: 'no trouble' },
    ['', 'cup 3 approved', 'cup 3 approved, whole 7 approved', 'whole 10 approved'],
  ],
  [
    'the whole is given back after it failed, once status has shown that',
    { pair: 'the whole twice', trouble: 'a change that fails', asks: 1 },
    ['', 'whole 10 approved', 'whole 10 declined', 'whole 10 declined, whole 10 approved'],
  ],
  [
    'held money is captured in two parts, or at once',
    { pair: 'a capture of a part, and of the whole', trouble: 'no trouble' },
    ['', 'capture 10 approved', 'parcel 3 approved', 'parcel 3 approved, capture 7 approved'],
  ],
  ['held money is captured or released', { pair: 'a capture, and a void', trouble: 'no trouble' }, held],
  [
    'the rest of held money is released after a part was captured',
    { pair: 'a capture of a part, and a void', trouble: 'no trouble' },
    ['', 'parcel 3 approved', 'parcel 3 approved, void 7 approved', 'void 10 approved'],
  ],
])('%s', (_, exploration, books) => {
  expect(booksAfter(exploration)).toEqual(books)
})
