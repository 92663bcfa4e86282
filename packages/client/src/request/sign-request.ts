import { cardNumberFields, createScrubber, type ResolvedSigning, redactField, type Scrubber } from '@tillkit/protocol'
import {
  controlValue,
  createRequestSigner,
  hmacSha1Signer,
  type Parameter,
  parseAuthorizationHeader,
  type RequestSigner,
  rsaSha256Signer,
  SigningError,
  signatureBaseString,
} from '@tillkit/signing'
import { lazy, nodeCrypto, oncePer } from '../config/lazy.js'
import type { Settings } from '../config/settings.js'
import { invalidRequest, unsetVariable } from '../errors/messages.js'
import { hasHalfPair, textOf, textsShownAs } from './form.js'
import type { AuthenticatedRequest, CallContext, CheckedCall, Form } from './types.js'

/**
 * Authenticates a request: appends the control value, or signs exactly the fields that are sent.
 *
 * @returns A promise only where a signer may take its time.
 * @see Interface specification, section 5
 */
export function signRequest(input: CallContext): AuthenticatedRequest | Promise<AuthenticatedRequest> {
  const { signing } = input.plan
  try {
    return signing.scheme === 'control'
      ? withControlValue(input, signing.items)
      : withHeader(input, signing.scheme).catch(cause => {
          throw asInvalid(input, cause)
        })
  } catch (cause) {
    throw asInvalid(input, cause)
  }
}

function asInvalid({ subject, built }: CallContext, cause: unknown): unknown {
  if (!(cause instanceof SigningError)) return cause
  const named = 'field' in cause && typeof cause.field === 'string' ? cause.field : 'controlKey'
  // A header is of wire names.
  const field = built.form.find(({ name }) => name === named)?.field ?? named
  return invalidRequest(subject, { field, problem: cause.message, cause })
}

function withControlValue(input: CallContext, items: readonly string[]): AuthenticatedRequest {
  const { subject, built, settings } = input
  const { controlEncoding, controlField } = settings.profile
  const key = settings.controlKey ?? refuseKeyless(input, 'controlKey', 'a control value')
  const values: Record<string, string> = {}
  for (const item of items) values[item] = itemValue(input, item)
  const control = controlValue(items, values, key, { encoding: controlEncoding.value })
  const scrubber = scrubberOf(input, () => [control])
  return {
    form: [...built.form, { name: controlField.value, value: control, field: undefined, shownAs: undefined }],
    scrubber,
    scheme: 'control',
    signed: () => ({
      operation: subject.name,
      login: settings.login,
      scheme: 'control',
      fingerprint: fingerprint(control),
      items: items.map(name => ({ name, value: shownItem(name, values[name] ?? '', scrubber) })),
    }),
  }
}

function itemValue({ request, options, settings }: CallContext, item: string): string {
  if (item === 'endpointId') return options.endpoint.id
  if (item === 'login') return settings.login
  if (item === 'amount') return request.minorUnits
  const absent = item === 'clientOrderId' ? settings.profile.absentClientOrderId.value : ''
  return textOf(request.values, item) ?? absent
}

const shownItem = (name: string, value: string, scrubber: Scrubber): string =>
  name === 'endpointId' ? value : redactField({ shownAs: name, value }, scrubber)

type OAuthScheme = Exclude<ResolvedSigning['scheme'], 'control'>

async function withHeader(input: CallContext, scheme: OAuthScheme): Promise<AuthenticatedRequest> {
  const { subject, built, settings } = input
  const url = new URL(`${built.origin}${built.path}`)
  const { login } = settings
  const authorization = await requestSigner(input, scheme).header({
    url,
    parameters: built.form.map(({ name, value }): Parameter => [name, value]),
    timestamp: Math.floor(settings.clock() / 1000),
    nonce: settings.nonce(),
  })
  const sent = lazy(() => {
    const oauth = parseAuthorizationHeader(authorization)?.parameters ?? []
    return { oauth, signature: new Map(oauth).get('oauth_signature') ?? '' }
  })
  const scrubber = scrubberOf(input, () => {
    const { signature } = sent()
    return [authorization, signature, encodeURIComponent(signature)]
  })
  return {
    form: built.form,
    authorization,
    scrubber,
    scheme,
    signed: () => {
      const { oauth, signature } = sent()
      const masked = built.form.map((field): Parameter => [field.name, redactField(field, scrubber)])
      const baseString = signatureBaseString({ method: 'POST', url, parameters: [...masked, ...oauth] })
      return { operation: subject.name, login, scheme, fingerprint: fingerprint(signature), baseString }
    },
  }
}

/** Checks that the merchant has the key that a request is signed with. @throws {@link InvalidRequestError} naming it. */
export function checkKeys(input: CheckedCall): void {
  const { plan, settings } = input
  if (plan.signing.scheme !== 'control') requestSigner(input, plan.signing.scheme)
  else if (settings.controlKey === undefined) refuseKeyless(input, 'controlKey', 'a control value')
}

function requestSigner(input: CheckedCall, scheme: OAuthScheme): RequestSigner {
  const { settings } = input
  const known = signersOf(settings).get(scheme)
  if (known !== undefined) return known
  const keyEncoding = settings.profile.hmacKeyEncoding.value
  const signer =
    scheme === 'oauth-hmac-sha1'
      ? hmacSha1Signer({
          consumerSecret: settings.controlKey ?? refuseKeyless(input, 'controlKey', 'HMAC-SHA1'),
          keyEncoding,
        })
      : rsaSha256Signer(settings.privateKey ?? refuseKeyless(input, 'privateKey', 'RSA-SHA256'))
  const made = createRequestSigner({ consumerKey: settings.login, signer })
  signersOf(settings).set(scheme, made)
  return made
}

/** Kept with the settings that the merchant's keys are in. */
const signersOf = /* @__PURE__ */ oncePer((_settings: Settings) => new Map<OAuthScheme, RequestSigner>())

function refuseKeyless({ subject, settings }: CheckedCall, option: 'controlKey' | 'privateKey', scheme: string): never {
  throw invalidRequest(subject, {
    field: option,
    problem: `it is authenticated with ${scheme}, and the merchant ${JSON.stringify(settings.login)} has no "${option}". ${unsetVariable}`,
  })
}

/** The scrubber of a request. @param computed What was computed with a key, in every form it is written in. */
function scrubberOf({ built: { form }, settings }: CallContext, computed: () => readonly string[]): Scrubber {
  return createScrubber(() => {
    const expireYears = textsShownAs(form, ['expireYear'])
    return {
      texts: [...computed(), settings.controlKey ?? '', settings.previousControlKey ?? ''],
      cardNumbers: textsShownAs(form, cardNumberFields),
      digits: [...textsShownAs(form, ['cvv2']), ...expireYears],
      expiry: { month: textsShownAs(form, ['expireMonth'])[0] ?? '', year: expireYears[0] ?? '' },
      unshown: () => form.filter(isUnshown).map(({ value }) => value),
    }
  })
}

/** Half of a surrogate pair has no encoded form; the mistake is reported where the body is encoded. */
const isUnshown = (field: Form[number]): boolean =>
  !hasHalfPair(field.value) && redactField(field, asItIs) !== field.value

const asItIs: Scrubber = { exact: text => text, prose: text => text, broken: text => text }

const fingerprint = (secret: string): string => nodeCrypto().createHash('sha256').update(secret, 'utf8').digest('hex')
