/** Hundreds of shops that live through everything. */
import { it } from 'vitest'
import { hearNoFalseWord } from './false-words.js'

it('hundreds of shops that live through everything hear no false word', async () => {
  await hearNoFalseWord(Array.from({ length: 300 }, (_, at) => String(at + 1)))
})
