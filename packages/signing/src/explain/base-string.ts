import { decodeForm, type Parameter, percentEncode } from '../index.js'
import { type ExplainSignatureOptions, explainSignature, type SignatureExplanation } from './signature.js'

/** What is known besides a base string. */
export type ExplainBaseStringOptions = Pick<
  ExplainSignatureOptions,
  'expectedSignature' | 'secrets' | 'publicKey' | 'mask'
>

/** Longest text that is taken apart, in characters: what is in it has to fit an `Authorization` header. */
const longestRead = 12_000

/** Tells whether a text is meant as a base string: a method, `&` and an address. */
export const isBaseString = (text: string): boolean => /^\s*[A-Za-z]{3,7}&https?(%3a|:)/i.test(text)

/**
 * Explains a base string of which nothing else is known: reads the request out of it, makes the base string of that request,
 * and says which common mistake lies between the two. What is not in the request at all (another amount, a parameter left out)
 * cannot be seen; a signature, with the key, shows whether it is signed with that key.
 *
 * @returns `undefined` when the text is no base string, and no known mistake makes one of it.
 * @see RFC 5849 section 3.4.1
 */
export function explainBaseString(
  text: string,
  options: ExplainBaseStringOptions = {},
): SignatureExplanation | undefined {
  const expectedBaseString = text.trim()
  if (expectedBaseString.length > longestRead || !isBaseString(expectedBaseString)) return undefined
  const [method = '', address = '', ...rest] = expectedBaseString.split('&')
  // Encoded right first, then as people encode it wrong. A "+" that is left over was a space more often than a "+" that nobody
  // encoded.
  const explained = [' ', '+'].flatMap(plus =>
    [2, 1, 3].flatMap(times => {
      const read = readParameters(address, rest.join('&'), { times, plus })
      return read === undefined ? [] : [explainRead(method, read, { ...options, expectedBaseString })]
    }),
  )
  return explained.find(({ matches }) => matches) ?? explained.find(({ explanation }) => explanation) ?? explained[0]
}

function explainRead(
  method: string,
  { url, parameters }: { readonly url: URL; readonly parameters: readonly Parameter[] },
  more: ExplainBaseStringOptions & { readonly expectedBaseString: string },
): SignatureExplanation {
  const isProtocol = ([name]: Parameter): boolean => name.startsWith('oauth_')
  const written = parameters
    .filter(isProtocol)
    .map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`)
  // A header without parameters is none; a realm is not covered.
  const authorization = `OAuth ${['realm=""', ...written].join(', ')}`
  const form = parameters.filter(parameter => !isProtocol(parameter))
  return explainSignature({ ...more, method: method.toUpperCase(), url, parameters: form, authorization })
}

/** Reads the request that a base string was made of, its parameters encoded that many times. */
function readParameters(
  address: string,
  joined: string,
  { times, plus }: { readonly times: number; readonly plus: string },
) {
  try {
    const url = new URL(decodeURIComponent(address))
    let text = joined
    for (let decoded = 1; decoded < times; decoded += 1) text = decodeURIComponent(text)
    const all = decodeForm(plus === '+' ? text.replaceAll('+', '%2B') : text)
    // An address that was not cut has the query; what the parameters repeat of it was sent once.
    const query = new Set(decodeForm(url.search.slice(1)).map(pair => JSON.stringify(pair)))
    return all.length === 0 ? undefined : { url, parameters: all.filter(pair => !query.has(JSON.stringify(pair))) }
  } catch {
    // Not encoded this often.
    return undefined
  }
}
