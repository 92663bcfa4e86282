import { describe, expect, it } from 'vitest'
import { parseAuthorizationHeader } from './received-header.js'

describe('parseAuthorizationHeader', () => {
  it('decodes names and values and keeps repetitions', () => {
    expect(parseAuthorizationHeader('OAuth realm="", a="b%20c",a="d", %65=""')).toEqual({
      realm: '',
      parameters: [
        ['a', 'b c'],
        ['a', 'd'],
        ['e', ''],
      ],
    })
  })

  it.each([
    [16_384, 1],
    [16_385, undefined],
  ])('of a header of %i characters, reads so many parameters: %s', (length, parameters) => {
    const header = `OAuth a="${'b'.repeat(length - 'OAuth a=""'.length)}"`
    expect(parseAuthorizationHeader(header)?.parameters.length).toBe(parameters)
  })

  // RFC 9110 section 5.6.1.2.
  it.each(['', ' ', ' \t'])('passes over an empty last element that is followed by %j', end => {
    expect(parseAuthorizationHeader(`OAuth  a="b",${end}`)).toEqual({ parameters: [['a', 'b']] })
  })

  it('reads a realm as it stands where it is not percent-encoded', () => {
    expect(parseAuthorizationHeader('OAuth realm="50% off", a="b"')).toEqual({
      realm: '50% off',
      parameters: [['a', 'b']],
    })
  })

  it.each([
    '',
    'OAuth',
    'Basic dXNlcjp3b3Jk',
    'Bearer a="b"',
    'OAutha="b"',
    'my OAuth a="b"',
    'OAuth a=b',
    'OAuth a="b',
    'OAuth a="b" c="d"',
    'OAuth a="%"',
    'OAuth %="a"',
    'OAuth a="%FF"',
    'OAuth ,a="b"',
    'OAuth realm="a", realm="b"',
    `OAuth a="${'b'.repeat(20_000)}"`,
    undefined,
    ['OAuth a="b"'],
    {},
  ])('gives undefined for %j', text => {
    expect(parseAuthorizationHeader(text as string)).toBeUndefined()
  })
})
