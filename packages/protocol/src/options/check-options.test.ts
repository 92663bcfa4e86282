import { describe, expect, it } from 'vitest'
import {
  aCount,
  aFlag,
  aFunction,
  anObjectWith,
  aText,
  checkedLater,
  checkOptions,
  describeValue,
  nearName,
  nested,
  type OptionTable,
  oneOfWords,
  optionProblem,
  required,
} from './check-options.js'

interface Options {
  readonly login: string
  readonly timeout?: number
  readonly wait?: () => void
  readonly isTest?: boolean
  readonly mode?: 'a' | 'b'
  readonly port?: object
  readonly polling?: { readonly attempts?: number }
  readonly anything?: unknown
}

const table: OptionTable<Options> = {
  login: required(aText),
  timeout: aCount({ unit: 'milliseconds' }),
  wait: aFunction,
  isTest: aFlag,
  mode: oneOfWords('a', 'b'),
  port: anObjectWith(['read', 'write'], 'aPort()'),
  polling: nested({ attempts: aCount({ least: 0, most: 9 }) }),
  anything: checkedLater,
}

const problemOf = (options: object) => optionProblem('createThing', options as Options, table)?.problem
const login = 'merchant'

describe('optionProblem', () => {
  it('finds nothing in options that are right', () => {
    const port = { read: () => 0, write: () => 0 }
    expect(
      problemOf({ login, timeout: 1, wait: () => 0, isTest: true, mode: 'b', port, polling: { attempts: 0 } }),
    ).toBeUndefined()
    expect(problemOf({ login, polling: { attempts: 9 } })).toBeUndefined()
  })

  it('lets every option be left out, or be undefined, that is not required', () => {
    expect(problemOf({ login, timeout: undefined, polling: undefined, port: undefined })).toBeUndefined()
  })

  it.each<[object, string]>([
    [{ login, timeuot: 1 }, 'createThing has no option "timeuot". Did you mean "timeout"?'],
    [
      { login, x: 1 },
      'createThing has no option "x". It has: login, timeout, wait, isTest, mode, port, polling, anything.',
    ],
    [{}, '"login" is missing.'],
    [{ login: '' }, '"login" is ""; it must be a text that is not empty.'],
    [{ login: 5 }, '"login" is 5; it must be a text that is not empty.'],
    [
      { login, ['x'.repeat(70)]: 1 },
      `createThing has no option "${'x'.repeat(60)}". It has: login, timeout, wait, isTest, mode, port, polling, anything.`,
    ],
    [{ login, timeout: 0 }, '"timeout" is 0; it must be a whole number of milliseconds from 1 to 2147483647.'],
    [{ login, timeout: '1' }, '"timeout" is "1"; it must be a whole number of milliseconds from 1 to 2147483647.'],
    [
      { login, timeout: Number.NaN },
      '"timeout" is NaN; it must be a whole number of milliseconds from 1 to 2147483647.',
    ],
    [{ login, wait: null }, '"wait" is null; it must be a function.'],
    [{ login, isTest: 'false' }, '"isTest" is "false"; it must be true or false.'],
    [{ login, mode: 'c' }, '"mode" is "c"; it must be "a" or "b".'],
    [{ login, port: { read: () => 0 } }, '"port" has no method "write". Pass aPort().'],
    [{ login, port: 5 }, '"port" has no method "read". Pass aPort().'],
    [{ login, port: null }, '"port" has no method "read". Pass aPort().'],
    [{ login, polling: 3 }, '"polling" needs an object with options. It has: attempts.'],
    [{ login, polling: { attempts: 10 } }, '"polling.attempts" is 10; it must be a whole number from 0 to 9.'],
    [{ login, polling: { atempts: 1 } }, '"polling" has no option "atempts". Did you mean "attempts"?'],
  ])('says what is wrong with %j', (options, problem) => {
    expect(problemOf(options)).toBe(problem)
  })

  it('does not show a key that was put in the wrong place', () => {
    expect(problemOf({ login, timeout: 'AF4B5DE6-3468-424C-A922-C1DAD7CB4509' })).not.toContain('AF4B5DE6')
  })

  it('names the option', () => {
    expect(optionProblem('createThing', { login, timeout: 0 } as Options, table)?.option).toBe('timeout')
  })

  it.each([undefined, null, 'options'])('asks for an object when it gets %j', options => {
    expect(problemOf(options as never)).toMatch(/^createThing needs an object with options\. It has: login, /)
  })
})

describe('checkOptions', () => {
  it('throws a TypeError with the problem', () => {
    expect(() => checkOptions('createThing', {} as Options, table)).toThrow(new TypeError('"login" is missing.'))
  })

  it('throws nothing where all is right', () => {
    expect(() => checkOptions('createThing', { login }, table)).not.toThrow()
  })
})

describe('nearName', () => {
  it.each([
    ['client_order_id', 'clientOrderId'],
    ['amuont', 'amount'],
    ['emial', 'email'],
    ['zzzzzz', undefined],
    ['a', undefined],
    ['amountxx', 'amount'],
    ['xemail', 'email'],
    ['mount', 'amount'],
    ['amnt', 'amount'],
  ])('takes %s for %s', (name, meant) => {
    expect(nearName(name, ['clientOrderId', 'amount', 'email'])).toBe(meant)
  })

  // Levenshtein distances counted by hand.
  it.each([
    ['the nearest, not the first', 'amoun', ['amin', 'amount'], 'amount'],
    ['none two edits away from two letters', 'ab', ['cd'], undefined],
    ['none three edits away', 'kittens', ['sitting'], undefined],
    ['a long name that differs in separators', 'a_'.repeat(21), ['A'.repeat(21)], 'A'.repeat(21)],
    ['a name of forty letters', 'a'.repeat(40), ['a'.repeat(39)], 'a'.repeat(39)],
    ['nothing like a name of forty-one letters', 'a'.repeat(41), ['a'.repeat(40)], undefined],
  ])('finds %s', (_what, name, names, meant) => {
    expect(nearName(name, names)).toBe(meant)
  })
})

describe('oneOfWords', () => {
  it('lists three words', () => {
    expect(oneOfWords('a', 'b', 'c')('d', 'mode')).toBe('"mode" is "d"; it must be "a", "b", "c".')
  })
})

describe('describeValue', () => {
  it.each([
    ['x'.repeat(24), `"${'x'.repeat(24)}"`],
    ['x'.repeat(25), 'a text of 25 characters'],
    [12, '12'],
    [12n, '12'],
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'of type boolean'],
    [[], 'of type array'],
    [{}, 'of type object'],
    [Symbol('a'), 'of type symbol'],
  ])('says of %s: %s', (value, said) => {
    expect(describeValue(value)).toBe(said)
  })

  it.each([4444333322221111, 4444333322221111n, '4444333322221111'])('shows no card number: %s', number => {
    expect(describeValue(number)).not.toContain('4444333322221111')
  })

  it('cuts a long number', () => {
    expect(describeValue(-(10n ** 60n))).toHaveLength(40)
  })
})
