import { describe, expect, it } from 'vitest'
import { httpDate, retryAfterOf } from './reply-times.js'

// The one time that RFC 9110 section 5.6.7 writes in all three forms; `date -u -d '1994-11-06 08:49:37' +%s` says the seconds.
const written = ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994']
const time = 784_111_777_000

describe('httpDate', () => {
  it.each(written)('reads "%s"', text => {
    expect(httpDate(text)).toBe(time)
  })

  it.each(['', '2.5', '-5', '1994', '1994-11-06T08:49:37Z', 'Sun', 'Sun, 99 Nov 1994 08:49:37 GMT'])(
    'reads no time from "%s"',
    text => {
      expect(httpDate(text)).toBeUndefined()
    },
  )
})

describe('retryAfterOf, RFC 9110 section 10.2.3', () => {
  const read = (headers: Record<string, string | string[]>, now = time) => retryAfterOf({ headers }, () => now)

  it('reads seconds', () => {
    expect(read({ 'retry-after': '120' })).toBe(120)
    expect(read({ 'retry-after': '0' })).toBe(0)
  })

  it('counts a time from the Date of the answer, and without one from our clock', () => {
    const later = { 'retry-after': 'Sun, 06 Nov 1994 08:50:37 GMT' }
    expect(read({ ...later, date: 'Sun, 06 Nov 1994 08:49:37 GMT' }, time + 9_999_000)).toBe(60)
    expect(read(later, time + 500)).toBe(60)
  })

  it('asks for no wait by a time that is over', () => {
    expect(read({ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, time + 1)).toBe(0)
  })

  it.each<Record<string, string | string[]>>([
    {},
    { 'retry-after': 'soon' },
    { 'retry-after': '1.5' },
    { 'retry-after': '-1' },
    { 'retry-after': ['1', '2'] },
  ])('reads nothing from %o', headers => {
    expect(read(headers)).toBeUndefined()
  })
})
