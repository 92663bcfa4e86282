import {
  cardNumberFields,
  createScrubber,
  type FieldText,
  type ResolvedSigning,
  redactField,
  type Scrubber,
} from '@tillkit/protocol'
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
import type { CallContext } from '../call/exchange.js'
import { nodeCrypto } from '../config/lazy.js'
import type { Settings } from '../config/settings.js'
import type { SignedRequest } from '../diagnostics/observer.js'
import { invalidRequest } from '../errors/invalid-request.js'
import { unsetVariable } from '../errors/messages.js'
import { type Form, type FormField, fieldNamed, shapeOf, textOf, textsShownAs } from './form.js'

/** What is authenticated, and with what. */
export type AuthenticateInput = Pick<CallContext, 'subject' | 'plan' | 'built' | 'checked' | 'settings'> & {
  readonly options: Pick<CallContext['options'], 'endpoint'>
}

/** A request that may be sent. */
export interface AuthenticatedRequest {
  /** What is sent, in order. */
  readonly form: Form
  /** Value of the `Authorization` header; absent for scheme `control`. */
  readonly authorization?: string
  readonly scheme: ResolvedSigning['scheme']
  /** Works out what may be seen of it. */
  readonly signed: () => SignedRequest
  /** Takes the secrets of this request out of text. */
  readonly scrubber: Scrubber
}

/**
 * Authenticates a request: appends the control value, or signs exactly the fields and texts that are sent.
 *
 * @returns A promise only where a signer may take its time.
 * @throws {@link InvalidRequestError} when the key of the scheme is missing, or a value cannot be signed.
 * @see Interface specification, section 5
 */
export function signRequest(input: AuthenticateInput): AuthenticatedRequest | Promise<AuthenticatedRequest> {
  const { signing } = input.plan
  try {
    return signing.scheme === 'control'
      ? withControlValue(input, signing.items)
      : withHeader(input, signing.scheme).catch(cause => {
          throw asMistake(input, cause)
        })
  } catch (cause) {
    throw asMistake(input, cause)
  }
}

function asMistake({ subject, built }: AuthenticateInput, cause: unknown): unknown {
  if (!(cause instanceof SigningError)) return cause
  const named = 'field' in cause && typeof cause.field === 'string' ? cause.field : 'controlKey'
  // A header is of wire names.
  const field = fieldNamed(built.form, named) ?? named
  return invalidRequest(subject, { field, problem: cause.message, cause })
}

function withControlValue(input: AuthenticateInput, items: readonly string[]): AuthenticatedRequest {
  const { subject, plan, built, settings } = input
  const key = needed(input, 'controlKey', 'a control value')
  const values: Record<string, string> = {}
  for (const item of items) values[item] = itemValue(input, item)
  const control = controlValue(items, values, key, { encoding: settings.profile.controlEncoding.value })
  const scrubber = requestScrubber(input, control)
  const { shape, texts } = built.form
  return {
    form: { shape: shape.withControl ?? shapeOf([...shape.fields, plan.controlField]), texts: [...texts, control] },
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

function itemValue({ checked, options, settings }: AuthenticateInput, item: string): string {
  if (item === 'endpointId') return options.endpoint.id
  if (item === 'login') return settings.login
  if (item === 'amount') return checked.minorUnits
  const absent = item === 'clientOrderId' ? settings.profile.absentClientOrderId.value : ''
  return textOf(checked.values, item) ?? absent
}

const shownItem = (name: string, value: string, scrubber: Scrubber): string =>
  name === 'endpointId' ? value : redactField({ shownAs: name, value }, scrubber)

async function withHeader(
  input: AuthenticateInput,
  scheme: Exclude<ResolvedSigning['scheme'], 'control'>,
): Promise<AuthenticatedRequest> {
  const { subject, built, settings } = input
  const { url } = built.address
  const { shape, texts } = built.form
  const parameters = shape.fields.map(({ name }, at): Parameter => [name, texts[at] ?? ''])
  const authorization = await requestSignerOf(input, scheme).header({
    url,
    parameters,
    timestamp: Math.floor(settings.clock() / 1000),
    nonce: settings.nonce(),
  })
  const scrubber = requestScrubber(input, authorization)
  return {
    form: built.form,
    authorization,
    scrubber,
    scheme,
    signed: () => {
      const mask = masker(shape.fields, scrubber)
      const oauth = parseAuthorizationHeader(authorization)?.parameters ?? []
      const masked = [...parameters, ...oauth].map(([name, value]): Parameter => [name, mask(name, value)])
      const baseString = signatureBaseString({ method: 'POST', url, parameters: masked })
      const { login } = settings
      return {
        operation: subject.name,
        login,
        scheme,
        fingerprint: fingerprint(signatureOf(authorization)),
        baseString,
      }
    },
  }
}

type OAuthScheme = 'oauth-hmac-sha1' | 'oauth-rsa-sha256'

/** Signers of a merchant's requests, kept with the settings that its keys are in. */
const requestSigners = new WeakMap<Settings, Map<OAuthScheme, RequestSigner>>()

function requestSignerOf(input: AuthenticateInput, scheme: OAuthScheme): RequestSigner {
  const { settings } = input
  const keyEncoding = settings.profile.hmacKeyEncoding.value
  const known = requestSigners.get(settings)?.get(scheme)
  if (known !== undefined) return known
  const signer =
    scheme === 'oauth-hmac-sha1'
      ? hmacSha1Signer({ consumerSecret: needed(input, 'controlKey', 'HMAC-SHA1'), keyEncoding })
      : rsaSha256Signer(needed(input, 'privateKey', 'RSA-SHA256'))
  const made = createRequestSigner({ consumerKey: settings.login, signer })
  requestSigners.set(settings, (requestSigners.get(settings) ?? new Map()).set(scheme, made))
  return made
}

function needed<Option extends 'controlKey' | 'privateKey'>(
  { subject, settings }: AuthenticateInput,
  option: Option,
  scheme: string,
): NonNullable<Settings[Option]> {
  const key = settings[option]
  if (key !== undefined) return key as NonNullable<Settings[Option]>
  throw invalidRequest(subject, {
    field: option,
    problem: `it is authenticated with ${scheme}, and the merchant ${JSON.stringify(settings.login)} has no "${option}". ${unsetVariable}`,
  })
}

function masker(fields: readonly FormField[], scrubber: Scrubber) {
  const byName = new Map(fields.map(field => [field.name, field]))
  return (name: string, value: string): string =>
    !byName.has(name) && name.startsWith('oauth_')
      ? value
      : redactField({ shownAs: byName.get(name)?.shownAs, value }, scrubber)
}

const fingerprint = (secret: string): string => nodeCrypto().createHash('sha256').update(secret, 'utf8').digest('hex')

/**
 * Makes the scrubber of a request.
 *
 * @param computed What was computed with a key: its control value, or its `Authorization` header.
 */
export function requestScrubber({ plan, built: { form }, settings }: AuthenticateInput, computed: string): Scrubber {
  return createScrubber(() => {
    const expireYears = textsShownAs(form, ['expireYear'])
    return {
      texts: [
        ...(plan.signing.scheme === 'control' ? [computed] : inHeader(computed)),
        settings.controlKey ?? '',
        settings.previousControlKey ?? '',
      ],
      cardNumbers: textsShownAs(form, cardNumberFields),
      digits: [...textsShownAs(form, ['cvv2']), ...expireYears],
      expiry: { month: textsShownAs(form, ['expireMonth'])[0] ?? '', year: expireYears[0] ?? '' },
      unshown: () => form.texts.filter((value, at) => isUnshown({ shownAs: form.shape.fields[at]?.shownAs, value })),
    }
  })
}

/** What of a header is never shown: the whole of it, and its signature, decoded or encoded. */
function inHeader(authorization: string): readonly string[] {
  const signature = signatureOf(authorization)
  return [authorization, signature, encodeURIComponent(signature)]
}

/** The signature in an `Authorization` header; `''` where there is none. */
export const signatureOf = (authorization: string): string =>
  new Map(parseAuthorizationHeader(authorization)?.parameters).get('oauth_signature') ?? ''

/** Half of a surrogate pair has no encoded form; the mistake is reported where the body is encoded. */
const isUnshown = (field: FieldText): boolean =>
  !/\p{Surrogate}/u.test(field.value) && redactField(field, asItIs) !== field.value

const asItIs: Scrubber = { exact: text => text, prose: text => text, broken: text => text }
