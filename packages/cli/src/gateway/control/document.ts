import { type ControlRoute, controlPath, controlRoutes } from './routes.js'
import type { ControlField, ControlFields } from './shapes.js'
import { controlShapes } from './shapes.js'

/** Describes the control API as OpenAPI 3.1. */
export function controlDocument(): Readonly<Record<string, unknown>> {
  const rows: readonly (readonly [string, ControlRoute])[] = Object.entries(controlRoutes)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of rows) {
    const path = `${controlPath}${route.path}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the Tillkit test gateway',
      version: '1',
      description:
        'Looks at a running test gateway and pushes it. It is answered to this machine only, and shows no secret.',
    },
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(controlShapes).map(([name, fields]) => [name, objectSchema(fields)])),
    },
  }
}

function operation(operationId: string, { method, path, does, input, output }: ControlRoute) {
  const places = Object.entries(input).map(([name, field]) => {
    const inPath = path.includes(`{${name}}`)
    return { name, field, place: inPath ? 'path' : method === 'POST' ? 'body' : 'query' }
  })
  const parameters = places
    .filter(({ place }) => place !== 'body')
    .map(({ name, field, place }) => ({
      name,
      in: place,
      required: field.optional !== true,
      description: field.means,
      schema: valueSchema(field),
    }))
  const body = places.filter(({ place }) => place === 'body').map(({ name, field }) => [name, field] as const)
  return {
    operationId,
    summary: does,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body.length === 0 ? {} : { requestBody: requestBody(Object.fromEntries(body)) }),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: reference(output) } } },
      default: {
        description: 'Not done, and why.',
        content: { 'application/json': { schema: reference('Failure') } },
      },
    },
  }
}

function requestBody(fields: ControlFields) {
  const schema = { ...objectSchema(fields), additionalProperties: false }
  const required = Object.values(fields).some(({ optional }) => optional !== true)
  return { required, content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } } }
}

function objectSchema(fields: ControlFields) {
  const required = Object.entries(fields).flatMap(([name, { optional }]) => (optional === true ? [] : [name]))
  const properties = Object.entries(fields).map(([name, field]) => [
    name,
    { description: field.means, ...valueSchema(field) },
  ])
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties),
  }
}

function valueSchema({ type, of, oneOf, least, most }: ControlField) {
  if (type === 'array') return { type, items: of === undefined || of === 'string' ? { type: 'string' } : reference(of) }
  if (type === 'object') return of === undefined ? { type } : reference(of)
  return {
    type,
    ...(oneOf === undefined ? {} : { enum: oneOf }),
    ...(least === undefined ? {} : { minimum: least }),
    ...(most === undefined ? {} : { maximum: most }),
  }
}

const reference = (shape: string) => ({ $ref: `#/components/schemas/${shape}` })
