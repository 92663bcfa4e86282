import { type ControlRoute, controlPath, controlRoutes, objectSchema } from './routes.js'

/** Describes the control API as OpenAPI 3.1, by its tables. */
export function controlDocument(): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(controlRoutes)) {
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
  }
}

function operation(operationId: string, { method, path, does, input }: ControlRoute) {
  const fields = Object.entries(input)
  const inPath = (name: string): boolean => path.includes(`{${name}}`)
  const inBody = method === 'POST' ? fields.filter(([name]) => !inPath(name)) : []
  const parameters = fields
    .filter(field => !inBody.includes(field))
    .map(([name, { optional, description, ...schema }]) => ({
      name,
      in: inPath(name) ? 'path' : 'query',
      required: optional !== true,
      description,
      schema,
    }))
  const schema = { ...objectSchema(Object.fromEntries(inBody)), additionalProperties: false }
  const content = { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } }
  return {
    operationId,
    summary: does,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(inBody.length === 0 ? {} : { requestBody: { required: schema.required !== undefined, content } }),
    responses: { 200: { description: 'Done, as JSON.' }, default: { description: 'Not done: "error" says why.' } },
  }
}
