import { type AnyOperation, defaultProfile, operation, type Reply, wireNames } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { check, expectMistake } from '../../test/checking.js'
import { saleRequest } from '../../test/sample-requests.js'
import { fieldSynonym } from './unknown-fields.js'
import { operationPlan, validateRequest } from './validate-request.js'

const ids = { clientOrderId: 'o-1', orderId: '77' }

describe('checkExtra', () => {
  it('passes fields by wire name, trimmed, undefined left out', () => {
    const request = { ...ids, extra: { fancy_field: ' x ', other: undefined } }
    expect(check('void', request).extra).toEqual([['fancy_field', 'x']])
  })

  it.each([
    [{ oauth_token: 'x' }, 'extra.oauth_token', 'Authorization header'],
    [{ OAuth_Nonce: 'x' }, 'extra.OAuth_Nonce', 'Authorization header'],
    [{ control: 'x' }, 'extra.control', 'computes the control value'],
    [{ Control: 'x' }, 'extra.Control', 'computes the control value'],
    [{ 'client-order-id': 'x' }, 'extra.client-order-id', 'Set the field "clientOrderId"'],
    [{ Amount: '1.00' }, 'extra.Amount', 'Set the field "amount"'],
    [{ orderid: '78' }, 'extra.orderid', 'Set the field "orderId"'],
    [{ client_orderid: 'x' }, 'extra.client_orderid', 'Set the field "clientOrderId"'],
    [{ amount: '1.00' }, 'extra.amount', 'Set the field "amount"'],
    [{ currency: 'EUR' }, 'extra.currency', 'Set the field "currency"'],
    [{ comment: 'twice' }, 'extra.comment', 'Set the field "comment"'],
    [{ login: 'other' }, 'extra.login', 'option of createClient'],
    [{ fancy: 1 }, 'extra.fancy', 'Write it as a string'],
    [{ '': 'x' }, 'extra.', 'empty'],
    ['fancy=1', 'extra', 'must be an object'],
  ])('refuses %j', (extra, field, cure) => {
    expectMistake(() => check('return', { ...ids, comment: 'once', extra }), field, cure)
  })

  it('takes it for no field of an operation that has a wire name for one called so', () => {
    const row = operation<{ readonly clientOrderId: string; readonly extra?: string }, Reply>({
      name: 'NOTE',
      path: '/api/v2/note',
      signing: { scheme: 'oauth-hmac-sha1' },
      effect: 'changes',
      request: 'NoteRequest',
      response: 'AsyncResponse',
      required: ['clientOrderId'],
      stages: [],
      wireNames: { extra: 'extra_note' },
    }) as AnyOperation
    const plan = operationPlan(row, defaultProfile)
    const request = { clientOrderId: 'o-1', extra: { fancy_field: 'x' } }
    expect(validateRequest(plan, request).extra).toEqual([['fancy_field', 'x']])
  })

  it('refuses a login where the body has none', () => {
    expectMistake(
      () => check('sale', { ...saleRequest, extra: { login: 'other' } }),
      'extra.login',
      'option of createClient',
    )
  })
})

describe('fieldSynonym', () => {
  it.each([
    ['iban', 'accountNumber'],
    ['card_number', 'creditCardNumber'],
    ['returnURL', 'redirectUrl'],
    ['constructor', undefined],
    ['fancy', undefined],
  ])('takes %s for %s', (name, ours) => {
    expect(fieldSynonym(name)).toBe(ours)
  })

  it('takes no field of ours for another one, but for the words of replies', () => {
    const taken = Object.keys(wireNames).filter(name => (fieldSynonym(name) ?? name) !== name)
    expect(taken).toEqual([])
  })
})
