import { decodeForm, type Parameter, percentEncode } from '../index.js'
import type { ExplainSignatureOptions } from './options.js'
import { explainSignature, type SignatureExplanation } from './signature.js'

/** What is known besides a base string. */
export type ExplainBaseStringOptions = Pick<
  ExplainSignatureOptions,
  'expectedSignature' | 'secrets' | 'otherKeys' | 'publicKey' | 'mask'
>

/** Longest text that is taken apart, in characters: what is in it has to fit an `Authorization` header. */
const longestRead = 12_000

/** Tells whether a text is meant as a base string: a method, `&` and an address. */
export const isBaseString = (text: string): boolean => /^\s*[A-Za-z]{3,7}&https?(%3a|:)/i.test(text)

/**
 * Explains a base string of which nothing else is known: reads the request out of it, makes the base string of that request,
 * and searches for the mistake between the two. What is not in the request at all (another amount, a parameter left out)
 * cannot be seen; a signature, with the key, shows whether it is signed with that key.
 *
 * @returns `undefined` when the text is no base string, and no known mistake makes one of it.
 * @see RFC 5849 section 3.4.1
 */
export function explainBaseString(
  text: string,
  options: ExplainBaseStringOptions = {},
): SignatureExplanation | undefined {
  const baseString = text.trim()
  if (baseString.length > longestRead || !isBaseString(baseString)) return undefined
  const explained = readings(baseString).map(reading => explainReading(reading, baseString, options))
  return explained.find(({ matches }) => matches) ?? explained.find(({ explanation }) => explanation) ?? explained[0]
}

/** A request that a base string may have been made of. */
interface Reading {
  readonly method: string
  readonly url: URL
  readonly parameters: readonly Parameter[]
}

function explainReading(
  { method, url, parameters }: Reading,
  expectedBaseString: string,
  more: ExplainBaseStringOptions,
) {
  const protocol = parameters.filter(([name]) => isProtocol(name))
  const written = protocol.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`)
  const form = parameters.filter(([name]) => !isProtocol(name))
  // A header without parameters is none; a realm is not covered.
  const authorization = `OAuth ${['realm=""', ...written].join(', ')}`
  return explainSignature({ ...more, method, url, parameters: form, authorization, expectedBaseString })
}

const isProtocol = (name: string): boolean => name.startsWith('oauth_')

/** Lists what a text may be the base string of: encoded right first, then as people encode it wrong. */
function readings(text: string): readonly Reading[] {
  const [method = '', address = '', ...rest] = text.split('&')
  const joined = rest.join('&')
  const found: Reading[] = []
  // A "+" that is left over was a space more often than a "+" that nobody encoded.
  for (const plus of [' ', '+']) {
    for (const times of [2, 1, 3]) {
      const reading = readOnce({ method, address, joined }, { times, plus })
      if (reading !== undefined) found.push(reading)
    }
  }
  return found
}

function readOnce(
  { method, address, joined }: { readonly method: string; readonly address: string; readonly joined: string },
  { times, plus }: { readonly times: number; readonly plus: string },
): Reading | undefined {
  try {
    const url = new URL(decodeURIComponent(address))
    let text = joined
    for (let decoded = 1; decoded < times; decoded += 1) text = decodeURIComponent(text)
    const literal = plus === '+' ? text.replaceAll('+', '%2B') : text
    const all = decodeForm(literal)
    // An address that was not cut has the query; what the parameters repeat of it was sent once.
    const query = new Set(decodeForm(url.search.slice(1)).map(pair => JSON.stringify(pair)))
    const parameters = all.filter(pair => !query.has(JSON.stringify(pair)))
    if (all.length > 0) return { method: method.toUpperCase(), url, parameters }
  } catch {
    // Not encoded this often.
  }
  return undefined
}
