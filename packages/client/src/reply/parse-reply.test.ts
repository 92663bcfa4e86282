import { createScrubber, defaultProfile as profile } from '@tillkit/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/any-text.js'
import { cases } from '../../test/soak.js'
import { mediaType } from '../request/form.js'
import { parseReply, readFlatJson } from './parse-reply.js'

const scrubber = createScrubber(() => ({ texts: [], cardNumbers: [], digits: [] }))

const parse = (text: string | Buffer, headers: Record<string, string | string[]> = {}) =>
  parseReply(
    {
      httpStatus: 200,
      headers: { 'content-type': mediaType, ...headers },
      body: Buffer.from(text),
      isTooLong: false,
    },
    { scrubber, profile },
  )

describe('parseReply', () => {
  it('reads numbers as their digits, booleans as text, and leaves null out', () => {
    expect(parse('{"id":9223372036854775807,"amount":10.50,"ok":true,"no":false,"nothing":null}')).toEqual({
      kind: 'reply',
      raw: { id: '9223372036854775807', amount: '10.50', ok: 'true', no: 'false' },
    })
  })

  it('keeps a key __proto__ as a field and changes no prototype', () => {
    const parsed = parse('{"__proto__":"x","status":"approved"}')
    expect(parsed.kind === 'reply' && Object.entries(parsed.raw)).toEqual([
      ['__proto__', 'x'],
      ['status', 'approved'],
    ])
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it.each([
    ['a repeated key with other values', '{"a":"1","a":"2"}'],
    ['a repeated key with equal values', '{"a":"1","b":"x","a":"1"}'],
    ['a repeated key, once escaped', '{"a":"1","\\u0061":"1"}'],
    ['a nested object', '{"a":{}}'],
    ['a nested object for __proto__', '{"__proto__":{"status":"approved"}}'],
    ['a nested list', '{"a":[]}'],
    ['a list', '[]'],
    ['a text', '"approved"'],
    ['null', 'null'],
    ['nothing', ''],
    ['JSON that is cut off', '{"a":"1"'],
    ['two values', '{"a":"1"}{}'],
    ['brackets without end', '['.repeat(200_000)],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('refuses %s', (_what, text) => {
    expect(parse(text)).toMatchObject({ kind: 'unreadable' })
  })

  it('is not confused by colons and quotes within values', () => {
    expect(parse('{"a":"x\\":\\"y","b":"\\\\"}')).toMatchObject({ raw: { a: 'x":"y', b: '\\' } })
  })

  it.each([
    ['text/html', 'is "text/html"'],
    ['application/json', 'is "application/json"'],
    ['application/vnd.pay+jsonp', 'is "application/vnd.pay+jsonp"'],
    [[mediaType, mediaType], 'a proxy'],
  ])('refuses the media type %s', (type, problem) => {
    expect(parse('{}', { 'content-type': type })).toMatchObject({ problem: expect.stringContaining(problem) })
  })

  it('refuses an answer without a media type, a compressed one and one that is too long', () => {
    const answer = { httpStatus: 200, headers: {}, body: Buffer.from('{}'), isTooLong: false }
    expect(parseReply(answer, { scrubber, profile })).toMatchObject({
      problem: expect.stringContaining('has no Content-Type'),
    })
    expect(parse('{}', { 'content-encoding': 'gzip' })).toMatchObject({ kind: 'unreadable' })
    const tooLong = { ...answer, headers: { 'content-type': mediaType }, isTooLong: true }
    expect(parseReply(tooLong, { scrubber, profile })).toMatchObject({
      problem: expect.stringContaining('maxReplyBytes'),
    })
  })
})

const text = anyText()
const scalar = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
const space = fc.stringMatching(/^[ \n\r\t]{0,3}$/)
const spaces = fc.tuple(space, space, space, space)

/** A JSON string, each of its units as an escape. */
const escaped = (value: string): string =>
  `"${value
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')}"`

const shown = (value: string | number | boolean) => (typeof value === 'string' ? value : JSON.stringify(value))

describe('readFlatJson', () => {
  it('reads every flat object, however it is spaced and escaped', () => {
    const pair = fc.record({ name: text, value: scalar, spaces, isEscaped: fc.boolean() })
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: ({ name }) => name }), pairs => {
        const written = pairs.map(({ name, value, spaces: [a, b, c, d], isEscaped }) => {
          const quoted = isEscaped ? escaped(name) : JSON.stringify(name)
          return `${a}${quoted}${b}:${c}${JSON.stringify(value)}${d}`
        })
        const expected = pairs.flatMap(({ name, value }) => (value === null ? [] : [[name, shown(value)]]))
        const read = readFlatJson(` {${written.join(',')}}\n`) ?? {}
        // An object has keys that are whole numbers first.
        expect(Object.entries(read)).toEqual(Object.entries(Object.fromEntries(expected)))
      }),
    )
  })

  it('reads nothing that JSON.parse refuses', () => {
    const piece = fc.oneof(
      fc.constantFrom(...'{}[]":,\\ \n\t-+.eE0123456789\u001f\ud800\ufeff\u00a0'),
      fc.constantFrom('"a":1', '"b":"x"', ',"c":', 'true', 'null', '\\n', '\\u0041', '\\x', '01', '1e5', '.5', '1.'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const object = `{${pieces.join('')}}`
        if (readFlatJson(object) !== undefined) expect(() => JSON.parse(object)).not.toThrow()
      }),
      cases({ daily: 1_000, soak: 50_000 }),
    )
  })

  it('keeps the digits of numbers as they were written', () => {
    expect(readFlatJson('{"id":9223372036854775807,"amount":10.50,"tiny":-1.0E-7}')).toEqual({
      id: '9223372036854775807',
      amount: '10.50',
      tiny: '-1.0E-7',
    })
  })

  it('refuses a line break and other control characters within a text, and takes what comes after them', () => {
    expect(['\n', '\u001f'].map(control => readFlatJson(`{"a":"${control}"}`))).toEqual([undefined, undefined])
    expect(readFlatJson('{"a":" !"}')).toEqual({ a: ' !' })
  })

  it('keeps __proto__ as a key like any other', () => {
    const read = readFlatJson('{"__proto__":"x","a":"y"}') ?? {}
    expect(Object.entries(read)).toEqual([
      ['__proto__', 'x'],
      ['a', 'y'],
    ])
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })

  it.each([
    '{"a":1,"a":2}',
    '{"a":null,"a":null}',
    '{"a":null,"a":1}',
    '{"a":1,"a":null}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":"1","\\u0061":"1"}',
  ])('refuses a key that repeats: %s', given => {
    expect(readFlatJson(given)).toBeUndefined()
  })
})
