import { decodeForm } from '@tillkit/signing'
import type { GatewayRequest } from '@tillkit/testing/gateway'
import { schemaProblems } from '../../schema.js'
import {
  type ControlField,
  type ControlFields,
  type ControlInput,
  type ControlRouteName,
  controlPath,
  controlRoutes,
  objectSchema,
} from './routes.js'

/** Why a request is not carried out. It becomes the answer. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Finds the route of a request, and what its path says. @throws {@link ControlError} when there is none. */
export function findControlRoute(path: string, method: string): { readonly name: ControlRouteName; input: SentInput } {
  const rest = path.slice(controlPath.length).replace(/\/$/, '') || '/'
  const here = (Object.keys(controlRoutes) as ControlRouteName[]).flatMap(name => {
    const pattern = controlRoutes[name].path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]*)').replace('.', '\\.')
    const found = new RegExp(`^${pattern}$`).exec(rest)
    return found === null ? [] : [{ name, segments: Object.entries(found.groups ?? {}) }]
  })
  const found = here.find(({ name }) => controlRoutes[name].method === (method === 'HEAD' ? 'GET' : method))
  if (found !== undefined) {
    return { name: found.name, input: Object.fromEntries(found.segments.map(([name, text]) => [name, decoded(text)])) }
  }
  const methods = here.map(({ name }) => controlRoutes[name].method)
  if (methods.length > 0) throw new ControlError(405, `This path takes ${methods.join(' and ')}.`)
  const paths = [...new Set(Object.values(controlRoutes).map(route => `${controlPath}${route.path}`))]
  throw new ControlError(404, `Nothing is at this path. There are: ${paths.join(', ')}.`)
}

/** Decodes a part of a path. @throws {@link ControlError} where it is not percent-encoded. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ControlError(400, 'The path is not percent-encoded as it should be.')
  }
}

/** What was sent, by field name. Text may stand for a number: forms and queries have nothing else. */
export type SentInput = Readonly<Record<string, unknown>>

/** Reads the query and the body of a request. @throws {@link ControlError} when the body is neither JSON nor a form. */
export function readSentInput({ method, url, headers, body }: GatewayRequest): SentInput {
  const query = Object.fromEntries(url.searchParams)
  const text = Buffer.from(body).toString('utf8').trim()
  if (method === 'GET' || method === 'HEAD' || text === '') return query
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  // What `curl -d '{…}'` sends calls itself a form.
  const isJson = mediaType.endsWith('json') || text.startsWith('{')
  try {
    const value: unknown = isJson ? JSON.parse(text) : Object.fromEntries(decodeForm(text))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...query, ...value }
  } catch {
    // Refused below.
  }
  throw new ControlError(400, isJson ? 'The body is no JSON object.' : 'The body is neither a JSON object nor a form.')
}

/** Checks what was sent against the fields of a route; an empty text counts as left out. @throws {@link ControlError} */
export function readControlInput<Name extends ControlRouteName>(name: Name, sent: SentInput): ControlInput<Name> {
  const fields: ControlFields = controlRoutes[name].input
  const isLeftOut = (value: unknown): boolean => value === undefined || value === null || value === ''
  const given = Object.entries(sent).filter(([field, value]) => !(Object.hasOwn(fields, field) && isLeftOut(value)))
  const read = Object.fromEntries(given.map(([field, value]) => [field, readNumber(value, fields[field])]))
  const [problem] = schemaProblems(read, { ...objectSchema(fields), additionalProperties: false }, 'The request')
  if (problem !== undefined) throw new ControlError(400, problem)
  return read as ControlInput<Name>
}

/** A text of digits is a number where the field is one. */
function readNumber(value: unknown, field: ControlField | undefined): unknown {
  const isNumber = field?.type === 'integer' || field?.type === 'number'
  return isNumber && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}
