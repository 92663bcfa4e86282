/** No parser takes more than in proportion to what comes. `npm run fuzz` gives each one random inputs as well. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tooFastGrowth } from '../src/growth.js'
import { repeated } from '../src/inputs.js'
import type { Parser } from '../src/parser.js'
import { parsers } from '../src/parsers/all.js'

/** `npm run fuzz -- --growth` measures all of them, which takes minutes on a busy machine. */
const quick: readonly string[] = ['authorization', 'curl', 'pem', 'state']
const growing = parsers
  .filter(({ name }) => quick.includes(name))
  .flatMap(parser => Object.keys(parser.growing).map(name => [parser.name, name, parser] as const))

describe('the time for twice the bytes', () => {
  it.each(growing)('is about twice as long: %s, %s', async (_, name, parser) => {
    expect(await tooFastGrowth(parser, name)).toBeUndefined()
  })

  it('is seen where it is four times as long', async () => {
    // A clock that counts steps: another program that takes a core meanwhile changes nothing.
    let steps = 0
    const planted: Parser = {
      name: 'planted',
      written: fc.constant(Buffer.of()),
      tokens: [],
      // The reader of PEM files once looked for the end of a block to the end of the text, from each beginning.
      examine: ({ length }) => {
        steps += (length / 1000) ** 2
      },
      growing: { beginnings: repeated('-----BEGIN ') },
    }
    expect(await tooFastGrowth(planted, 'beginnings', () => steps)).toMatch(/^planted, beginnings: \d+ bytes take/)
  })
})
