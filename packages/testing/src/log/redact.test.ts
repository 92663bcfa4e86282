import { describe, expect, it } from 'vitest'
import { finishParameters, keepParameters, redactParameters, redactText, redactValue } from './redact.js'

const redaction = { controlKeys: ['the-control-key'], controlField: 'control' }

describe('redactValue', () => {
  it.each([
    ['control', 'c6bdd88a', '<control value>'],
    ['credit_card_number', '4444444444444448', '444444******4448'],
    ['destination-card-no', '5555 5555 5555 4444', '555555******4444'],
    ['credit_card_number', '44444444', '***'],
    ['cvv2', '123', '<hidden>'],
    ['expire_year', '2031', '<hidden>'],
    ['card-exp-month', '12', '<hidden>'],
    ['cres', 'eyJ', '<hidden>'],
    ['paRes', 'eJx', '<hidden>'],
    ['nobody_knows_this', 'secret', '<6 characters>'],
    ['amount', '10.00', '10.00'],
    ['order_desc', 'card 4444-4444-4444-4448, key the-control-key', 'card 444444******4448, key <control key>'],
    ['orderid', '9007199254740993', '9007199254740993'],
    ['email', '', ''],
    ['cvv2', '', ''],
  ])('%s %s becomes %s', (name, value, expected) => expect(redactValue([name, value], redaction)).toBe(expected))
})

describe('redactParameters', () => {
  it('masks a name that is a card number', () => {
    expect(redactParameters([['4444444444444448', 'x']], redaction)).toEqual([['444444******4448', '<1 characters>']])
  })
})

describe('redactText', () => {
  it('leaves digits alone that are no card number', () => {
    expect(redactText('order 9007199254740993 of 2031', redaction)).toBe('order 9007199254740993 of 2031')
  })
})

describe('keepParameters', () => {
  const sent = [
    ['credit_card_number', '4444444444444448'],
    ['cvv2', '731'],
    ['expire_year', '2031'],
    ['control', 'c6bdd88a'],
    ['nobody_knows_this', 'secret'],
    ['5555555555554444', 'x'],
    ['order_desc', 'a\u0000b, card 4444-4444-4444-4448'],
    ['email', ''],
  ] as const

  it('holds no declared card data, control value or value of an unknown name, from the first call on', () => {
    for (const _ of [1, 2]) {
      const kept = keepParameters(sent, redaction)
      for (const secret of ['4444444444444448', '731', '2031', 'c6bdd88a', 'secret', '5555555555554444']) {
        expect(kept).not.toContain(secret)
      }
    }
  })

  it('becomes what redaction at once would have made, a NUL shown by its picture', () => {
    const shown = redactParameters(sent, redaction).map(([name, value]) => [name, value.replace('\u0000', '\u2400')])
    for (const _ of [1, 2]) expect(finishParameters(keepParameters(sent, redaction), redaction)).toEqual(shown)
    expect(finishParameters(keepParameters([], redaction), redaction)).toEqual([])
  })
})
