/**
 * Authentication of a request in the scheme of its operation.
 *
 * @module
 */
import { cardNumberFields, type ResolvedSigning } from '@tillkit/protocol'
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
  toMinorUnits,
} from '@tillkit/signing'
import type { BuiltRequest, FormField } from './build-request.js'
import type { Endpoint } from './endpoint.js'
import { type FieldTexts, textOf } from './field-texts.js'
import { nodeCrypto } from './node-modules.js'
import type { SignedRequest } from './observer.js'
import type { OperationPlan } from './operation-plan.js'
import { redactField } from './redact.js'
import { type RequestSubject, requestMistake } from './request-mistake.js'
import { type Scrubber, scrubberWhenNeeded } from './scrub.js'
import type { Settings } from './settings.js'
import { whenNeeded } from './when-needed.js'
import { unsetVariable } from './wording.js'

/** What is authenticated, and with what. */
export interface AuthenticateInput {
  readonly subject: RequestSubject
  readonly plan: OperationPlan
  readonly built: BuiltRequest
  /** The record's fields as text. */
  readonly values: FieldTexts
  readonly endpoint: Endpoint
  readonly settings: Settings
}

/** A request that may be sent. */
export interface AuthenticatedRequest {
  /** What is sent, in order. */
  readonly form: readonly FormField[]
  /** Value of the `Authorization` header; absent for scheme `control`. */
  readonly authorization?: string
  readonly scheme: ResolvedSigning['scheme']
  /** What may be seen of it, worked out when somebody wants to see it. */
  readonly signed: () => SignedRequest
  /** Takes the secrets of this request out of text. */
  readonly scrubber: Scrubber
}

/**
 * Authenticates a request: appends the control value, or signs exactly the pairs that are sent.
 *
 * @returns A promise only where a signer may take its time.
 * @throws {@link InvalidRequestError} when the key of the scheme is missing, or a value cannot be signed.
 * @see Interface specification, section 5
 */
export function authenticate(input: AuthenticateInput): AuthenticatedRequest | Promise<AuthenticatedRequest> {
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
  const field = built.form.find(({ name }) => name === named)?.field ?? named
  return requestMistake(subject, { field, problem: cause.message, cause })
}

function withControlValue(input: AuthenticateInput, items: readonly string[]): AuthenticatedRequest {
  const { subject, plan, built, settings } = input
  const key = needed(input, 'controlKey', 'a control value')
  const values: Record<string, string> = {}
  for (const item of items) values[item] = itemValue(input, item)
  const { controlEncoding, controlField } = settings.profile
  const control = controlValue(items, values, key, { encoding: controlEncoding.value })
  const scrubber = scrubberOf(input, () => [control])
  return {
    form: [...built.form, { name: controlField.value, value: control, field: undefined, head: plan.controlHead }],
    scrubber,
    scheme: 'control',
    signed: whenNeeded(() => ({
      operation: subject.name,
      login: settings.login,
      scheme: 'control',
      fingerprint: fingerprint(control),
      items: items.map(name => ({ name, value: shownItem(name, values[name] ?? '', scrubber) })),
    })),
  }
}

function itemValue({ values, endpoint, settings }: AuthenticateInput, item: string): string {
  if (item === 'endpointId') return endpoint.id
  if (item === 'login') return settings.login
  const value = textOf(values, item) ?? ''
  if (item !== 'amount' || value === '') return value
  return toMinorUnits(value, textOf(values, 'currency') ?? '', settings.profile.minorUnits.value)
}

const shownItem = (name: string, value: string, scrubber: Scrubber): string =>
  name === 'endpointId' ? value : redactField({ field: name, value }, scrubber)

async function withHeader(
  input: AuthenticateInput,
  scheme: Exclude<ResolvedSigning['scheme'], 'control'>,
): Promise<AuthenticatedRequest> {
  const { subject, built, settings } = input
  const { url } = built.address
  const parameters = built.form.map(({ name, value }): Parameter => [name, value])
  const authorization = await requestSignerOf(input, scheme).header({
    url,
    parameters,
    timestamp: Math.floor(settings.clock() / 1000),
    nonce: settings.nonce(),
  })
  const signature = () => new Map(parseAuthorizationHeader(authorization)?.parameters).get('oauth_signature') ?? ''
  const scrubber = scrubberOf(input, () => [authorization, signature(), encodeURIComponent(signature())])
  return {
    form: built.form,
    authorization,
    scrubber,
    scheme,
    signed: whenNeeded(() => {
      const mask = masker(built.form, scrubber)
      const oauth = parseAuthorizationHeader(authorization)?.parameters ?? []
      const masked = [...parameters, ...oauth].map(([name, value]): Parameter => [name, mask(name, value)])
      const baseString = signatureBaseString({ method: 'POST', url, parameters: masked })
      const { login } = settings
      return { operation: subject.name, login, scheme, fingerprint: fingerprint(signature()), baseString }
    }),
  }
}

type OAuthScheme = 'oauth-hmac-sha1' | 'oauth-rsa-sha256'

/** Signers of a merchant's requests, kept with the settings that its keys are in. */
const requestSigners = new WeakMap<Settings, Map<OAuthScheme, RequestSigner>>()

function requestSignerOf(input: AuthenticateInput, scheme: OAuthScheme): RequestSigner {
  const { settings } = input
  const known = requestSigners.get(settings)?.get(scheme)
  if (known !== undefined) return known
  const signer =
    scheme === 'oauth-hmac-sha1'
      ? hmacSha1Signer({ consumerSecret: needed(input, 'controlKey', 'HMAC-SHA1') })
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
  throw requestMistake(subject, {
    field: option,
    problem: `it is authenticated with ${scheme}, and the merchant ${JSON.stringify(settings.login)} has no "${option}". ${unsetVariable}`,
  })
}

function masker(form: readonly FormField[], scrubber: Scrubber) {
  const byName = new Map(form.map(field => [field.name, field]))
  return (name: string, value: string): string => {
    const field = byName.get(name)
    if (field !== undefined) return redactField({ ...field, value }, scrubber)
    return name.startsWith('oauth_') ? value : redactField({ value }, scrubber)
  }
}

/** @param computed What was computed with a key. */
function scrubberOf({ built: { form }, settings }: AuthenticateInput, computed: () => readonly string[]): Scrubber {
  const valuesOf = (name: string) => form.filter(({ field }) => field === name).map(({ value }) => value)
  return scrubberWhenNeeded(
    () => ({
      texts: [...computed(), settings.controlKey ?? '', settings.alsoSecret ?? ''],
      cardNumbers: form.filter(isCardNumber).map(({ value }) => value),
    }),
    () => {
      const [expireMonths, expireYears] = [valuesOf('expireMonth'), valuesOf('expireYear')]
      return {
        digits: [...valuesOf('cvv2'), ...expireYears],
        expiry: { month: expireMonths[0] ?? '', year: expireYears[0] ?? '' },
        unshown: () => form.filter(isUnshown).map(({ value }) => value),
      }
    },
  )
}

const isCardNumber = ({ field }: FormField): boolean => field !== undefined && numberFields.includes(field)

const numberFields: readonly string[] = cardNumberFields

/** Half of a surrogate pair has no encoded form; the mistake is reported where the body is encoded. */
const isUnshown = (field: FormField): boolean =>
  !/\p{Surrogate}/u.test(field.value) && redactField(field, asItIs) !== field.value

const asItIs: Scrubber = { exact: text => text, prose: text => text, broken: text => text }

const fingerprint = (secret: string): string => nodeCrypto().createHash('sha256').update(secret, 'utf8').digest('hex')
