import { describe, expect, it } from 'vitest'
import { controlItems } from './items.js'
import { verifyControlValue } from './value.js'

/** The published callback of the gateway's own example. */
const request = {
  items: controlItems.callback,
  values: { status: 'approved', orderId: '1234567', merchantOrderId: 'hf-abc' },
  received: '652ace404c4dfe8bba069ecee594ec23a89340e1',
  controlKeys: 'test-merchant-control',
} as const

describe('verifyControlValue', () => {
  it('verifies the published callback', () => {
    expect(verifyControlValue(request)).toEqual({ kind: 'verified', keyLabel: 'key 1' })
  })

  it('names the key that matched', () => {
    const controlKeys = ['old', { label: 'since May', key: 'test-merchant-control' }, 'new']
    expect(verifyControlValue({ ...request, controlKeys })).toEqual({ kind: 'verified', keyLabel: 'since May' })
  })

  it('names the first when one key is listed twice', () => {
    const controlKeys = [request.controlKeys, { label: 'again', key: request.controlKeys }]
    expect(verifyControlValue({ ...request, controlKeys })).toEqual({ kind: 'verified', keyLabel: 'key 1' })
  })

  it('counts keys without a label by their place', () => {
    const controlKeys = ['old', 'test-merchant-control']
    expect(verifyControlValue({ ...request, controlKeys })).toEqual({ kind: 'verified', keyLabel: 'key 2' })
  })

  it.each(['status', 'orderId', 'merchantOrderId'] as const)('refuses a request whose %s was changed', item => {
    const values = { ...request.values, [item]: `${request.values[item]}0` }
    expect(verifyControlValue({ ...request, values })).toMatchObject({ kind: 'refused', reason: 'mismatch' })
  })

  it('refuses another key, and shows neither key nor control value', () => {
    const verdict = verifyControlValue({ ...request, controlKeys: ['wrong-key', 'wrong-too'] })
    expect(verdict).toMatchObject({ kind: 'refused', reason: 'mismatch' })
    expect(JSON.stringify(verdict)).not.toMatch(/wrong-key|652ace/)
  })

  it('accepts upper case and Base64 when told so', () => {
    const base64 = Buffer.from(request.received, 'hex').toString('base64')
    expect(verifyControlValue({ ...request, received: base64, encoding: 'base64' }).kind).toBe('verified')
    const upper = request.received.toUpperCase()
    expect(verifyControlValue({ ...request, received: upper, encoding: 'hex-upper' }).kind).toBe('verified')
  })

  it('throws when a key of our own has a character in it that nobody sees', () => {
    const controlKeys = [{ label: 'since May', key: 'k\u200bey' }]
    expect(() => verifyControlValue({ ...request, controlKeys })).toThrow('Control key "since May" has U+200B in it')
  })

  it.each([
    ['', 'Control key "key 1" is empty. Check the setting it is read from.'],
    [[''], 'Control key "key 1" is empty. Check the setting it is read from.'],
    [['a', { label: 'b', key: '' }], 'Control key "b" is empty. Check the setting it is read from.'],
    [['a', null], 'Control key "key 2" is empty. Check the setting it is read from.'],
    [['a', { label: 'b', key: 7 }], 'Control key "b" is empty. Check the setting it is read from.'],
    [[], 'No control key was given. Pass the merchant control key.'],
    [undefined, 'No control key was given. Pass the merchant control key.'],
  ])('throws when our own keys are %j', (controlKeys, message) => {
    expect(() => verifyControlValue({ ...request, controlKeys: controlKeys as never })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_KEY', message }),
    )
  })
})

describe('verifyControlValue, robustness', () => {
  it.each([
    ['missing', undefined, 'missing'],
    ['null', null, 'missing'],
    ['empty', '', 'missing'],
    ['truncated', request.received.slice(1), 'malformed'],
    ['too long', `${request.received}0`, 'malformed'],
    ['upper case', request.received.toUpperCase(), 'malformed'],
    ['with a line feed', `${request.received}\n`, 'malformed'],
    ['not hexadecimal', 'g'.repeat(40), 'malformed'],
    ['beyond ASCII', 'é'.repeat(40), 'malformed'],
    ['repeated', [request.received, request.received], 'malformed'],
    ['an object', { toString: (): string => '652ace404c4dfe8bba069ecee594ec23a89340e1' }, 'malformed'],
    ['a megabyte', 'a'.repeat(1_000_000), 'malformed'],
  ])('refuses a control value that is %s', (_name, received, reason) => {
    const verdict = verifyControlValue({ ...request, received: received as string })
    expect(verdict).toMatchObject({ kind: 'refused', reason })
    if (reason === 'missing') expect(verdict).toHaveProperty('explanation', 'There is no control value.')
  })

  it.each([
    ['missing', undefined],
    ['repeated', ['approved', 'declined']],
    ['a number', 1],
    ['half of a surrogate pair', '\ud83d'],
  ])('refuses an item that is %s', (_name, status) => {
    const values = { ...request.values, status: status as string }
    const verdict = verifyControlValue({ ...request, values })
    expect(verdict).toMatchObject({ kind: 'refused', reason: 'malformed' })
    expect(verdict).toHaveProperty('explanation', expect.stringContaining('"status"'))
  })

  it.each([
    ['repeated', ['a', 'b'], 'of type list (sent more than once)'],
    ['truncated', 'ab', '2 characters long'],
    ['upper case', request.received.toUpperCase(), '40 characters long in another letter case'],
    ['long', `${request.received}0`, '41 characters long'],
    ['wrapped', { toString: (): string => '652ace' }, 'of type object'],
  ])('says of a %s control value what came', (_name, received, what) => {
    const verdict = verifyControlValue({ ...request, received: received as string })
    expect(verdict).toHaveProperty('explanation', expect.stringContaining(`what came is ${what}.`))
  })

  it('names a key that has no label by its place', () => {
    const controlKeys = [{ key: 'another key' }, { key: request.controlKeys }]
    expect(verifyControlValue({ ...request, controlKeys })).toEqual({ kind: 'verified', keyLabel: 'key 2' })
  })

  it('lets neither line breaks nor megabytes of the sender into an explanation', () => {
    for (const amount of ['1\nINFO payment verified', '9'.repeat(5_000_000)]) {
      const values = { amount: `${amount}x` }
      const verdict = verifyControlValue({ ...request, items: ['amount'], values })
      expect(verdict).toMatchObject({ reason: 'malformed', explanation: expect.not.stringContaining('\n') })
      expect(JSON.stringify(verdict).length).toBeLessThan(400)
    }
  })

  it('refuses values that are no object', () => {
    expect(verifyControlValue({ ...request, values: undefined as never })).toMatchObject({ reason: 'malformed' })
  })

  it('refuses a request whose items are all empty, although its control value is right', () => {
    const values = { status: '', orderId: '', merchantOrderId: '' }
    const received = '1a66987ac24e927ff2979f83a41cb818936a9e62'
    expect(verifyControlValue({ ...request, values, received })).toEqual({
      kind: 'refused',
      reason: 'malformed',
      explanation: 'Every item is empty (status, orderId, merchantOrderId): such a control value proves nothing.',
    })
  })

  it.each([
    ['the control key', ['another key']],
    ['any of 2 control keys', ['another key', 'a third one']],
  ])('says that a forged one matches not %s', (named, controlKeys) => {
    const verdict = verifyControlValue({ ...request, controlKeys })
    expect(verdict).toHaveProperty(
      'explanation',
      `The control value does not match ${named}. Items covered: status, orderId, merchantOrderId. ` +
        'One of them was altered, or the sender uses another key.',
    )
  })

  it('refuses Base64 with stray bits', () => {
    const base64 = Buffer.from(request.received, 'hex').toString('base64').replace(/.=$/, 'F=')
    expect(verifyControlValue({ ...request, received: base64, encoding: 'base64' })).toMatchObject({
      reason: 'malformed',
    })
  })
})
