import { describe, expect, it } from 'vitest'
import {
  aCount,
  aFlag,
  aFunction,
  anObjectWith,
  aText,
  checkedLater,
  checkOptions,
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
})

describe('nearName', () => {
  it.each([
    ['client_order_id', 'clientOrderId'],
    ['amuont', 'amount'],
    ['emial', 'email'],
    ['zzzzzz', undefined],
    ['a', undefined],
  ])('takes %s for %s', (name, meant) => {
    expect(nearName(name, ['clientOrderId', 'amount', 'email'])).toBe(meant)
  })
})
