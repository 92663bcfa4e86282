import { describe, expect, it } from 'vitest'
import { cardFieldOf } from './fields.js'

describe('cardFieldOf', () => {
  it.each([
    ['credit_card_number', 'creditCardNumber'],
    ['credit-card-number', 'creditCardNumber'],
    ['Expire_Month', 'expireMonth'],
    ['CVV2', 'cvv2'],
    ['destination-card-no', 'destinationCardNo'],
  ])('recognizes %s', (name, field) => {
    expect(cardFieldOf(name)).toBe(field)
  })

  it.each(['order_desc', 'cardrefid', '__proto__', ''])('takes %j for no card field', name => {
    expect(cardFieldOf(name)).toBeUndefined()
  })
})
