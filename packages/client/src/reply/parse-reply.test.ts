import { createScrubber, defaultProfile as profile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { mediaType, parseReply } from './parse-reply.js'

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
      readable: true,
      raw: { id: '9223372036854775807', amount: '10.50', ok: 'true', no: 'false' },
    })
  })

  it('keeps a key __proto__ as a field and changes no prototype', () => {
    const parsed = parse('{"__proto__":"x","status":"approved"}')
    expect(parsed.readable && Object.entries(parsed.raw)).toEqual([
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
    expect(parse(text)).toMatchObject({ readable: false })
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
    expect(parse('{}', { 'content-encoding': 'gzip' })).toMatchObject({ readable: false })
    const tooLong = { ...answer, headers: { 'content-type': mediaType }, isTooLong: true }
    expect(parseReply(tooLong, { scrubber, profile })).toMatchObject({
      problem: expect.stringContaining('maxReplyBytes'),
    })
  })
})
