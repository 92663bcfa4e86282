/**
 * The check of an address that the gateway calls or sends the customer to.
 *
 * @module
 */
import { wireNames } from '@tillkit/protocol'
import { type RequestSubject, requestMistake } from '../errors/request-mistake.js'

/** Fields that hold such an address. `siteUrl` does not: it is only a note of where an order began, and nobody goes there. */
export const addressFields: readonly string[] = [
  'redirectUrl',
  'redirectSuccessUrl',
  'redirectFailUrl',
  'serverCallbackUrl',
  'notifyUrl',
] satisfies (keyof typeof wireNames)[]

/**
 * Checks that an address is absolute: the gateway takes a path without a word, and then neither the outcome nor the
 * customer comes back.
 *
 * @throws {@link InvalidRequestError} naming the field. It never quotes the address, which may hold a token.
 * @see Interface specification, section 2
 */
export function checkAddress(subject: RequestSubject, field: string, address: string): void {
  const problem = addressProblem(address)
  if (problem !== undefined) throw requestMistake(subject, { field, problem: `"${field}" ${problem}` })
}

/** Whether a field of `extra` is such an address, by its wire name. */
export const isAddressName = (name: string): boolean =>
  Object.entries(wireNames).some(([field, wireName]) => wireName === name && addressFields.includes(field))

/**
 * What is wrong with an address, and the cure; `undefined` for an absolute http or https address without credentials.
 *
 * `http:shop.example` and `https:/shop.example` are refused although browsers repair them: gateways may not.
 */
export function addressProblem(address: string): string | undefined {
  if (plainAddress.test(address)) return undefined
  const cure = 'Write it like https://shop.example/payments.'
  if (address === '') return `is empty. Leave it out, or write it like https://shop.example/payments.`
  if (address.startsWith('/') && !address.startsWith('//'))
    return `is a path, and the gateway cannot know its host. ${cure}`
  if (!/^https?:\/\/[^/?#]/i.test(address) || !URL.canParse(address)) {
    return `is no absolute http or https address. ${cure}`
  }
  if (/[\s\\\p{Cc}]/u.test(address)) return `has white space or a backslash in it. Percent-encode it.`
  // Only what stands before an @ can be one of the two.
  if (!address.includes('@')) return undefined
  const { username, password } = new URL(address)
  if (username === '' && password === '') return undefined
  return 'carries a user name or a password, which the customer’s browser or the gateway would get to see. Remove them.'
}

/**
 * What most addresses look like: a host of lower-case ASCII labels that ends in letters and has no port, and nothing that
 * would be encoded or means credentials. Parsing what looks like this never fails and takes twenty times as long.
 */
const plainAddress = /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,63}(?:[/?#][\w.~!$&'()*+,;=:/?#%[\]-]*)?$/
