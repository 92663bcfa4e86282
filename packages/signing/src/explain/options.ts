import { KeyObject } from 'node:crypto'
import {
  type ControlItem,
  type ControlValues,
  type HmacSecrets,
  InvalidInputError,
  type PublicKey,
  type SignableRequest,
} from '../index.js'
import type { ParameterMask } from './oauth/shown.js'

/** What to explain. */
export interface ExplainControlOptions<Items extends readonly string[]> {
  readonly items: Items
  readonly values: ControlValues<Items>
  readonly controlKey: string
  /**
   * The control value the other side sent or computed, in hexadecimal or Base64. Anything else matches nothing.
   * Default: only the items are shown.
   */
  readonly expected?: string
  /**
   * Other values each item may have had, tried first: the value of another field, of the previous order. Likeliest first.
   * With values of items that this operation does not have (the endpoint, the e-mail address of the order) the formula of
   * another operation is recognized.
   */
  readonly candidates?: { readonly [Item in Items[number] | ControlItem]?: readonly string[] | undefined }
  /** Control keys that may have been used by mistake: the one for tests, the previous one. Named by their place only. */
  readonly otherKeys?: readonly string[]
}

/** What to explain. */
export interface ExplainSignatureOptions extends SignableRequest {
  /** Value of the `Authorization` header. */
  readonly authorization: string
  /** The base string the other side computed. Default: only ours is shown. */
  readonly expectedBaseString?: string
  /**
   * The signature the other side sent or computed, in Base64. Default: the one in `authorization`. It is judged when
   * `secrets` or `publicKey` is given.
   */
  readonly expectedSignature?: string
  /** What HMAC-SHA1 signatures are made with. They appear nowhere in the result. */
  readonly secrets?: HmacSecrets
  /** Consumer secrets that may have been used by mistake: the one for tests, the previous one. Named by place only. */
  readonly otherKeys?: readonly string[]
  /** The key that RSA-SHA256 signatures are verified with; see `importPublicKey`. */
  readonly publicKey?: PublicKey
  /**
   * Shows a value or something in its place. Default: every value as it is. Pass one whenever the form may hold
   * card data. `oauth_signature` is masked in any case.
   */
  readonly mask?: ParameterMask
}

/** Checks what `controlString` does not check. What the other side has is never refused: that is data. */
export function checkControlOptions<Items extends readonly string[]>(options: ExplainControlOptions<Items>): void {
  const { items, values, candidates = {}, otherKeys } = options
  demand(isTexts(items), 'items', 'a list of names: a row of controlItems, or your own')
  demand(typeof values === 'object' && values !== null, 'values', 'an object with a string for each item')
  demand(typeof candidates === 'object' && candidates !== null, 'candidates', 'an object with a list for each item')
  for (const [item, list] of Object.entries(candidates)) {
    demand(list === undefined || isTexts(list), `candidates.${item}`, 'a list of strings')
  }
  checkOtherKeys(otherKeys)
}

/** Checks what parsing and encoding do not check. */
export function checkSignatureOptions(options: ExplainSignatureOptions): void {
  const { method, url, mask, secrets, otherKeys, publicKey } = options
  demand(typeof method === 'string' && method !== '', 'method', 'the method of the request, such as POST')
  demand(typeof url?.href === 'string', 'url', 'a URL: write new URL(address)')
  demand(mask === undefined || typeof mask === 'function', 'mask', 'a function of name and value')
  if (secrets !== undefined) {
    const secret = secrets?.consumerSecret
    const where = 'text that is not empty. Check the setting it is read from'
    demand(typeof secret === 'string' && secret !== '', 'secrets.consumerSecret', where)
    const token = secrets.tokenSecret
    demand(token === undefined || typeof token === 'string', 'secrets.tokenSecret', 'text, or left out')
  }
  checkOtherKeys(otherKeys)
  if (publicKey !== undefined) {
    const key = publicKey?.key
    const isRsa = key instanceof KeyObject && key.type === 'public' && key.asymmetricKeyType === 'rsa'
    const isComplete = isRsa && typeof publicKey.bits === 'number' && typeof publicKey.fingerprint === 'string'
    demand(isComplete, 'publicKey', 'a key that was imported: write importPublicKey(pem)')
  }
}

function checkOtherKeys(otherKeys: unknown): void {
  demand(otherKeys === undefined || isTexts(otherKeys), 'otherKeys', 'a list of strings. Is a setting missing?')
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(each => typeof each === 'string')

function demand(holds: boolean, field: string, what: string): void {
  if (!holds) throw new InvalidInputError(field, `"${field}" must be ${what.endsWith('?') ? what : `${what}.`}`)
}
