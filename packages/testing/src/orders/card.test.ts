import { describe, expect, it } from 'vitest'
import { testCard } from '../fixtures/cards.js'
import { cardBrand, isExpired, readMonth, readYear, storeCard } from './card.js'

const names = { number: 'n', expireMonth: 'm', expireYear: 'y' }

describe('cardBrand', () => {
  it.each([
    ['4444444444444448', 'VISA'],
    ['5555555555554444', 'MASTERCARD'],
    ['2223003122003222', 'MASTERCARD'],
    ['378282246310005', 'AMEX'],
    ['3566002020360505', 'JCB'],
    ['30569309025904', 'DINERS_CLUB'],
    ['6011111111111117', 'DISCOVER'],
    ['6200000000000005', 'UNIONPAY'],
    ['2200000000000053', 'MIR'],
    ['9999999999999995', 'UNKNOWN'],
  ])('%s is %s', (number, brand) => expect(cardBrand(number)).toBe(brand))
})

describe('storeCard', () => {
  it('keeps six and four digits and nothing that gives the rest away', () => {
    const card = storeCard({ number: '4444 4444-4444 4448', expireMonth: '3', expireYear: '31' }, names)
    expect(card).toMatchObject({ bin: '444444', lastFourDigits: '4448', expireMonth: '03', expireYear: '2031' })
    expect(JSON.stringify(card)).not.toContain('44444444')
  })
})

describe('isExpired', () => {
  const card = storeCard({ number: testCard, expireMonth: '3', expireYear: '2031' }, names)

  it('lets a card live to the end of its month', () => {
    expect(isExpired(card, Date.UTC(2031, 2, 31, 23, 59))).toBe(false)
    expect(isExpired(card, Date.UTC(2031, 3, 1))).toBe(true)
  })

  it('takes a card without an expiry for valid', () => {
    expect(isExpired(storeCard({ number: testCard }, names), Date.UTC(2999, 0))).toBe(false)
  })
})

describe('readMonth and readYear', () => {
  it('read what people write', () => {
    expect(['1', '01', '12', '0', '13', 'x'].map(readMonth)).toEqual([
      '01',
      '01',
      '12',
      undefined,
      undefined,
      undefined,
    ])
    expect(['2031', '31', '1', '02031'].map(readYear)).toEqual(['2031', '2031', undefined, undefined])
  })
})
