/** Checks of the options. What the other side has is never refused: that is data. */
import { KeyObject } from 'node:crypto'
import { InvalidInputError } from '../index.js'

/**
 * Checks what {@link explainSignature} was called with.
 *
 * @throws {@link InvalidInputError} whose `field` names the option.
 */
export function checkSignatureOptions(
  options: {
    readonly [Option in 'method' | 'url' | 'mask' | 'secrets' | 'otherKeys' | 'publicKey']?: unknown
  },
): void {
  const { method, url, mask, secrets, otherKeys, publicKey } = options
  demand(typeof method === 'string' && method !== '', 'method', 'the method of the request, such as POST')
  demand(textOf(url, 'href') !== undefined, 'url', 'a URL: write new URL(address)')
  demand(mask === undefined || typeof mask === 'function', 'mask', 'a function of name and value')
  if (secrets !== undefined) {
    const where = 'text that is not empty. Check the setting it is read from'
    demand((textOf(secrets, 'consumerSecret') ?? '') !== '', 'secrets.consumerSecret', where)
    const token = fieldOf(secrets, 'tokenSecret')
    demand(token === undefined || typeof token === 'string', 'secrets.tokenSecret', 'text, or left out')
  }
  checkOtherKeys(otherKeys)
  if (publicKey !== undefined) {
    const key = fieldOf(publicKey, 'key')
    const imported = key instanceof KeyObject && key.type === 'public' && key.asymmetricKeyType === 'rsa'
    const complete = typeof fieldOf(publicKey, 'bits') === 'number' && textOf(publicKey, 'fingerprint') !== undefined
    demand(imported && complete, 'publicKey', 'a key that was imported: write importPublicKey(pem)')
  }
}

/**
 * Checks what {@link explainControl} was called with, besides what `controlString` checks.
 *
 * @throws {@link InvalidInputError} whose `field` names the option.
 */
export function checkControlOptions(
  options: {
    readonly [Option in 'items' | 'values' | 'candidates' | 'otherKeys']?: unknown
  },
): void {
  const { items, values, candidates, otherKeys } = options
  demand(isTexts(items), 'items', 'a list of names: a row of controlItems, or your own')
  demand(typeof values === 'object' && values !== null, 'values', 'an object with a string for each item')
  demand(typeof candidates === 'object' && candidates !== null, 'candidates', 'an object with a list for each item')
  for (const [item, list] of Object.entries(candidates as object)) {
    demand(list === undefined || isTexts(list), `candidates.${item}`, 'a list of strings')
  }
  checkOtherKeys(otherKeys)
}

function checkOtherKeys(otherKeys: unknown): void {
  demand(otherKeys === undefined || isTexts(otherKeys), 'otherKeys', 'a list of strings. Is a setting missing?')
}

function demand(holds: boolean, field: string, what: string): void {
  if (!holds) throw new InvalidInputError(field, `"${field}" must be ${what.endsWith('?') ? what : `${what}.`}`)
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(each => typeof each === 'string')

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function textOf(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : undefined
}
