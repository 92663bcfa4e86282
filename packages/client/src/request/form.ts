import { cardFieldOf, cardFields, wireName, wireNames } from '@tillkit/protocol'
import { encodeForm, InvalidInputError } from '@tillkit/signing'
import packageJson from '../../package.json' with { type: 'json' }
import { nodeCrypto, oncePer } from '../config/lazy.js'
import type { Endpoint, Settings } from '../config/settings.js'
import { invalidRequest, type RequestSubject } from '../errors/messages.js'
import type { WireRequest } from '../transport/types.js'
import type { AuthenticatedRequest, BuiltRequest, Form, FormField, OperationPlan, ValidRequest } from './types.js'

interface BuildRequestInput {
  readonly plan: OperationPlan
  readonly request: Pick<ValidRequest, 'values' | 'extra'>
  readonly endpoint: Endpoint
  readonly settings: Pick<Settings, 'baseUrl' | 'login' | 'serverCallbackUrl'>
}

/** Builds address and form. @see Interface specification, section 4 */
export function buildRequest(input: BuildRequestInput): BuiltRequest {
  const { plan, request, endpoint, settings } = input
  const { baseUrl, login } = settings
  const own = (field: keyof typeof wireNames, value: string): FormField => {
    const name = wireName(field, { operation: plan.row, profile: plan.profile }) ?? field
    return { name, value, field, shownAs: field }
  }
  const callback = defaultCallback(input)
  const { values, extra } = request
  const hasMore = plan.carriesLogin || callback !== undefined || extra.length > 0
  const form = !hasMore
    ? values
    : [
        ...(plan.carriesLogin ? [own('login', login)] : []),
        ...values,
        ...(callback === undefined ? [] : [own('serverCallbackUrl', callback)]),
        ...extra.map(([name, value]): FormField => ({ name, value, field: undefined, shownAs: cardFieldOf(name) })),
      ]
  const path = `${baseUrl.prefix}${plan.path}${groupSegment(plan, endpoint)}/${endpoint.id}`
  return { origin: baseUrl.origin, path, form }
}

/** The path of an operation with a placeholder for the endpoint: one of few, while paths are as many as endpoints. */
export function pathTemplate({ plan, endpoint, settings }: Omit<BuildRequestInput, 'request'>): string {
  const placeholder = endpoint.isGroup ? '{endpointGroupId}' : '{endpointId}'
  return `${settings.baseUrl.prefix}${plan.row.path}${groupSegment(plan, endpoint)}/${placeholder}`
}

function groupSegment({ row, profile }: OperationPlan, endpoint: Endpoint): string {
  const { segment, without } = profile.groupPath.value
  return endpoint.isGroup && !without.includes(row.name) ? `/${segment}` : ''
}

function defaultCallback({ plan, request, settings }: BuildRequestInput): string | undefined {
  const { serverCallbackUrl } = settings
  const { effect, takes } = plan.row
  if (serverCallbackUrl === undefined || effect !== 'creates' || takes?.callback !== true) return undefined
  const { values, extra } = request
  const names = ['serverCallbackUrl', 'notifyUrl'] as const
  const isSet = names.some(
    field => textOf(values, field) !== undefined || extra.some(([name]) => name === wireNames[field]),
  )
  return isSet ? undefined : serverCallbackUrl
}

/**
 * Encodes a request as it goes over the wire: headers, and the body from the form that was signed. A value with half of a
 * surrogate pair is refused, for it has no UTF-8 form. @see Interface specification, section 4
 */
export function wireRequest(
  subject: RequestSubject,
  { origin, path }: BuiltRequest,
  { form, authorization }: AuthenticatedRequest,
): WireRequest {
  return {
    origin,
    path,
    headers: authorization === undefined ? commonHeaders : { ...commonHeaders, authorization },
    body: encode(subject, form),
  }
}

/** The media type of every reply, and of `Accept`. @see Interface specification, section 4 */
export const mediaType = 'application/vnd.pay+json'

const commonHeaders = Object.freeze({
  accept: mediaType,
  // Without it a server may compress its answer: RFC 9110 section 12.5.3.
  'accept-encoding': 'identity',
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': `tillkit/${packageJson.version}`,
})

/** Checks that a form can be sent. @throws {@link InvalidRequestError} naming the field that cannot. */
export function checkEncodable(subject: RequestSubject, form: Form): void {
  if (form.some(({ name, value }) => hasHalfPair(name) || hasHalfPair(value))) encode(subject, form)
}

function encode(subject: RequestSubject, form: Form): Uint8Array {
  try {
    // All of it is ASCII.
    return Buffer.from(encodeForm(form.map(({ name, value }) => [name, value])), 'latin1')
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) throw cause
    const at = form.find(({ name, value }) => hasHalfPair(name) || hasHalfPair(value))
    const field = at?.field ?? at?.name ?? 'request'
    throw invalidRequest(subject, { field, problem: cause.message, cause })
  }
}

/**
 * Left out, so the same order paid with another card has the same fingerprint; and so has the same hosted form asked for
 * again, whose return address carries a state that is made anew each time.
 */
const leftOut: ReadonlySet<string | undefined> = new Set<string>([...cardFields, 'redirectUrl'])

/**
 * Fingerprint of a request: tells whether two requests say the same, without saying what.
 *
 * HMAC-SHA256, lower-case hex (adr/0031). Its key is derived from the merchant's own keys, so that stored fingerprints alone
 * are not enough to try amounts against them. The text begins with the path below the base address, which identifies
 * nothing: adr/0035. A line follows for each field, ordered by name and then value: both, each after its length in UTF-16
 * code units, such as `6:amount5:10.42`. No value can pass for another field.
 */
export function requestFingerprint({ path, form }: Pick<BuiltRequest, 'path' | 'form'>, settings: Settings): string {
  const lines = form
    .filter(({ shownAs }) => !leftOut.has(shownAs))
    .sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value))
    .map(({ name, value }: FormField) => `\n${name.length}:${name}${value.length}:${value}`)
  const text = path.slice(settings.baseUrl.prefix.length) + lines.join('')
  return nodeCrypto().createHmac('sha256', keyOf(settings)).update(text, 'utf8').digest('hex')
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Kept with the settings that the merchant's keys are in. */
const keyOf = /* @__PURE__ */ oncePer(({ controlKey, privateKey, login }: Settings) => {
  const { createHash, createSecretKey } = nodeCrypto()
  const secret = controlKey ?? privateKey?.key.export({ type: 'pkcs8', format: 'der' }) ?? login
  const key = createHash('sha256').update('tillkit attempt fingerprint\n').update(secret).digest('hex')
  return createSecretKey(key, 'utf8')
})

/** The value of a field of the record; `undefined` where it is absent. */
export function textOf(form: Form, field: string): string | undefined {
  for (const each of form) if (each.field === field) return each.value
  return undefined
}

/** The values of all fields that are redacted as one of these. */
export const textsShownAs = (form: Form, names: readonly string[]): readonly string[] =>
  form.filter(({ shownAs = '' }) => names.includes(shownAs)).map(({ value }) => value)

export const recordOf = (form: Form): Readonly<Record<string, string>> =>
  Object.fromEntries(form.flatMap(({ field, value }) => (field === undefined ? [] : [[field, value] as const])))

/** Whether a text holds half of a surrogate pair, which has no UTF-8 form. */
export const hasHalfPair = (text: string): boolean => /\p{Surrogate}/u.test(text)
