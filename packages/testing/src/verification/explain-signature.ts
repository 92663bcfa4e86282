import { baseStringUri, type Parameter, parseAuthorizationHeader } from '@tillkit/signing'
import { type ExplainSignatureOptions, explainSignature, type SignatureExplanation } from '@tillkit/signing/explain'
import { couldBe, isMasked } from '../log/redact.js'
import type { SignedEvidence } from '../state/signed-evidence.js'
import { type ExplainedMismatch, shortened } from './explain-control.js'

interface SignatureMismatch {
  readonly request: Required<Pick<ExplainSignatureOptions, 'method' | 'url' | 'authorization' | 'mask'>> & {
    /** Of the body, decoded. */
    readonly parameters: readonly Parameter[]
  }
  /** `HMAC-SHA1` or `RSA-SHA256`. */
  readonly signatureMethod: string
  /** What the signature is judged with. */
  readonly key: Pick<ExplainSignatureOptions, 'secrets' | 'publicKey'>
  /** What the key is called, for the message where everything covered agrees. */
  readonly keyName: string
  readonly evidence: SignedEvidence | undefined
}

/** Explains a mismatch in a sentence or two that name what differs, or show what the gateway covered. */
export function explainSignatureMismatch(mismatch: SignatureMismatch): ExplainedMismatch {
  const { signatureMethod, evidence } = mismatch
  const announced = evidence?.baseString === undefined ? undefined : splitBaseString(evidence.baseString)
  const found = search(mismatch)
  const because = announced === undefined ? bySearch(mismatch, found) : compare(mismatch, announced)
  const text = `${signatureMethod} signature does not match: ${because}.`
  if (found.signatureMatches === undefined) return { text }
  return { text, compared: { lines: found.lines, ...shortened(found.explanation) } }
}

/** Longest base string that is searched, in characters: anyone can send requests that do not verify. */
const searchLimit = 8_192

/** A request that is too long is laid out and not judged. */
function search({ request, key }: SignatureMismatch): SignatureExplanation {
  const laidOut = explainSignature(request)
  return laidOut.baseString.length > searchLimit ? laidOut : explainSignature({ ...request, ...key })
}

function bySearch({ keyName }: SignatureMismatch, { baseString, explanation }: SignatureExplanation): string {
  const found = explanation?.text.replace(/\.$/, '') ?? `either the base string differs or ${keyName} does`
  return `${found}. The gateway covered, card data masked (compare with yours byte by byte): ${baseString}`
}

type SplitBaseString = NonNullable<ReturnType<typeof splitBaseString>>

/** @returns undefined for text that is no base string. */
function splitBaseString(text: string) {
  const [, address, parameters, ...more] = text.split('&')
  if (address === undefined || parameters === undefined || more.length > 0) return undefined
  try {
    const pairs = decodeURIComponent(parameters)
      .split('&')
      .map(pair => pair.split('=').map(decodeURIComponent))
    return {
      address: decodeURIComponent(address),
      parameters: new Map(pairs.map(([name = '', value = '']) => [name, value])),
    }
  } catch {
    return undefined
  }
}

function compare({ request, keyName }: SignatureMismatch, announced: SplitBaseString): string {
  const { url, parameters, authorization, mask } = request
  const address = baseStringUri(url)
  const covered = new Map([
    ...parameters,
    ...(parseAuthorizationHeader(authorization)?.parameters ?? []).filter(([name]) => name !== 'oauth_signature'),
  ])
  const shown = (name: string, value: string | undefined): string =>
    value === undefined ? 'does not have it' : `says "${mask(name, value)}"`
  const differences = [
    ...(address === announced.address ? [] : [`it was made for ${announced.address}, the request went to ${address}`]),
    ...[...announced.parameters]
      .filter(([name, value]) => !couldBe(value, covered.get(name) ?? '') || !covered.has(name))
      .map(([name, value]) => `"${name}" was signed as "${value}", the request ${shown(name, covered.get(name))}`),
    ...[...covered]
      .filter(([name]) => !announced.parameters.has(name))
      .map(([name, value]) => `"${name}" was not signed, the request ${shown(name, value)}`),
  ]
  if (differences.length > 0) return differences.join('; ')
  const masked = [...announced.parameters].filter(([, value]) => isMasked(value)).map(([name]) => `"${name}"`)
  return masked.length > 0
    ? `everything that can be seen is as it was signed, so ${keyName} differs, or a masked parameter differs (${masked.join(', ')})`
    : `everything is as it was signed, so ${keyName} differs`
}
