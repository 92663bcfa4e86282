import { describe, expect, it } from 'vitest'
import { readFlatObject } from './flat-object.js'

describe('readFlatObject', () => {
  it('keeps every digit, every order and every repetition', () => {
    expect(readFlatObject(' {"b":9223372036854775807,\n"a" : "x\\"\\u0041", "b":-1.50e3,"c":null,"d":true}\n')).toEqual(
      [
        ['b', { json: '9223372036854775807' }],
        ['a', 'x"A'],
        ['b', { json: '-1.50e3' }],
        ['c', { json: 'null' }],
        ['d', { json: 'true' }],
      ],
    )
    expect(readFlatObject('{ }')).toEqual([])
  })

  it.each([
    '',
    'null',
    '[]',
    '{"a":{}}',
    '{"a":[1]}',
    '{"a":"b"',
    '{"a":"b",}',
    '{"a":"b"}x',
    '{a:1}',
    '{"a":"\\x"}',
    '<html>',
  ])('reads nothing from %s', text => {
    expect(readFlatObject(text)).toBeUndefined()
  })
})
