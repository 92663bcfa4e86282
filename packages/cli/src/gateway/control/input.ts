import { decodeForm } from '@tillkit/signing'
import type { GatewayRequest } from '@tillkit/testing/gateway'
import { type ControlRouteName, controlPath, controlRoutes } from './routes.js'
import type { ControlField, ControlFields, ControlInput } from './shapes.js'

/** Says what is wrong. Thrown inside the fake and turned into an answer. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  /** HTTP status of the answer. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A route and what its path says. */
export interface FoundControlRoute {
  readonly name: ControlRouteName
  readonly input: Readonly<Record<string, string>>
}

/**
 * Finds the route.
 *
 * @throws {@link ControlError} when there is none at the path, or none with the method.
 */
export function findControlRoute(path: string, method: string): FoundControlRoute {
  const rest = path.slice(controlPath.length).replace(/\/$/, '')
  const here = (Object.keys(controlRoutes) as ControlRouteName[]).flatMap(name => {
    const input = matchPath(controlRoutes[name].path, rest)
    return input === undefined ? [] : [{ name, input }]
  })
  const asked = method === 'HEAD' ? 'GET' : method
  const found = here.find(({ name }) => controlRoutes[name].method === asked)
  if (found !== undefined) return found
  const methods = here.map(({ name }) => controlRoutes[name].method)
  if (methods.length > 0) throw new ControlError(405, `This path takes ${methods.join(' and ')}.`)
  const paths = [...new Set(Object.values(controlRoutes).map(route => `${controlPath}${route.path}`))]
  throw new ControlError(404, `Nothing is at this path. There are: ${paths.join(', ')}.`)
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/').slice(1)
  const given = path === '' ? [''] : path.split('/').slice(1)
  if (wanted.length !== given.length) return undefined
  const input: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    if (name === undefined && segment !== value) return undefined
    if (name !== undefined) input[name] = decoded(value)
  }
  return input
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ControlError(400, 'The path is not percent-encoded as it should be.')
  }
}

/** What was sent, by field name. Text may stand for a number: forms and queries know nothing else. */
export type SentInput = Readonly<Record<string, unknown>>

/**
 * Takes what was sent apart.
 *
 * @throws {@link ControlError} when the body is neither JSON nor a form.
 */
export function readSentInput({ method, url, headers, body }: GatewayRequest): SentInput {
  const query = Object.fromEntries(url.searchParams)
  const text = Buffer.from(body).toString('utf8').trim()
  if (method === 'GET' || method === 'HEAD' || text === '') return query
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  // What `curl -d '{…}'` sends calls itself a form.
  const json = mediaType.endsWith('json') || text.startsWith('{')
  return { ...query, ...(json ? readJson(text) : readForm(text)) }
}

function readJson(text: string): SentInput {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as SentInput
  } catch {
    // Refused below.
  }
  throw new ControlError(400, 'The body is no JSON object.')
}

function readForm(text: string): SentInput {
  try {
    return Object.fromEntries(decodeForm(text))
  } catch {
    throw new ControlError(400, 'The body is neither a JSON object nor a form.')
  }
}

/**
 * Checks what was sent against the fields of a route. An empty text counts as left out.
 *
 * @throws {@link ControlError} that names the field.
 */
export function readControlInput<Fields extends ControlFields>(fields: Fields, sent: SentInput): ControlInput<Fields> {
  const names = Object.keys(fields)
  const unknown = Object.keys(sent).find(name => !names.includes(name))
  if (unknown !== undefined) {
    throw new ControlError(
      400,
      `There is no field ${JSON.stringify(unknown.slice(0, 40))} here. There is: ${names.join(', ') || 'none'}.`,
    )
  }
  const read = Object.entries(fields).map(([name, field]) => [name, readField(name, field, sent[name])])
  return Object.fromEntries(read) as ControlInput<Fields>
}

function readField(name: string, field: ControlField, value: unknown): string | number | undefined {
  if (value === undefined || value === null || value === '') {
    if (field.optional === true) return undefined
    throw new ControlError(400, `"${name}" is missing. ${field.means}`)
  }
  if (field.type === 'integer' || field.type === 'number') return readNumber(name, field, value)
  if (typeof value !== 'string') throw new ControlError(400, `"${name}" must be a text. ${field.means}`)
  if (field.oneOf !== undefined && !field.oneOf.includes(value)) {
    throw new ControlError(
      400,
      `"${name}" is ${JSON.stringify(value.slice(0, 40))}; it must be one of ${field.oneOf.join(', ')}.`,
    )
  }
  return value
}

function readNumber(name: string, { type, means, least, most }: ControlField, value: unknown): number {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  const whole = type === 'integer'
  if (typeof number !== 'number' || !Number.isFinite(number) || (whole && !Number.isSafeInteger(number))) {
    throw new ControlError(400, `"${name}" must be a ${whole ? 'whole ' : ''}number. ${means}`)
  }
  if (least !== undefined && number < least) {
    throw new ControlError(400, `"${name}" is ${number}; it must be ${least} or more. ${means}`)
  }
  if (most !== undefined && number > most) {
    throw new ControlError(400, `"${name}" is ${number}; it must be ${most} or less. ${means}`)
  }
  return number
}
