import { expect, it } from 'vitest'
import { recipientOf } from './recipient.js'

// Account numbers of the registries: the examples of the IBAN registry for NL and DE; Luhn's for a card.
it.each([
  [{ accountNumber: 'NL91ABNA0417164300', phone: '+31612345678' }, 'account NL91***4300'],
  [{ accountNumber: 'nl91 abna 0417 1643 00' }, 'account NL91***4300'],
  [{ accountNumber: '0532013000' }, 'account ***3000'],
  [{ accountNumber: '123456789012' }, 'account ***9012'],
  [{ accountNumber: '12345678' }, 'account ***78'],
  [{ accountNumber: '1234' }, 'account ***'],
  [{ creditCardNumber: '4111111111111111', phone: '+31612345678' }, 'card ***1111'],
  [{ phone: '+31612345678' }, 'phone ***5678'],
  [{ accountNumber: '', phone: '' }, undefined],
  [{ email: 'ada@shop.test' }, undefined],
])('of %j is %s', (fields, shown) => {
  expect(recipientOf(fields)).toBe(shown)
})
