import { describe, expect, it } from 'vitest'
import { cardFieldOf, fieldKind } from './fields.js'

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

// Interface specification, section 2; of an operation of your own by the end and the beginning of the name.
describe('fieldKind', () => {
  it.each([
    ['clientOrderId', 'id'],
    ['amount', 'amount'],
    ['creditCardNumber', 'card-number'],
    ['orderDesc', undefined],
    ['walletId', 'id'],
    ['byOwnSn', 'id'],
    ['walletIdea', undefined],
    ['amountOfWallet', 'amount'],
    ['walletamount', undefined],
    ['wallet', undefined],
  ])('is of %s: %s', (field, kind) => {
    expect(fieldKind(field)).toBe(kind)
  })
})
