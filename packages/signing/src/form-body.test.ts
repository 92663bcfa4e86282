import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formBody } from './form-body.js'
import { percentEncode } from './percent-encoding.js'
import { encodeForm } from './request-parameters.js'

describe('formBody', () => {
  it('encodes names and values', () => {
    const body = formBody([
      { name: 'client_orderid', value: '902B4FF5' },
      { name: 'a b', value: 'thank you! é' },
    ])
    expect(String(body)).toBe('client_orderid=902B4FF5&a%20b=thank%20you%21%20%C3%A9')
  })

  it('gives no bytes for no fields', () => {
    expect(formBody([])).toHaveLength(0)
  })

  it('says the same as encodeForm', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), pairs => {
        const fields = pairs.map(([name, value]) => ({ name, value }))
        expect(String(formBody(fields))).toBe(encodeForm(pairs))
        const withHeads = fields.map(field => ({ ...field, head: `&${percentEncode(field.name)}=` }))
        expect(String(formBody(withHeads))).toBe(encodeForm(pairs))
      }),
    )
  })

  it('leaves the bytes of an earlier form alone', () => {
    const first = formBody([{ name: 'a', value: '1' }])
    formBody([{ name: 'b', value: '2' }])
    expect(String(first)).toBe('a=1')
  })

  it('refuses half of a surrogate pair, and goes on with the next form', () => {
    expect(() => formBody([{ name: 'a', value: 'x\ud83d' }])).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: 'a' }),
    )
    expect(String(formBody([{ name: 'b', value: '2' }]))).toBe('b=2')
  })
})
