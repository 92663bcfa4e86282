import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { requestFingerprint } from './fingerprint.js'
import { rememberedAddress } from './remembered-address.js'
import type { Settings } from './settings.js'

const address = rememberedAddress('https://gate.example/api/v2/sale/39')
const settings = { profile: defaultProfile, controlKey: 'key', privateKey: undefined, login: 'm' } as Settings
const order = { name: 'client_orderid', value: 'o-1', field: 'clientOrderId' }
const amount = { name: 'amount', value: '10.00', field: 'amount' }
const card = { name: 'credit_card_number', value: '4444444444444448', field: 'creditCardNumber' }
const of = (form: Parameters<typeof requestFingerprint>[0]['form'], using = settings) =>
  requestFingerprint({ address, form }, using)

describe('requestFingerprint', () => {
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
        { address: rememberedAddress('https://gate.example/api/v2/sale/40'), form: [order] },
        settings,
      ),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})
