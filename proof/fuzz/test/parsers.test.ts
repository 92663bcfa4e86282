/** Some inputs for each parser, the same each day, and all that ever broke a promise. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../packages/protocol/test/soak.js'
import { attempt, Broken, cardNumber, type Parser, promiseQuiet, promiseSame, secret } from '../src/parser.js'
import { inputsOf, kept, parsers } from '../src/parsers/all.js'

/** Parsers that make and use keys, or read files. */
const slow: readonly string[] = ['pem', 'profile', 'gateway-config', 'history', 'reply']

describe.each(parsers.map(each => [each.name, each] as const))('the parser of outside bytes %s', (name, parser) => {
  it('keeps its promises, whatever comes', async () => {
    const property = fc.asyncProperty(inputsOf(parser), async input => parser.examine(input))
    await fc.assert(property, cases({ daily: slow.includes(name) ? 50 : 150, soak: 1_000 }))
  })

  it('keeps them for all that ever broke one', async () => {
    for (const [file, input] of kept(name))
      await expect(Promise.resolve(parser.examine(input)), file).resolves.not.toThrow()
  })
})

describe('a promise that is broken', () => {
  const planted = (examine: Parser['examine']) =>
    fc.check(
      fc.asyncProperty(inputsOf({ ...(parsers[0] as Parser), name: 'planted' }), async input => examine(input)),
      {
        seed: 1,
        numRuns: 300,
      },
    )

  it('is found where a parser throws another error than it documents', async () => {
    const read = (input: Buffer) => JSON.parse(input.toString())
    expect(
      (
        await planted(input =>
          attempt(
            () => read(input),
            error => error instanceof TypeError,
          ),
        )
      ).failed,
    ).toBe(true)
    expect(
      (
        await planted(input =>
          attempt(
            () => read(input),
            error => error instanceof SyntaxError,
          ),
        )
      ).failed,
    ).toBe(true)
  })

  it.each([
    `The key is ${secret}.`,
    `The card is ${cardNumber}.`,
    'The card is 4444 5555-6666 1111.',
    'one line\nand another',
    'clears the screen \u009b2J',
    new Error('quiet', { cause: new Error(`not so quiet: ${secret}`) }),
    { reason: 'mismatch', explanation: cardNumber },
  ])('is found where it shows %o', said => {
    expect(() => promiseQuiet(said)).toThrow(Broken)
  })

  it.each(['The card is 444455******1111.', 'The order is 44445555666611114444555566661111.', '"a\\nb"'])(
    'is not found in %j',
    said => {
      expect(() => promiseQuiet(said)).not.toThrow()
    },
  )

  it('is found where another value is read than was written', () => {
    expect(() => promiseSame({ a: 1, b: [2] }, { b: [2], a: 1 }, 'differs')).not.toThrow()
    expect(() => promiseSame({ a: [1, 2] }, { a: [2, 1] }, 'differs')).toThrow('differs')
  })
})
