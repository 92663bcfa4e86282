/**
 * Builders by other people, and the naive one, each beside what this package makes of the same request.
 *
 * The peers are right for some requests only; `of` says for which.
 */
import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import OAuth from 'oauth-1.0a'
import {
  createRequestSigner,
  encodeForm,
  hmacSha1Signer,
  normalizeParameters,
  signatureBaseString,
} from '../src/index.js'
import { naiveBaseString, naiveEncode, naiveParameters, type RequestParts } from './naive-builder.js'

/** oauth-sign comes without types. */
interface OAuthSign {
  generateBase(method: string, address: string, parameters: Readonly<Record<string, readonly string[]>>): string
}

const oauthSign: OAuthSign = createRequire(import.meta.url)('oauth-sign')
const oauth10a = new OAuth({
  consumer: { key: 'm', secret: 'k' },
  signature_method: 'HMAC-SHA1',
  hash_function: () => '',
})
const requestSigner = createRequestSigner({
  consumerKey: 'mer chant',
  signer: hmacSha1Signer({ consumerSecret: 'k&y', keyEncoding: 'percent-encoded' }),
})

/** One builder beside this package. */
export interface Comparison {
  readonly name: string
  /** Default: all of them. */
  readonly of?: (request: RequestParts) => boolean
  /** The share of random requests that is compared at least; fewer would mean that `of` is wrong. */
  readonly share: number
  readonly ours: (request: RequestParts, url: URL) => string
  readonly theirs: (request: RequestParts, url: URL) => string
}

const baseStringOf = ({ method, form }: RequestParts, url: URL): string =>
  signatureBaseString({ method, url, parameters: form })

/** Every builder that is compared. */
export const comparisons: readonly Comparison[] = [
  {
    name: 'base strings of the naive builder',
    share: 1,
    ours: baseStringOf,
    theirs: naiveBaseString,
  },
  {
    name: 'normalized parameters of the naive builder',
    share: 1,
    ours: ({ form }, url) => normalizeParameters(url, form),
    theirs: naiveParameters,
  },
  {
    name: 'headers made with the naive builder and createHmac',
    share: 1,
    ours: ({ method, form }, url) =>
      requestSigner.headerSync({ method, url, parameters: form, timestamp: 1669966913, nonce: `n ${form.length}` }),
    theirs: naiveHeader,
  },
  {
    name: 'pairs that URLSearchParams reads from the form body',
    share: 1,
    ours: ({ form }) => JSON.stringify([...new URLSearchParams(encodeForm(form))]),
    theirs: ({ form }) => JSON.stringify(form),
  },
  {
    // It keeps repeated names in a list. It neither reads the query nor normalizes the address.
    name: 'base strings of oauth-sign, where no parameter is named __proto__',
    of: fitsObject,
    share: 0.5,
    ours: baseStringOf,
    theirs: ({ method, query, form }, url) => {
      const lists: Record<string, string[]> = {}
      for (const [name, value] of [...query, ...form]) {
        lists[name] = Object.hasOwn(lists, name) ? [...(lists[name] ?? []), value] : [value]
      }
      return oauthSign.generateBase(method, plainAddress(url), lists)
    },
  },
  {
    // It keeps one value a name, decodes neither names nor `+` of a query, and does not encode the method.
    name: 'base strings of oauth-1.0a, where no name repeats or is __proto__, there is no query and the method is a word',
    of: request => {
      const names = request.form.map(([name]) => name)
      return request.query.length === 0 && isWord(request.method) && isSet(names) && fitsObject(request)
    },
    share: 0.15,
    ours: baseStringOf,
    theirs: ({ method, form }, url) => {
      const request = { method, url: plainAddress(url), data: Object.fromEntries(form) }
      return oauth10a.getBaseString(request, {} as OAuth.Data)
    },
  },
]

function naiveHeader(request: RequestParts): string {
  const oauth: [string, string][] = [
    ['oauth_consumer_key', 'mer chant'],
    ['oauth_nonce', `n ${request.form.length}`],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '1669966913'],
    ['oauth_version', '1.0'],
  ]
  const baseString = naiveBaseString({ ...request, form: [...request.form, ...oauth] })
  const signature = createHmac('sha1', 'k%26y&').update(baseString).digest('base64')
  const pairs = [...oauth, ['oauth_signature', signature] as const]
  return `OAuth ${pairs.map(([name, value]) => `${name}="${naiveEncode(value)}"`).join(', ')}`
}

/** Both peers keep parameters in an object, which cannot hold `__proto__`. */
function fitsObject({ query, form }: RequestParts): boolean {
  return ![...query, ...form].some(([name]) => name === '__proto__')
}

const isWord = (method: string): boolean => /^[\w-]+$/.test(method)
const isSet = (names: readonly string[]): boolean => new Set(names).size === names.length

/** Both peers take the address as they find it, up to the question mark. */
const plainAddress = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`
