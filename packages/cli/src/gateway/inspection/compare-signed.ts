import { percentEncode } from '@tillkit/signing'
import { explainSignature } from '@tillkit/signing/explain'
import type { Call } from '@tillkit/testing'
import { findRoute, type GatewayState, merchantGateway, redactText, redactValue } from '@tillkit/testing/gateway'
import { explainedSignature } from '../../explain/explain-oauth.js'
import { type Explained, isHidden, unclear } from '../../explain/explained.js'
import { callSignature, oauthRequest } from './signatures.js'

/** Longest text that is compared, in characters. */
const longestText = 20_000

/**
 * Compares what a shop says it signed with what the gateway covers of a call. The log has no secrets, so what it hides is hidden in
 * the other text before the two are compared.
 */
export function compareSigned(call: Call, signed: string, all: GatewayState): Explained {
  // What is pasted ends with a line break now and then; a space may be the mistake.
  const text = signed.replace(/\r?\n$/, '')
  const route = findRoute(call.path, all.settings)
  const view = callSignature(call, all)
  if (route.kind !== 'operation' || view?.text === undefined)
    return unclear('Of this request nothing is known that could be compared.')
  if (text === '') return unclear('There is nothing to compare: paste what you signed.')
  if (text.length > longestText) return unclear(`This is longer than ${longestText} characters.`)
  const { redaction, controlKey } = merchantGateway(route, all).settings
  const about = `Request ${call.number}: ${route.operation}`
  if (view.scheme === 'control')
    return compareItems(about, view.text, redactText(withoutKey(text, controlKey), redaction))
  const request = oauthRequest(call)
  if (request === undefined) return unclear('The request had no OAuth header.')
  const hide = (name: string, value: string) => redactValue([name, value], redaction)
  const expectedBaseString = hideIn(text, { shown: new Map(request.parameters), hide })
  const explained = explainedSignature(about, explainSignature({ ...request, expectedBaseString }), {})
  if (explained.verdict === 'wrong') return explained
  const says = request.parameters.some(([, value]) => isHidden(value))
    ? 'Everything that is not hidden agrees. So a hidden value differs, or it was signed with another key.'
    : 'The base string is the one that the gateway expects. So it was signed with another key.'
  return { ...explained, says }
}

const key = '<control key>'

const withoutKey = (text: string, controlKey: string): string => {
  const cut = [controlKey, key].find(end => text.endsWith(end))
  return cut === undefined ? text : text.slice(0, -cut.length)
}

function compareItems(about: string, covered: string, theirs: string): Explained {
  const ours = covered.slice(0, -key.length)
  const differs = ours !== theirs
  return {
    kind: 'explained',
    about,
    verdict: differs ? 'wrong' : 'unjudged',
    says: differs
      ? 'The items differ.'
      : 'The items are those that the gateway expects. So the control value was made with another key, or the key is not last.',
    lines: [{ name: 'items, joined', ours, theirs, differs }],
    covered,
  }
}

interface Hiding {
  /** The parameters of the form, redacted. */
  readonly shown: ReadonlyMap<string, string>
  readonly hide: (name: string, value: string) => string
}

/** Hides in a base string what the log hides, and leaves everything else as it is encoded. */
function hideIn(baseString: string, { shown, hide }: Hiding): string {
  const [method = '', address = '', ...rest] = baseString.split('&')
  const pieces = rest.join('&').split('%26')
  const written = pieces.map(piece => {
    const [name = '', value = ''] = decoded(piece).split('=').map(decoded)
    const seen = shown.get(name)
    const other = hide(name, value)
    if (seen === undefined || seen === value || other === value) return piece
    return percentEncode(`${percentEncode(name)}=${percentEncode(other)}`)
  })
  return [method, address, written.join('%26')].join('&')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
