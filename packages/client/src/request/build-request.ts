import { type AnyOperation, cardFieldOf, type WireProfile, wireName, wireNames } from '@tillkit/protocol'
import type { Endpoint, Settings } from '../config/settings.js'
import { textOf } from './form.js'
import type { BuiltRequest, FormField, OperationPlan, ValidRequest } from './types.js'

/** What a request is built from. */
export interface BuildRequestInput {
  readonly row: AnyOperation
  readonly plan: OperationPlan
  readonly request: ValidRequest
  readonly endpoint: Endpoint
  readonly settings: Pick<Settings, 'baseUrl' | 'profile' | 'login' | 'serverCallbackUrl'>
}

/**
 * Builds address and form: the login where the operation wants it in the body, the fields in the caller's order, the
 * default callback address, `extra`.
 *
 * @see Interface specification, section 4
 */
export function buildRequest(input: BuildRequestInput): BuiltRequest {
  const { row, plan, request, endpoint, settings } = input
  const { baseUrl, profile, login } = settings
  const own = (field: keyof typeof wireNames, value: string): FormField => {
    const name = wireName(field, { operation: row, profile }) ?? field
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
  const path = `${baseUrl.prefix}${plan.path}${groupSegment(row, { endpoint, profile })}/${endpoint.id}`
  return { address: { origin: baseUrl.origin, path }, form }
}

/** The path of an operation with a placeholder for the endpoint: one of few, while paths are as many as endpoints. */
export function pathTemplate({ row, endpoint, settings }: Omit<BuildRequestInput, 'request' | 'plan'>): string {
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

function defaultCallback({ row, request, settings }: BuildRequestInput): string | undefined {
  const { serverCallbackUrl } = settings
  if (serverCallbackUrl === undefined || row.effect !== 'creates' || row.takes?.callback !== true) return undefined
  const { values, extra } = request
  const names = ['serverCallbackUrl', 'notifyUrl'] as const
  const isSet = names.some(
    field => textOf(values, field) !== undefined || extra.some(([name]) => name === wireNames[field]),
  )
  return isSet ? undefined : serverCallbackUrl
}
