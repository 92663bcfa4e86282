import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rows } from '../../test/soak.js'
import { createScrubber, excerpt, show } from './scrub.js'

const scrubberOf = (month: string, year: string) =>
  createScrubber(() => ({
    texts: ['B17F59B4-A7DC', 'abc'],
    cardNumbers: ['4444444444444448'],
    digits: ['123', '2083', '12x', 'x123', '12'],
    expiry: { month, year },
  }))
const scrubber = scrubberOf('3', '2083')

describe('createScrubber', () => {
  it('takes long secrets out of identifiers and leaves short ones', () => {
    expect(scrubber.exact('id-B17F59B4-A7DC-4444444444444448-123-abc')).toBe('id-***-444444******4448-123-abc')
  })

  it('masks a card number that is the whole text', () => {
    expect(scrubber.exact('4444444444444448')).toBe('444444******4448')
  })

  it.each([
    ['CVV 123 is wrong', 'CVV *** is wrong'],
    ['order 91234', 'order 91234'],
    ['expires 3/83', 'expires ***'],
    ['expires 03/2083', 'expires ***'],
    ['expires 0383', 'expires ***'],
    ['expires 03-83, 2083', 'expires ***, ***'],
    ['another card 4111 1111 1111 1111', 'another card 411111******1111'],
    ['typed 4444 4444 4444 4448', 'typed 444444******4448'],
    ['sent 4444%204444%204444%204448', 'sent 444444******4448'],
    ['sent 4444+4444+4444+4448', 'sent 444444******4448'],
    ['typed 4444.4444.4444.4448', 'typed 444444******4448'],
    ['typed 4444\u00a04444\u00a04444\u00a04448', 'typed 444444******4448'],
    ['typed 4444  4444\n4444 - 4448', 'typed 444444******4448'],
    ['typed 4444/4444–4444_4448', 'typed 444444******4448'],
    ['sent 4444%2D4444%C2%A04444%2d4448', 'sent 444444******4448'],
    ['typed 4444\u200b4444\u00ad4444\ufeff4448', 'typed 444444******4448'],
    ['sent %34444%E2%80%8B4444%25204444-%2534448', 'sent 444444******4448'],
    ['another 4111\u200b1111\u200b1111%31111', 'another 411111******1111'],
    ['another 4111%2D1111.1111\u00a01111', 'another 411111******1111'],
    ['at 2026-01-05 12:34:56, 4111', 'at 2026-01-05 12:34:56, 4111'],
    ['no card 4111 1111 1111 1112', 'no card 4111 1111 1111 1112'],
  ])('makes of %s: %s', (text, clean) => {
    expect(scrubberOf('3', '2083').prose(text)).toBe(clean)
  })

  it.each([
    ['3', '2083', 'until 3 / 83, 3.83, 03 - 2083', 'until ***, ***, ***'],
    ['3', '2083', 'until 13/83, 3/834', 'until 13/83, 3/834'],
    ['10', '83', 'until 10/83, 10/84', 'until ***, 10/84'],
    ['11', '2083', 'until 11/83', 'until ***'],
    ['x3', '83', 'until x3/83', 'until x3/83'],
    ['3x', '83', 'until 3x/83', 'until 3x/83'],
    ['123', '83', 'until 123/83', 'until ***/83'],
    ['3', 'x83', 'until 3/83', 'until 3/83'],
    ['3', '83x', 'until 3/3x', 'until 3/3x'],
    ['3', '8', 'until 3/8', 'until 3/8'],
    ['', '', 'until 3/83', 'until 3/83'],
  ])('of an expiry %j/%j makes of %s: %s', (month, year, text, clean) => {
    expect(scrubberOf(month, year).prose(text)).toBe(clean)
  })

  it('hides digits of three or more that stand alone, and short secrets of letters nowhere', () => {
    expect(scrubberOf('', '').prose('123 12 12x x123 1234 abc')).toBe('*** 12 12x x*** 1234 abc')
  })

  it('hides the longest first', () => {
    const own = createScrubber(() => ({ texts: ['secret', 'secret-word', 'words'] }))
    expect(own.exact('a secret-word of words')).toBe('a *** of words')
  })

  it('masks a number of six digits, and none of five', () => {
    const own = createScrubber(() => ({ cardNumbers: ['123456', '98765'] }))
    expect(own.exact('1-2-3-4-5-6')).not.toContain('1-2-3-4-5-6')
    expect(own.exact('9-8-7-6-5')).toBe('9-8-7-6-5')
    expect(own.exact('6-5-4-3-2-1')).toBe('6-5-4-3-2-1')
  })

  it('has nothing to hide where there are no secrets', () => {
    expect(createScrubber(() => ({})).prose('secret 123 11/83')).toBe('secret 123 11/83')
  })

  // Work in proportion to the square of the text takes minutes, and the test runs into its time limit.
  it.each(
    rows({ daily: ['3   ', 'a@', 'B17F59B4-'], soak: ['3', ' ', '3 ', '3/', '4 ', '4444 ', '4%20', '%20', '\t'] }),
  )('createScrubber, prose: works in proportion to a text of a quarter of a million characters of "%s"', part => {
    const text = `3${part.repeat(Math.ceil(262_144 / part.length))}x`
    expect(scrubber.prose(text)).toMatch(/x$/)
    expect(excerpt(text, { scrubber, most: 1000 }).length).toBeLessThanOrEqual(1000)
    expect(excerpt(`3${' '.repeat(16_000)}x`, { scrubber, most: 20 })).toBe('3…')
  })

  it('leaves nothing of a secret that is cut off', () => {
    const own = createScrubber(() => ({
      texts: ['B17F59B4-A7DC'],
      cardNumbers: ['4444444444444448'],
      digits: [],
      unshown: () => ['Jane Mary Doe'],
    }))
    expect(own.broken('sent 4444 4444 4444 44')).toBe('sent')
    expect(own.broken('sent 4444 - 4444 - 44')).toBe('sent')
    expect(own.broken('sent B17F59')).toBe('sent')
    expect(own.broken('sent B17F59B4-A7DC by Jane Mary D')).toBe('sent *** by')
    expect(own.broken('x'.repeat(500))).toBe('')
  })

  it('scrubs before it cuts', () => {
    for (let before = 0; before < 60; before += 1) {
      const shown = excerpt(`${'x'.repeat(before)} B17F59B4-A7DC 4444444444444448`, { scrubber, most: 40 })
      expect(shown).not.toMatch(/B17F|4{7}/)
    }
  })

  it('takes what is not shown elsewhere out of free text, in any encoding of a form', () => {
    const own = createScrubber(() => ({
      texts: [],
      cardNumbers: [],
      digits: [],
      unshown: () => ['jane doe@example.com', 'true'],
    }))
    const text = 'jane doe@example.com, jane%20doe%40example.com, jane+doe%40example.com, true'
    expect(own.prose(text)).toBe('***, ***, ***, true')
    expect(own.exact('jane doe@example.com')).toBe('jane doe@example.com')
  })
})

describe('a scrubber', () => {
  it('takes every long secret out of an id, whatever stands between its digits', () => {
    const texts = ['B17F59B4-A7DC', 'abc', '']
    const own = createScrubber(() => ({ texts, cardNumbers: ['4444 4444-4444 4448', '1'] }))
    const piece = fc.constantFrom('B17F59B4-A7DC', 'B17F', 'abc', '4444444444444448', '4444', '%20', '-', '8', 'x')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), pieces => {
        const shown = own.exact(pieces.join(''))
        expect(shown).not.toContain('B17F59B4-A7DC')
        expect(shown.replace(/%20|-/g, '')).not.toContain('4444444444444448')
      }),
    )
    expect(own.exact('4444-4444%204444 4448')).toBe('444444******4448')
    expect(own.exact('00000000-0000-0000-0000-000002d9b22a')).toBe('00000000-0000-0000-0000-000002d9b22a')
  })

  it('asks for secrets once, and for values that are not shown only for free text', () => {
    const asked: string[] = []
    const own = createScrubber(() => {
      asked.push('secrets')
      return { texts: ['B17F59B4-A7DC'], unshown: () => (asked.push('unshown') === 0 ? [] : ['Jane Doe']) }
    })
    expect(asked).toEqual([])
    expect(own.exact('id-B17F59B4-A7DC')).toBe('id-***')
    expect(asked).toEqual(['secrets'])
    expect([own.prose('Jane Doe'), own.prose('x'), own.exact('x')]).toEqual(['***', 'x', 'x'])
    expect(asked).toEqual(['secrets', 'unshown'])
  })
})

describe('show', () => {
  it.each([
    ['jane@shop.test', 'email', 'j***@shop.test'],
    ['j@a@shop.test', 'email', 'j***@shop.test'],
    ['@shop.test', 'email', '***@shop.test'],
    ['ja\nne@shop.test', 'email', 'j***@shop.test'],
    ['jane', 'email', '***'],
    ['https://shop.test:8080/a?token=1', 'origin', 'https://shop.test:8080/***'],
    ['shop.test', 'origin', '***'],
    ['id-1', 'whole', 'id-1'],
    ['id-123', 'prose', 'id-***'],
    ['4444444444444448', 'card-number', '444444******4448'],
    ['4444444444444448', 'last-four', '***4448'],
    ['id-1', undefined, '***'],
  ] as const)('of %j, as %s, %j', (value, as, shown) => {
    expect(show(value, { as, scrubber: scrubberOf('', '') })).toBe(shown)
  })
})
