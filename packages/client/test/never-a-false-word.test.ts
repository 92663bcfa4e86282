/** Shops that live through everything: a few daily, hundreds in the file beside this one. */
import { expect, it } from 'vitest'
import { hearNoFalseWord } from './false-words.js'

it('a shop that lives through everything hears no false word, and every true one', async () => {
  const all = ['accepted', 'approved', 'declined', 'not-sent', 'refused', 'still-unknown', 'unknown']
  expect(await hearNoFalseWord(['3', '8', '5'])).toEqual(expect.arrayContaining(all))
})
