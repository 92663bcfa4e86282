/** Forty shops that live through everything. */
import { it } from 'vitest'
import { hearNoFalseWord } from './false-words.js'

it.each([0, 20])('twenty shops that live through everything, after the first %i, hear no false word', async first => {
  await hearNoFalseWord(Array.from({ length: 20 }, (_, at) => String(first + at + 1)))
})
