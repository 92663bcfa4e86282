/**
 * What an entry of the wire profile may be: a value of the default's own shape. It comes from JSON as often as from typed code.
 *
 * @module
 */
import { controlItems } from '@tillkit/signing'
import { recordFields } from '../operations/reply-fields.js'
import { awaitedStages } from '../operations/stages.js'
import { nearName } from '../options/check-options.js'
import { quote } from '../redaction/mask-card-number.js'
import { checkSchedule, type PollSchedule } from './poll-schedule.js'
import type { WireProfile } from './types.js'

type Entry = keyof WireProfile

/** Entries that hold one of a few words, or several: a misspelt one would change what is signed, or what a status means. */
const words: { readonly [entry: string]: readonly unknown[] } = {
  minorUnits: ['iso-4217', 'hundredths'],
  controlEncoding: ['hex-lower', 'hex-upper', 'base64'],
  hmacKeyEncoding: ['as-is', 'percent-encoded'],
  callbackMethod: ['GET', 'POST'],
  repliedEndpoint: ['endpoint', 'group'],
  methodTimeStart: ['method-page', 'status-reply'],
  usedClientOrderId: ['second-order', 'refused'],
  cardInfoFields: recordFields.CardInfoAsyncResponse,
  finalStatuses: ['approved', 'declined', 'filtered', 'error'],
  stages: [...awaitedStages, 'unrecognized'],
  scheme: ['control', 'oauth-hmac-sha1', 'oauth-rsa-sha256'],
  items: [...new Set(Object.values(controlItems).flat())],
} satisfies { readonly [Name in Entry | 'scheme' | 'items']?: readonly string[] }

/** Entries whose keys are words of a gateway, fields or operations. Every other object has the keys of its default. */
const namedFreely: readonly string[] = [
  'fieldNames',
  'finalStatuses',
  'stages',
  'unsignedParameters',
  'unsignedReturnParameters',
  'maxLengths',
  'operationMaxLengths',
] satisfies readonly Entry[]

/** Where nothing is an answer too. */
const mayBeEmpty: readonly string[] = ['absentClientOrderId', 'noErrorMessage', 'loginInBody', 'groupPath.without']

/**
 * Checks the value of an entry.
 *
 * @param like Value of the default.
 * @throws {TypeError} that names the place, what is there and what is expected.
 */
export function checkEntry(entry: string, given: unknown, like: unknown): void {
  check(given, like, { entry: /Items$/.test(entry) ? 'items' : entry, path: entry })
}

interface Place {
  /** The entry, as the lists above call it. */
  readonly entry: string
  /** Where a person finds it: `groupPath.without[0]`. */
  readonly path: string
}

function check(given: unknown, like: unknown, place: Place): void {
  if (place.entry === 'pollSchedule') checkSchedule(given as PollSchedule, place.path)
  else if (Array.isArray(like)) checkList(given, like, place)
  else if (isObject(like)) checkObject(given, like, place)
  else if (given !== like) checkSingle(given, like, place)
}

function checkSingle(given: unknown, like: unknown, { entry, path }: Place): void {
  const known = words[entry]
  const isEmpty = mayBeEmpty.includes(path)
  if (known !== undefined) {
    if (!known.includes(given)) throw wrong(path, given, known.join(' or '))
  } else if (typeof like === 'boolean') {
    if (typeof given !== 'boolean') throw wrong(path, given, 'true or false, without quotes')
  } else if (typeof like === 'number') {
    if (!(Number.isSafeInteger(given) && Number(given) > 0)) throw wrong(path, given, 'a whole number above zero')
  } else if (typeof given !== 'string' || (given === '' && !isEmpty)) {
    throw wrong(path, given, isEmpty ? 'a text, or "" for none' : 'a text that is not empty')
  }
}

function checkList(given: unknown, like: readonly unknown[], { entry, path }: Place): void {
  if (!Array.isArray(given) || (given.length === 0 && !mayBeEmpty.includes(path))) {
    throw wrong(path, given, `a list, such as ${JSON.stringify(like.slice(0, 2))}`)
  }
  for (const [index, each] of given.entries()) check(each, like[0], { entry, path: `${path}[${index}]` })
}

function checkObject(given: unknown, like: object, { entry, path }: Place): void {
  if (!isObject(given)) throw wrong(path, given, `an object, such as ${example(like)}`)
  if (entry === 'currencyDigits') checkDigits(given)
  else if (namedFreely.includes(entry)) {
    for (const [name, value] of Object.entries(given)) {
      check(value, Object.values(like)[0], { entry, path: `${path}.${name}` })
    }
  } else checkNames(given, like, { entry, path })
}

function checkNames(given: object, like: object, { entry, path }: Place): void {
  const isScheme = 'scheme' in like
  const fixed = isScheme ? schemeLike(given) : like
  for (const name of Object.keys({ ...fixed, ...given })) {
    const where = `${path}.${name}`
    if (!Object.hasOwn(fixed, name)) {
      const names = Object.keys(fixed)
      const near = nearName(name, names)
      const hint = near === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${near}"?`
      throw new TypeError(`The wire profile has no "${where}". ${hint}`)
    }
    if (!Object.hasOwn(given, name)) {
      throw new TypeError(
        `"${where}" of the wire profile is missing: what you give as "${path}" replaces the default whole, so copy all of it.`,
      )
    }
    check(Reflect.get(given, name), Reflect.get(fixed, name), { entry: isScheme ? name : entry, path: where })
  }
}

/** Of the schemes, only the control value has items. */
const schemeLike = (given: object): object =>
  Reflect.get(given, 'scheme') === 'control' ? { scheme: 'control', items: controlItems.getCardInfo } : { scheme: '' }

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The beginning of a default, as its form. */
function example(like: object): string {
  const [first] = Object.entries(like)
  return first === undefined ? '{ "USDT": 6 }' : JSON.stringify(Object.fromEntries([first]))
}

const wrong = (path: string, given: unknown, expected: string): TypeError =>
  new TypeError(`"${path}" of the wire profile is ${shown(given)}; it must be ${expected}.`)

function shown(given: unknown): string {
  if (typeof given === 'string') return quote(given)
  if (Array.isArray(given)) return given.length === 0 ? 'an empty list' : 'a list'
  return isObject(given) ? 'an object' : String(given)
}

/** More would leave none of an amount's fifteen digits before the point. */
const mostFractionDigits = 14

function checkDigits(currencies: object): void {
  for (const [code, digits] of Object.entries(currencies)) {
    if (!/^[A-Z][A-Z\d]{2,9}$/.test(code)) {
      throw new TypeError(
        `"currencyDigits" of the wire profile has the code ${quote(code)}; ` +
          'write it as it is sent, in 3 to 10 upper-case letters and digits.',
      )
    }
    if (Number.isInteger(digits) && digits >= 0 && digits <= mostFractionDigits) continue
    throw new TypeError(
      `"currencyDigits" of the wire profile gives ${code} ${shown(digits)} digits; ` +
        `it must be a whole number from 0 to ${mostFractionDigits}.`,
    )
  }
}
