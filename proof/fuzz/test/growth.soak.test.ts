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
    // As the reader of PEM files once looked for the end of a block.
    const examine = (input: Buffer): void => void /-----BEGIN .*?-----END/s.test(input.toString())
    const planted: Parser = {
      name: 'planted',
      written: fc.constant(Buffer.of()),
      tokens: [],
      examine,
      // A whole megabyte would take minutes.
      growing: { beginnings: length => repeated('-----BEGIN ')(length / 8) },
    }
    expect(await tooFastGrowth(planted, 'beginnings')).toMatch(/^planted, beginnings: \d+ bytes take/)
  })
})
