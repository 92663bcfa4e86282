/**
 * Describes the gateway's operations as an OpenAPI 3.1 document, out of the tables. `generate-docs.js` writes it.
 *
 * The accident it prevents: a description for code generators and API clients that somebody keeps by hand, beside the tables.
 * Tools make such documents from routes or from types; ours are made of neither.
 */
import {
  carriesLogin,
  maxLength,
  operations,
  defaultProfile as profile,
  replyFields,
  requiredReplyFields,
  resolveSigning,
  wireName,
} from '../packages/protocol/dist/index.js'
import { readOperationDocs } from './operation-docs.js'
import { readRecords } from './record-fields.js'

const mediaType = 'application/vnd.pay+json'
const errors = {
  400: 'The request is refused: nothing was made of it, unless the reply carries an order id.',
  401: 'Login, signature or control value are not accepted; 403 says the same. Nothing happened.',
  500: 'The gateway failed. Whether it acted is not known: ask status, and do not send the request again.',
}
/** Replies may write these as numbers, which may have more digits than a double keeps. */
const numbers = new Set(['orderId', 'endpointId', 'errorCode'])
const schemes = {
  'oauth-hmac-sha1':
    'OAuth 1.0a, RFC 5849, HMAC-SHA1 (RSA-SHA256 has a scheme of its own). The consumer key is the login, the consumer secret the control key; there is no token.',
  'oauth-rsa-sha256':
    'OAuth 1.0a, RFC 5849, with RSA-SHA256: PKCS#1 v1.5 over SHA-256, Base64. The consumer key is the login; there is no token.',
}
const withoutWireName = doc => doc.replace(/[;,] wire name `[^`]+`(?: \(assumed\))?/, '').trim()

/** The document as a value. */
export function openApiDocument() {
  const records = readRecords()
  const docs = readOperationDocs()
  const all = Object.entries(operations)
  const replies = new Set(all.map(([, { response }]) => response))
  return {
    openapi: '3.1.0',
    info: {
      title: 'The gateway that Tillkit speaks to',
      version: '1.0.0',
      summary: `${all.length} operations: payments, payouts, card references and status.`,
      description: [
        'Generated from the tables of `@tillkit/protocol`. The interface specification wins where this differs; what it leaves open is',
        'listed with its sources in docs/assumptions.md, and your gateway may do it otherwise.',
        `Every request needs the header \`Accept: ${mediaType}\`. A reply to a POST says that the gateway has the request, and not how it`,
        'ended: ask `status`. With a group of endpoints the path is `…/group/{endpointGroupId}` in place of `…/{endpointId}`.',
      ].join(' '),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: 'https://gate.example/paynet', description: 'An example: your gateway has its own host and prefix.' },
    ],
    tags: [
      { name: 'creates', description: 'Makes an order, which status finds by the merchant’s order id.' },
      { name: 'changes', description: 'Changes an order. Not to be sent again while its outcome is unknown.' },
      { name: 'reads', description: 'May be repeated freely.' },
    ],
    paths: Object.fromEntries(
      all.map(([name, row]) => [`${row.path}/{endpointId}`, { post: postOf(name, row, { records, docs }) }]),
    ),
    components: {
      parameters: {
        endpointId: {
          name: 'endpointId',
          in: 'path',
          required: true,
          description: 'Number of the merchant’s endpoint.',
          schema: { type: 'string' },
        },
      },
      securitySchemes: Object.fromEntries(
        Object.entries(schemes).map(([name, description]) => [name, { type: 'http', scheme: 'OAuth', description }]),
      ),
      schemas: {
        ...Object.fromEntries([...replies].sort().map(name => [name, replySchema(name, records)])),
        ErrorResponse: errorSchema(records),
      },
      responses: Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          `Error${status}`,
          { description, content: { [mediaType]: { schema: { $ref: '#/components/schemas/ErrorResponse' } } } },
        ]),
      ),
      callbacks: { outcome: callback() },
    },
  }
}

function postOf(name, row, { records, docs }) {
  const signing = resolveSigning(row, profile)
  const [summary = row.name, ...more] = docs.get(name) ?? []
  const isAssumed = row.signing.scheme === 'profile'
  const stages = row.stages.length === 0 ? [] : [`Starts the stage ${row.stages.join(' or ')}.`]
  return {
    operationId: name,
    tags: [row.effect],
    summary: summary.replaceAll('`', '').replace(/[.:](?: .*)?$/, ''),
    description: [
      summary,
      ...more,
      signing.scheme === 'control'
        ? `Signed with a control value over: ${signing.items.join(', ')}, control key${isAssumed ? ' (assumed)' : ''}.`
        : `Signed with ${signing.scheme}${isAssumed ? ' (assumed)' : ''}.`,
      ...stages,
    ].join('\n\n'),
    security: signing.scheme === 'control' ? [] : [{ [signing.scheme]: [] }],
    parameters: [{ $ref: '#/components/parameters/endpointId' }],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: requestSchema(row, { signing, records }) } },
    },
    responses: {
      200: {
        description: 'The gateway has the request. How it ends is for `status`.',
        content: { [mediaType]: { schema: { $ref: `#/components/schemas/${row.response}` } } },
      },
      ...Object.fromEntries(
        Object.keys(errors).map(status => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
    ...(row.takes?.callback === true && { callbacks: { outcome: { $ref: '#/components/callbacks/outcome' } } }),
  }
}

function requestSchema(row, { signing, records }) {
  const wire = field => wireName(field, { operation: row, profile })
  const fields = (records.get(row.request) ?? []).filter(({ kind }) => kind !== 'other')
  const login = carriesLogin({ operation: row, profile }) ? ['login'] : []
  const control = signing.scheme === 'control' ? [profile.controlField.value] : []
  const variants = (row.oneOf ?? []).map(({ needs, without = [] }) => ({
    required: needs.map(wire),
    ...(without.length > 0 && { properties: Object.fromEntries(without.map(field => [wire(field), false])) }),
  }))
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map(field => [wire(field.name), fieldSchema(field, row)])),
      ...(login.length > 0 && { login: { type: 'string', description: 'Login of the merchant.' } }),
      ...(control.length > 0 && {
        [control[0]]: {
          type: 'string',
          pattern: '^[0-9a-f]{40}$',
          description: 'SHA-1 over the items above, as lower-case hexadecimal (assumed).',
        },
      }),
    },
    required: [...new Set([...row.required.map(wire), ...login, ...control])],
    ...(variants.length > 0 && { oneOf: variants }),
  }
}

function fieldSchema({ name, doc, choices }, row) {
  const most = maxLength(name, { operation: row, profile })
  return {
    type: 'string',
    ...(choices !== undefined && { enum: choices }),
    ...(most !== undefined && { maxLength: most }),
    description: withoutWireName(doc),
  }
}

function replySchema(name, records) {
  const fields = (records.get(name) ?? []).filter(({ name }) => name in replyFields)
  const needed = requiredReplyFields(name).filter(field => field in replyFields)
  return {
    type: 'object',
    description: `A flat object; \`type\` is \`${profile.replyTypes.value[name]}\` (assumed). Names of fields are assumed, and others may come.`,
    properties: Object.fromEntries(fields.map(replyField)),
    required: needed.map(field => replyFields[field][0]),
  }
}

function errorSchema(records) {
  const { ValidationErrorResponse: refused, ServerErrorResponse: failed } = profile.replyTypes.value
  const fields = (records.get('ValidationErrorResponse') ?? []).filter(({ name }) => name in replyFields)
  return {
    type: 'object',
    description: `\`type\` is \`${refused}\` where the request was refused, and \`${failed}\` otherwise (assumed).`,
    properties: Object.fromEntries(fields.map(replyField)),
  }
}

const replyField = ({ name, doc }) => [
  replyFields[name][0],
  { type: numbers.has(name) ? ['string', 'integer'] : 'string', description: withoutWireName(doc) },
]

/** What the gateway calls. Where several names are known for one parameter, each is listed. */
function callback() {
  const { status, orderId, clientOrderId, control } = profile.callbackParameters.value
  const said = {
    [status]: 'Word of status. Signed.',
    [orderId]: 'The gateway’s order id. Signed.',
    ...Object.fromEntries(clientOrderId.map(name => [name, 'The merchant’s order id. Signed.'])),
    [control]: `Control value over ${profile.callbackItems.value.join(', ')} and the control key.`,
  }
  const needed = new Set([status, orderId, clientOrderId[0], control])
  const parameters = Object.entries(said).map(([name, description]) => ({
    name,
    in: 'query',
    required: needed.has(name),
    description,
    schema: { type: 'string' },
  }))
  return {
    '{$request.body#/server_callback_url}': {
      [profile.callbackMethod.value.toLowerCase()]: {
        operationId: 'outcomeCallback',
        tags: ['reads'],
        summary: 'The gateway says that an order is over',
        description:
          'A reason to ask status, and no more: amount and currency are not signed. Repeated until it is answered with 200 (assumed).',
        security: [],
        parameters,
        responses: {
          200: { description: 'Taken. The gateway does not call again.' },
          '4XX': { description: 'Not taken: it does not verify. The gateway calls again.' },
          '5XX': { description: 'Not taken yet. The gateway calls again.' },
        },
      },
    },
  }
}
