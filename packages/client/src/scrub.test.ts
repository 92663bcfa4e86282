import { describe, expect, it } from 'vitest'
import { createScrubber } from './scrub.js'

const scrubber = createScrubber({
  texts: ['B17F59B4-A7DC', 'abc'],
  cardNumbers: ['4444444444444448'],
  digits: ['123', '2083'],
  expiry: { month: '3', year: '2083' },
})

describe('createScrubber', () => {
  it('takes long secrets out of identifiers and leaves short ones', () => {
    expect(scrubber.exact('id-B17F59B4-A7DC-4444444444444448-123-abc')).toBe('id-***-444444******4448-123-abc')
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
    ['no card 4111 1111 1111 1112', 'no card 4111 1111 1111 1112'],
  ])('makes of %s: %s', (text, clean) => {
    expect(scrubber.prose(text)).toBe(clean)
  })

  it('takes what is not shown elsewhere out of free text, in any encoding of a form', () => {
    const own = createScrubber({
      texts: [],
      cardNumbers: [],
      digits: [],
      unshown: () => ['jane doe@example.com', 'true'],
    })
    const text = 'jane doe@example.com, jane%20doe%40example.com, jane+doe%40example.com, true'
    expect(own.prose(text)).toBe('***, ***, ***, true')
    expect(own.exact('jane doe@example.com')).toBe('jane doe@example.com')
  })
})
