/** Holds requests and replies against docs/api/openapi.json. The schemas are judged by ajv, which shares nothing with our own checks. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema | boolean>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

export interface OpenApiOperation {
  readonly operationId: string
  readonly parameters: readonly { readonly $ref: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly requestBody: { readonly content: Content }
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>
}

interface Answer {
  readonly content: Content
}

interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, { readonly post: OpenApiOperation }>>
  readonly components: {
    readonly callbacks: { readonly outcome: Readonly<Record<string, Readonly<Record<string, CallbackOperation>>>> }
  }
}

interface CallbackOperation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
}

/** One request as it was sent, and what was answered. */
export interface Exchange {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
  readonly contentType: string
  readonly reply: string
}

const page = new URL('../../../docs/api/openapi.json', import.meta.url)
export const document: OpenApiDocument = JSON.parse(readFileSync(page, 'utf8'))

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true })
ajv.addFormat('int64', { type: 'number', validate: value => Number.isInteger(value) && Math.abs(value) <= 2 ** 63 })

/** What a reference names, or the thing itself. */
function resolve<Thing extends object>(thing: Thing | { readonly $ref: string } | undefined): Thing {
  if (thing === undefined || !('$ref' in thing)) return thing as Thing
  const steps = String(thing.$ref).slice('#/'.length).split('/')
  const found = steps.reduce<unknown>((place, step) => (place as Record<string, unknown>)[step], document)
  return found as Thing
}

/** What is wrong with a value, also each name that the schema does not list. */
function problemsOf(reference: Schema, value: object): string[] {
  const schema = resolve<Schema>(reference)
  const validate = ajv.compile(schema)
  const found = validate(value) ? [] : (validate.errors ?? [])
  const listed = Object.keys(schema.properties ?? {})
  return [
    ...found.map(({ instancePath, message }) => `${instancePath} ${message}`.trim()),
    ...Object.keys(value)
      .filter(name => !listed.includes(name))
      .map(name => `"${name}" is not in the document`),
  ]
}

/** The one path of the document that a request goes to. */
export function operationAt(path: string): { readonly operation: OpenApiOperation; readonly id: string } | undefined {
  const prefix = new URL(document.servers[0]?.url ?? '').pathname
  const found = Object.entries(document.paths).flatMap(([template, { post }]) => {
    const [before = '', after] = template.split(/\{\w+\}/)
    const start = `${prefix}${before}`
    const id = path.startsWith(start) ? path.slice(start.length) : ''
    return after === '' && id !== '' && !id.includes('/') ? [{ operation: post, id }] : []
  })
  return found.length === 1 ? found[0] : undefined
}

/** A form as the document says: its values are texts, and `true` or `false` where it says so. */
function decodeForm(body: string, reference: Schema): Record<string, unknown> {
  const { properties = {} } = resolve<Schema>(reference)
  const words = new Map([
    ['true', true],
    ['false', false],
  ])
  const isBoolean = (name: string) => {
    const schema = properties[name]
    return typeof schema === 'object' && schema.type === 'boolean'
  }
  const pairs = [...new URLSearchParams(body)]
  return Object.fromEntries(pairs.map(([name, text]) => [name, isBoolean(name) ? (words.get(text) ?? text) : text]))
}

export function requestProblems({ path, headers, body }: Pick<Exchange, 'path' | 'headers' | 'body'>): string[] {
  const place = operationAt(path)
  if (place === undefined) return [`${path} is no path of the document, or several`]
  const { operation, id } = place
  const [parameter] = operation.parameters.map(each => resolve<{ readonly schema: Schema }>(each))
  const isInteger = /^\d+$/.test(id) && parameter !== undefined && ajv.validate(parameter.schema, Number(id))
  const [mediaType = '', content] = Object.entries(operation.requestBody.content)[0] ?? []
  const { content: answers } = resolve<Answer>(operation.responses['200'])
  const [scheme] = operation.security.flatMap(Object.keys)
  const method = /oauth_signature_method="([\w-]+)"/.exec(headers.authorization ?? '')?.[1]
  return [
    ...(isInteger ? [] : [`${id} is no 64-bit integer`]),
    ...(headers.accept === Object.keys(answers)[0] ? [] : ['Accept is not the media type of the reply']),
    ...(headers['content-type'] === mediaType ? [] : ['Content-Type is not that of the document']),
    ...(scheme === (method && `oauth-${method.toLowerCase()}`) ? [] : [`signed with ${method}, not ${scheme}`]),
    ...(content === undefined ? [] : problemsOf(content.schema, decodeForm(body, content.schema))),
  ]
}

export function replyProblems({ path, status, contentType, reply }: Omit<Exchange, 'headers' | 'body'>): string[] {
  const responses = operationAt(path)?.operation.responses ?? {}
  const response = responses[status] ?? responses[`${String(status)[0]}XX`]
  if (response === undefined) return [`HTTP ${status} is not in the document`]
  const { content } = resolve<Answer>(response)
  const schema = content[contentType]?.schema
  return schema === undefined ? [`${contentType} is not in the document`] : problemsOf(schema, JSON.parse(reply))
}
