import { describe, expect, it } from 'vitest'
import { couldBe, redactParameters, redactText, redactValue } from './redact.js'

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

describe('couldBe', () => {
  it.each([
    ['a***@shop.test', 'ada@shop.test', true],
    ['a***@shop.test', 'bob@shop.test', false],
    ['444444******4448', '4444444444444448', true],
    ['444444******4448', '5555555555554444', false],
    ['***', 'anything at all', true],
    ['1.0', '100', false],
    ['(***', '(x', true],
  ])('%s for %s: %s', (shown, value, expected) => expect(couldBe(shown, value)).toBe(expected))
})
