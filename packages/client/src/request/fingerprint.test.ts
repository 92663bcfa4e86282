import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { formOf, type Pair } from '../../test/form-of.js'
import type { Settings } from '../config/settings.js'
import { requestFingerprint } from './fingerprint.js'

const addressOf = (text: string) => {
  const url = new URL(text)
  return { origin: url.origin, path: url.pathname }
}
const address = addressOf('https://gate.example/paynet/api/v2/sale/39')
const baseUrl = { prefix: '/paynet' }
const settings = { profile: defaultProfile, controlKey: 'key', privateKey: undefined, login: 'm', baseUrl } as Settings
const order = { name: 'client_orderid', value: 'o-1', field: 'clientOrderId' }
const amount = { name: 'amount', value: '10.00', field: 'amount' }
const card = { name: 'credit_card_number', value: '4444444444444448', field: 'creditCardNumber' }
const of = (form: readonly Pair[], using = settings) => requestFingerprint({ address, form: formOf(form) }, using)

describe('requestFingerprint', () => {
  it('is the digest of path and fields, each after its length', () => {
    const description = { name: 'order_desc', value: 'Größe 9', field: 'orderDesc' }
    // In Python: hmac.new(sha256(b'tillkit attempt fingerprint\nkey').hexdigest().encode(), text.encode(), 'sha256'), with the
    // text '/api/v2/sale/39\n6:amount5:10.00\n14:client_orderid3:o-1\n10:order_desc7:Größe 9'.
    expect(of([order, amount, card, description])).toBe(
      '165571e6b01815704048a85634621a63f6c8a4192ae4d4c387c3bbf864e61ddb',
    )
  })

  it('does not depend on the order of values that have one name', () => {
    const extra = (value: string) => ({ name: 'note', value })
    const first = of([extra('a'), order, extra('b')])
    expect(of([extra('b'), order, extra('a')])).toBe(first)
    expect(of([extra('b'), extra('a'), order])).toBe(first)
    expect(of([extra('b'), order, extra('b')])).not.toBe(first)
  })

  it('tells forms of the same names apart by their card fields', () => {
    const named = (field: string | undefined) => [order, { name: 'number', value: '4444', field }]
    const forms = [named('creditCardNumber'), named(undefined), named('creditCardNumber')]
    const [first, second, third] = forms.map(form => of(form))
    expect(first).toBe(of([order]))
    expect(second).not.toBe(first)
    expect(third).toBe(first)
  })

  it('lets no value pass for another field', () => {
    const one = { name: 'a', value: '1\n1:b1:2', field: undefined }
    const two = [
      { name: 'a', value: '1', field: undefined },
      { name: 'b', value: '2', field: undefined },
    ]
    expect(of([one])).not.toBe(of(two))
  })

  it('does not depend on the order of fields or on the card', () => {
    expect(of([amount, order, card])).toBe(of([order, amount]))
    expect(of([order, amount, { name: 'credit-card-number', value: '1', field: 'creditCardNumber' }])).toBe(
      of([order, amount]),
    )
  })

  it('does not depend on the address that the browser comes back to', () => {
    const back = (value: string) => ({ name: 'redirect_url', value, field: 'redirectUrl' })
    expect(of([order, back('https://shop.example/return/a')])).toBe(of([order, back('https://shop.example/return/b')]))
  })

  it('depends on content, address and key', () => {
    const all = [
      of([order]),
      of([order, amount]),
      of([order], { ...settings, controlKey: 'other' }),
      requestFingerprint(
        { address: addressOf('https://gate.example/api/v2/sale/40'), form: formOf([order]) },
        settings,
      ),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})
