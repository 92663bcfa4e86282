/** A key with a changed character is refused: every fifth character here, a few of them in `private-key.test.ts`. */
import { describe } from 'vitest'
import { damageCharacters } from './damage-characters.js'

describe('importPrivateKey', () => {
  damageCharacters({ step: 5 })
})
