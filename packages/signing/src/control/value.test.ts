import { describe, expect, it } from 'vitest'
import type { InvalidInputError, SigningError } from '../errors.js'
import { controlItems } from './items.js'
import { controlString, controlValue } from './value.js'

const key = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const values = { endpointId: '1111', clientOrderId: '902B4FF5', amount: '1042', email: 'john.smith@gmail.com' }

const errorOf = (run: () => unknown): InvalidInputError => {
  try {
    run()
  } catch (error) {
    return error as InvalidInputError
  }
  throw new Error('nothing was thrown')
}

describe('controlItems', () => {
  it('cannot be changed, not even a row', () => {
    expect(Object.values(controlItems).every(Object.isFrozen) && Object.isFrozen(controlItems)).toBe(true)
  })
})

describe('controlString', () => {
  it('joins the items in the order of the table, whatever the order of the values, and the key last', () => {
    const { email, amount, clientOrderId, endpointId } = values
    expect(controlString(controlItems.sale, { email, amount, clientOrderId, endpointId }, key)).toBe(
      `1111902B4FF51042john.smith@gmail.com${key}`,
    )
  })

  it('takes the items of an operation of your own', () => {
    expect(controlString(['walletId'], { walletId: '7' }, 'k')).toBe('7k')
  })

  it('names a missing item and says when it may be empty', () => {
    const error = errorOf(() => controlString(['login', 'orderId'], { login: 'a' } as never, key))
    expect(error).toMatchObject({ code: 'ERR_INVALID_INPUT', field: 'orderId' })
    expect(error.message).toMatch(/"orderId" is missing.*'' for what section 5\.1/)
  })

  it.each([
    ['a number', 1042, 'of type number'],
    ['a list', ['1042'], 'a list'],
    ['null', null, 'is null'],
  ])('refuses %s', (_name, amount, text) => {
    expect(errorOf(() => controlString(['amount'], { amount } as never, key)).message).toContain(text)
  })

  it('does not take an inherited property for a value', () => {
    expect(errorOf(() => controlString(['constructor'], {} as never, key)).field).toBe('constructor')
  })

  it.each(['10.42', '01042', '05', '00', '-1', '+1', '1e3', '1,042', ' 1', '１'])(
    'refuses the amount %j and says what is right',
    amount => {
      const error = errorOf(() => controlString(controlItems.sale, { ...values, amount }, key))
      expect(error.field).toBe('amount')
      expect(error.message).toContain('10.42 becomes 1042')
    },
  )

  it.each(['0', '1', ''])('accepts the amount %j', amount => {
    expect(controlString(['amount'], { amount }, 'k')).toBe(`${amount}k`)
  })

  it('refuses half of a surrogate pair, which SHA-1 would see as another character', () => {
    expect(errorOf(() => controlString(['email'], { email: '\ud83d' }, key))).toMatchObject({
      field: 'email',
      message: 'Control item "email" holds half of a surrogate pair: it has no UTF-8 form.',
    })
  })

  it.each(['', undefined])('refuses the control key %j', empty => {
    const error: SigningError = errorOf(() => controlString(['email'], { email: 'a' }, empty as string))
    expect(error).toMatchObject({
      code: 'ERR_INVALID_KEY',
      message: 'The control key is empty. Check the setting it is read from.',
    })
  })

  // Unicode Standard, UnicodeData.txt and DerivedCoreProperties.txt: Cc, Cf, Cf, Cf, Cf, Default_Ignorable_Code_Point.
  it.each(['\n', '\u200b', '\u00ad', '\ufeff', '\u{e0001}', '\u3164'])(
    'refuses a control key with %j in it, and shows neither',
    unseen => {
      const error = errorOf(() =>
        controlString(controlItems.sale, values, `${key.slice(0, 9)}${unseen}${key.slice(9)}`),
      )
      const code = unseen.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
      expect(error).toMatchObject({
        code: 'ERR_INVALID_KEY',
        message: expect.stringContaining(`The control key has U+${code} in it`),
      })
      expect(error.message).not.toContain('B17F')
    },
  )

  it('takes a control key with white space and letters of other scripts, which can be seen', () => {
    expect(controlString(['walletId'], { walletId: '7' }, 'ключ №1 é')).toBe('7ключ №1 é')
  })

  it('never puts the control key into an error', () => {
    expect(errorOf(() => controlString(controlItems.sale, { ...values, amount: '1.0' }, key)).message).not.toContain(
      key,
    )
  })
})

describe('controlValue', () => {
  // The digest is the published one; printf %s '1111902B4FF51042john.smith@gmail.comB17F…' | openssl dgst -sha1 -binary | base64
  it.each([
    ['hex-lower', 'c6bdd88a78834ef4b863b088827a459f039e8257'],
    ['hex-upper', 'C6BDD88A78834EF4B863B088827A459F039E8257'],
    ['base64', 'xr3YiniDTvS4Y7CIgnpFnwOeglc='],
  ] as const)('writes the digest as %s', (encoding, expected) => {
    expect(controlValue(controlItems.sale, values, key, { encoding })).toBe(expected)
  })
})
