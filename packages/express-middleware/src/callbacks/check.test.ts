import { createHash } from 'node:crypto'
import { defineProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { checkCallback } from './check.js'

/** Published vector `control-callback-hosted-fields`: payneteasy/hosted-fields-examples, src/callback.test.ts. */
const controlKeys = 'test-merchant-control'
const control = '652ace404c4dfe8bba069ecee594ec23a89340e1'
const ids = [
  ['status', 'approved'],
  ['orderid', '1234567'],
] as const

describe('checkCallback', () => {
  it('verifies the published callback', () => {
    const parameters = [...ids, ['merchant_order', 'hf-abc'], ['control', control], ['amount', '10.00']] as const
    expect(checkCallback({ parameters, controlKeys })).toEqual({
      kind: 'verified',
      callback: {
        signed: { status: 'approved', orderId: '1234567', clientOrderId: 'hf-abc' },
        unsigned: { amount: '10.00' },
        keyLabel: 'key 1',
      },
    })
  })

  it.each([
    [['client_orderid', 'hf-abc']],
    [
      ['client_orderid', 'hf-abc'],
      ['merchant_order', 'hf-abc'],
    ],
    [
      ['merchant_order', ''],
      ['client_orderid', 'hf-abc'],
    ],
  ])('finds the order id in %j', (...names) => {
    const parameters = [...ids, ...names.map(([name = '', value = '']) => [name, value] as const), ['control', control]]
    for (const kind of ['callback', 'browser-return'] as const) {
      expect(checkCallback({ parameters: parameters as never, controlKeys, kind })).toMatchObject({
        kind: 'verified',
        callback: { signed: { clientOrderId: 'hf-abc' }, unsigned: {} },
      })
    }
  })

  it('takes the text null of a browser return for no error message, and leaves it in a callback', () => {
    const parameters = [...ids, ['client_orderid', 'hf-abc'], ['control', control], ['error_message', 'null']] as const
    const unsigned = (kind: 'callback' | 'browser-return', profile = defineProfile({})) => {
      const verdict = checkCallback({ parameters, controlKeys, kind, profile })
      return verdict.kind === 'verified' ? verdict.callback.unsigned : expect.fail(verdict.explanation)
    }
    expect(unsigned('browser-return')).toEqual({})
    expect(unsigned('callback')).toEqual({ error_message: 'null' })
    expect(unsigned('browser-return', defineProfile({ noErrorMessage: '' }))).toEqual({ error_message: 'null' })
  })

  // Signed as the interface has it, so that the control value is right: only the word stands in the way.
  it.each([
    ['undefined', 'o-1'],
    ['NaN', 'o-1'],
    ['1234567', '[object Object]'],
    ['1234567', ' NULL '],
    ['\u200b', 'o-1'],
  ])('takes orderid %j and merchant_order %j for no ids', (orderId, clientOrderId) => {
    const value = createHash('sha1').update(`approved${orderId}${clientOrderId}${controlKeys}`).digest('hex')
    const parameters = [
      ['status', 'approved'],
      ['orderid', orderId],
      ['merchant_order', clientOrderId],
      ['client_orderid', clientOrderId],
      ['control', value],
    ] as const
    for (const kind of ['callback', 'browser-return'] as const) {
      expect(checkCallback({ parameters, controlKeys, kind })).toMatchObject({
        kind: 'refused',
        reason: 'missing-parameter',
        explanation: expect.stringContaining(orderId === '\u200b' ? 'is empty or blank' : 'which is not an id'),
      })
    }
  })

  it('quotes of such a word no more than of any other text, and no card number', () => {
    const word = `[object 4444 4444 4444 4448 ${'x'.repeat(60_000)}]`
    const verdict = checkCallback({ parameters: [...ids, ['merchant_order', word]], controlKeys })
    const explanation = verdict.kind === 'verified' ? expect.fail() : verdict.explanation
    expect(explanation).toContain('"[object 444444******4448 xxx')
    expect(explanation.length).toBeLessThan(300)
  })

  it('takes names and items from the profile', () => {
    const profile = defineProfile({
      callbackParameters: { status: 'state', orderId: 'id', clientOrderId: ['ref'], control: 'sum' },
      callbackItems: ['status', 'orderId', 'clientOrderId'],
    })
    const parameters = [
      ['state', 'approved'],
      ['id', '1234567'],
      ['ref', 'hf-abc'],
      ['sum', control],
    ] as const
    expect(checkCallback({ parameters, controlKeys, profile })).toMatchObject({ kind: 'verified' })
  })

  it('takes the encoding of the control value from the profile', () => {
    const profile = defineProfile({ controlEncoding: 'hex-upper' })
    const parameters = [...ids, ['merchant_order', 'hf-abc'], ['control', control.toUpperCase()]] as const
    expect(checkCallback({ parameters, controlKeys, profile })).toMatchObject({ kind: 'verified' })
    expect(checkCallback({ parameters, controlKeys })).toMatchObject({ kind: 'refused', reason: 'malformed-control' })
  })

  it.each([
    [['status', 'orderId', 'clientOrderId', 'amount'] as const],
    [['status', 'orderId'] as const],
    [['orderId', 'merchantOrderId'] as const],
  ])('takes no profile that signs more than is known, or less than is given out as signed: %j', callbackItems => {
    const profile = defineProfile({ callbackItems })
    const parameters = [...ids, ['merchant_order', 'hf-abc'], ['control', control]] as const
    expect(() => checkCallback({ parameters, controlKeys, profile })).toThrow(TypeError)
    expect(() => checkCallback({ parameters, controlKeys, profile })).toThrow(
      `whose "callbackItems" are status, orderId, and merchantOrderId or clientOrderId. Found: ${callbackItems.join(', ')}.`,
    )
    const returned = { parameters, controlKeys, kind: 'browser-return' } as const
    expect(checkCallback({ ...returned, profile })).toMatchObject({ kind: 'verified' })
    const itsOwn = defineProfile({ browserReturnItems: callbackItems })
    expect(() => checkCallback({ ...returned, profile: itsOwn })).toThrow('"browserReturnItems"')
  })

  it('keeps what is unsigned as it came, whatever its name', () => {
    const parameters = [
      ...ids,
      ['merchant_order', 'hf-abc'],
      ['control', control],
      ['__proto__', 'polluted'],
      ['constructor', 'c'],
    ] as const
    const verdict = checkCallback({ parameters, controlKeys })
    expect(verdict.kind === 'verified' && Object.entries(verdict.callback.unsigned)).toEqual([
      ['__proto__', 'polluted'],
      ['constructor', 'c'],
    ])
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })

  it('cannot tell a character moved across the border of two items, as the scheme has no separator', () => {
    const parameters = [
      ['status', 'approved'],
      ['orderid', '123456'],
      ['merchant_order', '7hf-abc'],
      ['control', control],
    ] as const
    expect(checkCallback({ parameters, controlKeys })).toMatchObject({ kind: 'verified' })
  })

  it.each([['approved', 'declined'], { a: 'b' }, undefined, 7])('refuses the value %j, whoever made it', value => {
    const parameters = [...ids, ['merchant_order', 'hf-abc'], ['control', value as unknown as string]] as const
    expect(checkCallback({ parameters, controlKeys })).toMatchObject({ kind: 'refused', reason: 'nested-parameter' })
  })

  it('quotes and cuts what the sender wrote', () => {
    const name = `status[\n${'x'.repeat(300)}`
    const verdict = checkCallback({ parameters: [[name, '1'] as const, [name, '2'] as const], controlKeys })
    expect(verdict.kind === 'refused' && verdict.explanation).toBe(
      `The name "status[\\n${'x'.repeat(119)}…" is longer than 128 characters.`,
    )
  })
})
