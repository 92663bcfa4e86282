import { InvalidInputError } from '@tillkit/signing'
import {
  type CurlRequest,
  explainBaseString,
  explainSignature,
  isBaseString,
  type SignatureExplanation,
} from '@tillkit/signing/explain'
import { sentence } from './explain-control.js'
import {
  type Explained,
  type ExplainedSignature,
  type Keys,
  maskFor,
  noMistake,
  oauthKeys,
  unclear,
} from './explained.js'

/** Explains a base string, with a signature of it if there is one. */
export function explainPastedBaseString(text: string, theirs: string, keys: Keys): Explained {
  const { parameter: mask } = maskFor(keys)
  const signature = theirs === '' ? {} : { expectedSignature: theirs }
  const explained = explainBaseString(text, { ...oauthKeys(keys), ...signature, mask })
  if (explained === undefined)
    return unclear('This begins like a base string, and cannot be read as one, or has more than 12000 characters.')
  return explainedSignature('The base string', explained, keys)
}

/** Explains the OAuth signature of a request. @param theirs The base string or the signature of the other side. */
export function explainOAuthOf(
  { method, url, parameters, headers }: CurlRequest,
  { operation, theirs }: { readonly operation?: string | undefined; readonly theirs: string },
  keys: Keys,
): Explained {
  const authorization = headers.get('authorization')
  if (authorization === undefined) {
    const what = operation === undefined ? 'No known operation is at this address, and there' : `There`
    return unclear(`${what} is no Authorization header: nothing is signed with OAuth.`)
  }
  const { parameter: mask } = maskFor(keys)
  const other =
    theirs === '' ? {} : isBaseString(theirs) ? { expectedBaseString: theirs } : { expectedSignature: theirs }
  try {
    const given = { method, url, parameters, authorization, mask, ...oauthKeys(keys), ...other }
    return explainedSignature(
      operation === undefined ? 'The OAuth signature' : `The OAuth signature of ${operation}`,
      explainSignature(given),
      keys,
    )
  } catch (error) {
    if (error instanceof InvalidInputError) return unclear(maskFor(keys).text(error.message))
    throw error
  }
}

/** Says what an explanation of the signing package means to whoever signs. */
export function explainedSignature(about: string, explained: SignatureExplanation, keys: Keys): ExplainedSignature {
  const { matches, signatureMatches, explanation, lines, baseString } = explained
  const isWrong = matches === false || signatureMatches === false
  const isRight = signatureMatches === true && matches !== false
  return {
    kind: 'explained',
    about,
    verdict: isWrong ? 'wrong' : isRight ? 'right' : 'unjudged',
    says: explanation === undefined ? saysOf(explained) : maskFor(keys).text(sentence(explanation.text)),
    ...(explanation === undefined ? {} : { fix: explanation.fix }),
    lines,
    covered: baseString,
  }
}

function saysOf({ matches, signatureMatches }: SignatureExplanation): string {
  if (signatureMatches === true && matches !== false) return 'The signature is right.'
  if (matches === false) return 'No single common mistake makes this base string: compare each line with yours.'
  if (signatureMatches === false) return noMistake
  const form = matches ? 'The base string is written right' : 'This is what has to be signed'
  return `${form}; without a key, or without a signature, the signature cannot be judged.`
}
