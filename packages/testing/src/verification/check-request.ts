import {
  type AnyOperation,
  alternativeProblem,
  alternativesInWords,
  carriesLogin,
  excessLength,
  quote,
  resolveSigning,
} from '@tillkit/protocol'
import { InvalidInputError, type Parameter } from '@tillkit/signing'
import { type GatewayRequest, gatewayMediaType } from '../http/message.js'
import { isEndpointId } from '../merchants/merchants.js'
import { type GatewaySettings, takesGroupInPlainPath } from '../merchants/settings.js'
import { refuse } from '../replies/refusal.js'
import { wantsForm } from '../replies/reply.js'
import type { AcceptedCall, Fields, GatewayState } from '../state/gateway-state.js'
import { checkSignature } from './check-signature.js'
import {
  decodeBody,
  type FieldSource,
  fieldName,
  fieldsOfSpecification,
  missingStrictFields,
  readFields,
} from './fields.js'
import type { OperationRoute } from './route.js'

export interface IncomingCall {
  readonly request: GatewayRequest
  readonly route: OperationRoute
  readonly serialNumber: string
  readonly gateway: GatewayState
}

/** Reads the form of a request: method, `Accept`, media type, size, encoding, repeated parameters, misplaced `oauth_*`. */
export function readForm(request: GatewayRequest, settings: GatewaySettings): Parameter[] {
  const { method, headers, body, url } = request
  if (method !== 'POST') refuse('method', `The method is ${method.slice(0, 16)}; every operation takes POST.`)
  const { accept } = headers
  if (accept?.trim() !== gatewayMediaType && !wantsForm(request, settings)) {
    const found = accept === undefined ? 'missing' : quote(accept)
    refuse('accept', `The header "Accept" is ${found}; it must equal "${gatewayMediaType}" (section 4).`)
  }
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/x-www-form-urlencoded') {
    const found = mediaType === undefined ? 'missing' : quote(mediaType)
    refuse('media-type', `The header "Content-Type" is ${found}; it must be "application/x-www-form-urlencoded".`)
  }
  if (body.byteLength > settings.maxBodyBytes) {
    refuse('size', `The body is larger than ${settings.maxBodyBytes} bytes, the option "maxBodyBytes".`)
  }
  const parameters = readBody(body)
  const names = new Set<string>()
  const repeated = parameters.find(([name]) => names.size === names.add(name).size)?.[0]
  if (repeated !== undefined) refuse('repeated-parameter', `${quote(repeated)} is in the body more than once.`)
  const inQuery = url.search === '' ? [] : [...url.searchParams.keys()]
  const isOAuth = (name: string): boolean => name.startsWith('oauth_')
  const misplaced = parameters.find(([name]) => isOAuth(name))?.[0] ?? inQuery.find(isOAuth)
  if (misplaced !== undefined) {
    refuse(
      'oauth-in-body',
      `${quote(misplaced)} is outside the Authorization header, where every oauth_* parameter belongs (section 5.2, step 1).`,
    )
  }
  return parameters
}

function readBody(body: Uint8Array): Parameter[] {
  try {
    return decodeBody(body)
  } catch (error) {
    if (error instanceof InvalidInputError) refuse('form', error.message)
    refuse('form', 'The body is no text in UTF-8.')
  }
}

/** Checks who sends a form, and whether all of it is there: endpoint, signature, login, required fields. */
export async function checkCall(
  { request, route, serialNumber, gateway }: IncomingCall,
  parameters: readonly Parameter[],
): Promise<AcceptedCall> {
  const { settings } = gateway
  const { operation, row, endpointId } = route
  const ofEndpoint = checkEndpoint(route, settings)
  const source = { row, profile: settings.profile }
  const fields = readFields(parameters, source)
  const signing = resolveSigning(row, settings.profile)
  checkLengths(fields, source)
  const checking = checkSignature({ request, signing, parameters, fields, endpointId, gateway })
  if (checking !== undefined) await checking
  checkLogin(fields, { row, settings })
  const missing = row.required.filter(field => fields[field] === undefined)
  if (missing.length > 0)
    refuse('missing-field', `${quoted(missing.map(field => fieldName(field, source)))} is missing.`)
  checkAlternatives(fields, source)
  const advised = missingStrictFields(row.name, fields).map(any =>
    any.map(field => fieldName(field, source)).join('" or "'),
  )
  if (settings.strictFields && advised.length > 0) {
    refuse('missing-field', `${quoted(advised)} is missing: public documents require it ("strictFields").`)
  }
  const warnings = [
    ...ofEndpoint,
    ...respelled(parameters, source),
    ...advised.map(names => `"${names}" is missing; public documents require it`),
    ...usedAgain(fields, { source, gateway }),
  ]
  return { operation, row, endpointId, fields, serialNumber, warnings, struck: [], gateway }
}

/** Warns of fields that came as section 2 spells them, where public documents spell them otherwise. */
function respelled(parameters: readonly Parameter[], source: FieldSource): readonly string[] {
  const found = fieldsOfSpecification(parameters, source)
  if (found.length === 0) return []
  const names = (of: 'specified' | 'name') => quoted(found.map(each => each[of]))
  return [
    `${names('specified')}, as section 2 spells them, came for ${names('name')}, as public documents do; ` +
      'another gateway may take only the latter ("fieldNames" of the wire profile)',
  ]
}

/** Warns of a second order under one merchant order id: a real gateway may refuse it, or take the money again. */
function usedAgain(
  { clientOrderId, orderId }: Fields,
  { source, gateway }: { readonly source: FieldSource; readonly gateway: GatewayState },
): readonly string[] {
  const { login, profile } = gateway.settings
  const makesAnother = source.row.effect === 'creates' && orderId === undefined && clientOrderId !== undefined
  if (!makesAnother || profile.usedClientOrderId.value === 'refused') return []
  if (!gateway.orders.isTaken(clientOrderId, login)) return []
  const name = fieldName('clientOrderId', source)
  return [
    `"${name}" was used before, and this makes a second order; another gateway may refuse it ("usedClientOrderId" of the wire profile)`,
  ]
}

/** Checks fields of which the row demands one: a card or a reference to one, one id of an order or the other. */
function checkAlternatives(fields: Fields, source: FieldSource): void {
  const found = alternativeProblem(source.row, field => fields[field] !== undefined)
  if (found === undefined) return
  const name = (field: string) => fieldName(field, source)
  const needed = `This operation needs ${alternativesInWords(source.row, name)}`
  if (found.beside === undefined) refuse('missing-field', `"${name(found.field)}" is missing. ${needed}.`)
  refuse('invalid-field', `"${name(found.field)}" came together with "${name(found.beside)}". ${needed}, never two.`)
}

const quoted = (names: readonly string[]): string => names.map(name => `"${name}"`).join(', ')

/** @returns What to warn of. */
function checkEndpoint({ endpointId, group, row }: OperationRoute, settings: GatewaySettings): readonly string[] {
  if (endpointId === (group ? settings.endpointGroupId : settings.endpointId)) return []
  const taken = takesGroupInPlainPath(row, settings.profile)
  if (taken !== 'never' && endpointId === settings.endpointGroupId) {
    const { segment } = settings.profile.groupPath.value
    const warning =
      `the path names the endpoint group "${endpointId}" without "${segment}/", as section 4 shows it; ` +
      `public documents put "${segment}/" before it, ` +
      'and another gateway may refuse it ("groupPath" of the wire profile)'
    return taken === 'always' ? [] : [warning]
  }
  if (!isEndpointId(endpointId)) {
    refuse('endpoint', `The endpointId of the path is ${quote(endpointId)}, no 64-bit integer.`)
  }
  const what = group ? 'endpoint group' : 'endpoint'
  const known = settings.merchants.flatMap(({ endpoints }) => endpoints).filter(each => each.group === group)
  const ids = known.map(({ id }) => `"${id}"`)
  const here =
    ids.length === 0
      ? `there is none here (option "${group ? 'endpointGroupId' : 'endpointId'}")`
      : `${ids.length === 1 ? 'the one here is' : 'those here are'} ${ids.join(', ')}`
  return refuse('endpoint', `The path says endpointId "${endpointId}", an unknown ${what}: ${here}.`)
}

function checkLogin(
  { login }: Fields,
  { row, settings }: { readonly row: AnyOperation; readonly settings: GatewaySettings },
): void {
  if (login !== undefined && login !== settings.login) {
    refuse('login', `"login" is ${quote(login)}; the login here is "${settings.login}".`)
  }
  if (login === undefined && carriesLogin({ operation: row, profile: settings.profile })) {
    refuse('missing-field', '"login" is missing: the body of this operation carries the merchant login.')
  }
}

function checkLengths(fields: Fields, source: FieldSource): void {
  for (const field of Object.keys(fields)) {
    const value = fields[field] ?? ''
    const excess = excessLength({ field, value }, { operation: source.row, profile: source.profile })
    if (excess === undefined) continue
    const name = fieldName(field, source)
    refuse('invalid-field', `"${name}" has ${excess.length} characters; at most ${excess.most} are taken.`)
  }
}
