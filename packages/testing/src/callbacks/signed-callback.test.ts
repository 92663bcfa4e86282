import { defineProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { signedCallback } from './signed-callback.js'

const callback = {
  controlKey: 'test-merchant-control',
  status: 'approved',
  orderId: '1234567',
  clientOrderId: 'hf-abc',
}

describe('signedCallback', () => {
  it('makes the published control value', () => {
    // payneteasy/hosted-fields-examples, nodejs-express-ts-js/src/callback.test.ts
    const { parameters } = signedCallback(callback)
    expect(parameters).toEqual([
      ['status', 'approved'],
      ['orderid', '1234567'],
      ['merchant_order', 'hf-abc'],
      ['client_orderid', 'hf-abc'],
      ['control', '652ace404c4dfe8bba069ecee594ec23a89340e1'],
    ])
  })

  it('adds its parameters to an address that has some', () => {
    const { url } = signedCallback({ ...callback, extra: { amount: '10.00', name: 'A & B' } })
    const address = url('http://127.0.0.1:3000/callback?shop=7')
    expect(address.pathname).toBe('/callback')
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ shop: '7', amount: '10.00', name: 'A & B' })
    expect(address.searchParams.get('control')).toBe('652ace404c4dfe8bba069ecee594ec23a89340e1')
    expect(url(new URL('http://127.0.0.1/')).search).toMatch(/^\?status=approved&/)
  })

  it('is what the browser posts as well, by the names and items of its own', () => {
    const profile = defineProfile({ browserReturnItems: ['orderId', 'status'] })
    const returned = signedCallback({ ...callback, kind: 'browserReturn', profile, extra: { error_message: 'null' } })
    const posted = new URLSearchParams(returned.body)
    expect([...posted]).toEqual(returned.parameters)
    expect(posted.get('error_message')).toBe('null')
    // printf '1234567approvedtest-merchant-control' | openssl sha1
    expect(posted.get('control')).toBe('c160b8471812943c048375511b4b60f9002e0295')
    expect(new URLSearchParams(signedCallback({ ...callback, profile }).body).get('control')).toBe(
      '652ace404c4dfe8bba069ecee594ec23a89340e1',
    )
  })

  it('follows the profile', () => {
    const profile = defineProfile({
      callbackParameters: { status: 'state', orderId: 'id', clientOrderId: ['mine'], control: 'digest' },
      controlEncoding: 'hex-upper',
    })
    expect(signedCallback({ ...callback, profile }).parameters).toEqual([
      ['state', 'approved'],
      ['id', '1234567'],
      ['mine', 'hf-abc'],
      ['digest', '652ACE404C4DFE8BBA069ECEE594EC23A89340E1'],
    ])
  })
})
