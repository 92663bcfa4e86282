/**
 * The form of a request: its fields and texts in order, signed and sent as they are.
 *
 * @module
 */
import { type AnyOperation, cardFieldOf, type WireProfile, wireNames } from '@tillkit/protocol'
import { formBodyField } from '@tillkit/signing'
import type { Endpoint } from '../config/addresses.js'
import type { Settings } from '../config/settings.js'
import { type Form, type FormField, hasText, shapeOf } from './form.js'
import type { OperationPlan } from './operation-plan.js'
import { type Address, rememberedAddress } from './remembered-address.js'
import type { ValidRequest } from './validate-request.js'

/** Where a request goes and what its body says, before it is authenticated. */
export interface BuiltRequest {
  /** Base address, the operation's path, the endpoint. */
  readonly address: Address
  readonly form: Form
}

/** What a form is built from. */
export interface BuildRequestInput {
  readonly row: AnyOperation
  readonly plan: OperationPlan
  readonly checked: ValidRequest
  readonly endpoint: Endpoint
  readonly settings: Pick<Settings, 'baseUrl' | 'profile' | 'login' | 'serverCallbackUrl'>
}

/**
 * Builds address and form: the login where the operation wants it in the body, the fields in the caller's order, the
 * default callback address, `extra`.
 *
 * @see Interface specification, section 4
 */
export function buildRequest({ row, plan, checked, endpoint, settings }: BuildRequestInput): BuiltRequest {
  const { login } = settings
  const callback = defaultCallback({ row, checked, settings })
  const address = addressOf({ row, endpoint, settings })
  const { values, extra } = checked
  if (!plan.carriesLogin && callback === undefined && extra.length === 0) return { address, form: values }
  const own = (field: string): FormField => plan.field(field) ?? { ...formBodyField(field), field, shownAs: field }
  const fields = [
    ...(plan.carriesLogin ? [own('login')] : []),
    ...values.shape.fields,
    ...(callback === undefined ? [] : [own('serverCallbackUrl')]),
    ...extra.map(([name]): FormField => ({ ...formBodyField(name), field: undefined, shownAs: cardFieldOf(name) })),
  ]
  const texts = [
    ...(plan.carriesLogin ? [login] : []),
    ...values.texts,
    ...(callback === undefined ? [] : [callback]),
    ...extra.map(([, value]) => value),
  ]
  return { address, form: { shape: shapeOf(fields), texts } }
}

type AddressInput = Pick<BuildRequestInput, 'row' | 'endpoint' | 'settings'>

/** For each client or merchant the last address of each operation: nearly always the next one's too. */
const lastAddresses = new WeakMap<
  AddressInput['settings'],
  WeakMap<AnyOperation, { readonly endpoint: Endpoint; readonly address: Address }>
>()

function addressOf({ row, endpoint, settings }: AddressInput): Address {
  const ofRows = lastAddresses.get(settings)
  const last = ofRows?.get(row)
  if (last !== undefined && last.endpoint === endpoint) return last.address
  const { baseUrl, profile } = settings
  const path = `${row.path}${groupSegment(row, { endpoint, profile })}/${endpoint.id}`
  const address = rememberedAddress(`${baseUrl.origin}${baseUrl.prefix}${path}`)
  lastAddresses.set(settings, (ofRows ?? new WeakMap()).set(row, { endpoint, address }))
  return address
}

/** The path of an operation with a placeholder for the endpoint: one of few, while paths are as many as endpoints. */
export function pathTemplate({ row, endpoint, settings }: Omit<BuildRequestInput, 'checked' | 'plan'>): string {
  const { baseUrl, profile } = settings
  const placeholder = endpoint.isGroup ? '{endpointGroupId}' : '{endpointId}'
  return `${baseUrl.prefix}${row.path}${groupSegment(row, { endpoint, profile })}/${placeholder}`
}

function groupSegment(
  row: AnyOperation,
  { endpoint, profile }: { readonly endpoint: Endpoint; readonly profile: WireProfile },
): string {
  const { segment, without } = profile.groupPath.value
  return endpoint.isGroup && !without.includes(row.name) ? `/${segment}` : ''
}

function defaultCallback({ row, checked, settings }: Omit<BuildRequestInput, 'endpoint' | 'plan'>): string | undefined {
  const { serverCallbackUrl } = settings
  if (serverCallbackUrl === undefined) return undefined
  const { values, extra } = checked
  const names = ['serverCallbackUrl', 'notifyUrl'] as const
  const isSet = names.some(field => hasText(values, field) || extra.some(([name]) => name === wireNames[field]))
  return row.effect === 'creates' && row.takes?.callback === true && !isSet ? serverCallbackUrl : undefined
}
