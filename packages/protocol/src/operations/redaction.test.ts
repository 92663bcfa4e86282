import { describe, expect, it } from 'vitest'
import { defaultProfile } from '../profile/profile.js'
import { createScrubber } from '../redaction/scrub.js'
import { cardNumberFields, redactField, wireNames } from './fields.js'
import { redactPairs } from './reply-fields.js'

const scrubber = createScrubber(() => ({}))
const replyFields = defaultProfile.replyFields.value

describe('redactField', () => {
  const redact = (shownAs: string | undefined, value: string) => redactField({ shownAs, value }, scrubber)

  it('shows identifiers and money whole', () => {
    expect(redact('clientOrderId', 'o-1')).toBe('o-1')
    expect(redact('amount', '10.00')).toBe('10.00')
  })

  it('shows card numbers, e-mail addresses, accounts and addresses in part', () => {
    expect(redact('destinationCardNo', '4444444444444448')).toBe('444444******4448')
    expect(redact('email', 'john@example.com')).toBe('j***@example.com')
    expect(redact('accountNumber', 'DE02120300000000202051')).toBe('***2051')
    for (const field of ['redirectUrl', 'redirectSuccessUrl', 'redirectFailUrl']) {
      expect(redact(field, 'https://shop.example/back/eyJhbGciOi?a=1')).toBe('https://shop.example/***')
    }
  })

  it.each(cardNumberFields)('masks %s, which holds a card number', field => {
    expect(redact(field, '4444444444444448')).toBe('444444******4448')
  })

  it('hides a card number in free text', () => {
    expect(redact('orderDesc', 'tea for 4444-4444-4444-4448')).toBe('tea for 444444******4448')
  })

  it('hides everything that is not on its list', () => {
    const shown = Object.keys(wireNames).filter(field => redact(field, 'abc') !== '***')
    for (const field of [
      'cvv2',
      'hostedFieldsToken',
      'expireMonth',
      'expireYear',
      'cardPrintedName',
      'ssn',
      'birthday',
      'phone',
      'cres',
      'paRes',
    ]) {
      expect(shown).not.toContain(field)
    }
    expect(redact(undefined, 'abc')).toBe('***')
    expect(redact('constructor', 'abc')).toBe('***')
  })
})

describe('redactPairs', () => {
  it('shows what is documented as harmless and hides the rest', () => {
    const raw = {
      status: 'approved',
      'paynet-order-id': '77',
      'error-message': 'card 4444444444444448 declined',
      'redirect-url': 'https://gate.example/form/secret-token',
      'card-exp-month': '11',
      'cardholder-name': 'John Smith',
      html: '<form>',
      'brand-new': 'x',
    }
    expect(Object.fromEntries(redactPairs(Object.entries(raw), { replyFields, scrubber }))).toEqual({
      status: 'approved',
      'paynet-order-id': '77',
      'error-message': 'card 444444******4448 declined',
      'redirect-url': 'https://gate.example/***',
      'card-exp-month': '***',
      'cardholder-name': '***',
      html: '***',
      'brand-new': '***',
    })
  })
})
