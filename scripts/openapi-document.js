/**
 * Describes the gateway's operations as an OpenAPI 3.1 document, out of the tables. `generate-docs.js` writes it, and the build of
 * `@tillkit/protocol` copies it into the package.
 *
 * Names are those of the specification, sections 4 and 9: of operations, records, the path parameter and the version.
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
  400: {
    record: 'ValidationErrorResponse',
    description: 'The request is refused: nothing was made of it, unless the reply carries an order id.',
  },
  '4XX': {
    record: 'ServerErrorResponse',
    description:
      'The specification does not show these. ' +
      '401 and 403: login, signature or control value are not accepted, and nothing happened. ' +
      'For any other: ask status.',
  },
  500: {
    record: 'ServerErrorResponse',
    description: 'The gateway failed. Whether it acted is not known: ask status, and do not send the request again.',
  },
}
/** Fields of replies that are words. A gateway may write any other as a number, which may have more digits than a double keeps. */
const words = new Set(['type', 'serialNumber', 'status', 'errorMessage', 'redirectUrl'])
const schemes = {
  'oauth-hmac-sha1':
    'OAuth 1.0a, RFC 5849, HMAC-SHA1 (RSA-SHA256 has a scheme of its own). ' +
    'The consumer key is the login, the consumer secret the control key; there is no token.',
  'oauth-rsa-sha256':
    'OAuth 1.0a, RFC 5849, with RSA-SHA256: PKCS#1 v1.5 over SHA-256, Base64. The consumer key is the login; there is no token.',
}
/** The profile, without the names that only public documents give to fields. */
const specified = { ...profile, fieldNames: { ...profile.fieldNames, value: {} } }
const withoutWireName = doc => doc.replace(/[;,] wire name `[^`]+`(?: \(assumed\))?/, '').trim()

/** The document as a value. */
export function openApiDocument() {
  const records = readRecords()
  const docs = readOperationDocs()
  const all = Object.entries(operations)
  const replies = new Set(all.map(([, { response }]) => response))
  const failures = new Set(Object.values(errors).map(({ record }) => record))
  return {
    openapi: '3.1.0',
    info: {
      title: 'The gateway that Tillkit speaks to',
      version: 'dev',
      summary: `${all.length} operations: payments, payouts, card references and status.`,
      description: [
        'Generated from the tables of `@tillkit/protocol`. The interface specification wins where this differs; what it leaves open is',
        'listed with its sources in docs/assumptions.md, and your gateway may do it otherwise.',
        `Every request needs the header \`Accept: ${mediaType}\`. A reply to a POST says that the gateway has the request, and not how it`,
        'ended: ask `STATUS`. It may write ids as JSON numbers, which have more digits than most parsers keep.',
        'An operation whose name ends in `_GROUP` is the one without that ending, for a group of endpoints.',
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
    paths: Object.fromEntries(all.flatMap(([name, row]) => pathsOf(name, row, docs.get(name)))),
    components: {
      parameters: {
        endpointId: pathParameter(
          'endpointId',
          'Number of the merchant’s endpoint; of a group where no other path is for groups.',
        ),
        endpointGroupId: pathParameter('endpointGroupId', 'Number of a group of the merchant’s endpoints.'),
      },
      securitySchemes: Object.fromEntries(
        Object.entries(schemes).map(([name, description]) => [name, { type: 'http', scheme: 'OAuth', description }]),
      ),
      schemas: {
        ...Object.fromEntries(all.map(([, row]) => [row.request, requestSchema(row, records)])),
        ...Object.fromEntries([...replies, ...failures].map(name => [name, replySchema(name, records)])),
      },
      responses: Object.fromEntries(
        Object.entries(errors).map(([status, { record, description }]) => [
          `Error${status}`,
          { description, content: { [mediaType]: { schema: schemaOf(record) } } },
        ]),
      ),
      callbacks: { outcome: callback() },
    },
  }
}

const schemaOf = record => ({ $ref: `#/components/schemas/${record}` })

/** Section 4: an integer of 64 bits. */
const pathParameter = (name, description) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'integer', format: 'int64' },
})

/** The path of section 4 and, where public documents show one, the path for a group of endpoints. */
function pathsOf(name, row, [summary = row.name, ...more] = []) {
  const signing = resolveSigning(row, profile)
  const { segment, without } = profile.groupPath.value
  const signedWith =
    signing.scheme === 'control' ? `a control value over: ${signing.items.join(', ')}, control key` : signing.scheme
  const said = [
    summary,
    ...more,
    `Signed with ${signedWith}${row.signing.scheme === 'profile' ? ' (assumed)' : ''}.`,
    ...(row.stages.length === 0 ? [] : [`Starts the stage ${row.stages.join(' or ')}.`]),
    `Tillkit calls it \`${name}\`.`,
  ]
  const title = summary.replaceAll('`', '').replace(/[.:](?: .*)?$/, '')
  const post = { row, signing, title, parameter: 'endpointId', operationId: row.name, description: said.join('\n\n') }
  const group = {
    ...post,
    title: `${title}, for a group of endpoints`,
    parameter: 'endpointGroupId',
    operationId: `${row.name}_GROUP`,
    description: `The same as \`${row.name}\`. The id of the group is signed where that of an endpoint would be (assumed).`,
  }
  return [
    [`${row.path}/{endpointId}`, { post: postOf(post) }],
    ...(without.includes(row.name) ? [] : [[`${row.path}/${segment}/{endpointGroupId}`, { post: postOf(group) }]]),
  ]
}

function postOf({ row, signing, title, parameter, operationId, description }) {
  return {
    operationId,
    tags: [row.effect],
    summary: title,
    description,
    security: signing.scheme === 'control' ? [] : [{ [signing.scheme]: [] }],
    parameters: [{ $ref: `#/components/parameters/${parameter}` }],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: schemaOf(row.request) } },
    },
    responses: {
      200: {
        description: 'The gateway has the request. How it ends is for `STATUS`.',
        content: { [mediaType]: { schema: schemaOf(row.response) } },
      },
      ...Object.fromEntries(
        Object.keys(errors).map(status => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
    ...(row.takes?.callback === true && { callbacks: { outcome: { $ref: '#/components/callbacks/outcome' } } }),
  }
}

function requestSchema(row, records) {
  const signing = resolveSigning(row, profile)
  const wire = field => wireName(field, { operation: row, profile })
  // Where the profile assumes another name than the specification has, either will do.
  const spellings = field => [...new Set([wire(field), wireName(field, { operation: row, profile: specified })])]
  const fields = (records.get(row.request) ?? []).filter(({ kind }) => kind !== 'other')
  const login = carriesLogin({ operation: row, profile }) ? ['login'] : []
  const control = signing.scheme === 'control' ? [profile.controlField.value] : []
  // Needed fields stand in it with their type, for generators that make types of `properties` alone.
  const variant = (needed, without = []) => ({
    properties: {
      ...Object.fromEntries(needed.map(name => [name, { type: 'string' }])),
      ...Object.fromEntries(without.map(name => [name, false])),
    },
    required: needed,
  })
  const choices = [
    ...(row.oneOf === undefined ? [] : [row.oneOf.map(each => variant(each.needs.map(wire), each.without?.map(wire)))]),
    ...row.required
      .filter(field => spellings(field).length > 1)
      .map(field => spellings(field).map(name => variant([name]))),
  ]
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        fields.flatMap(field =>
          spellings(field.name).map((name, at, [first]) => [
            name,
            fieldSchema(
              at === 0 ? field : { ...field, doc: `\`${first}\`, as section 2 of the specification spells it.` },
              row,
            ),
          ]),
        ),
      ),
      ...(login.length > 0 && { login: { type: 'string', description: 'Login of the merchant.' } }),
      ...(control.length > 0 && {
        [control[0]]: {
          type: 'string',
          pattern: '^[0-9a-f]{40}$',
          description: 'SHA-1 over the items above, as lower-case hexadecimal (assumed).',
        },
      }),
    },
    required: [...row.required.filter(field => spellings(field).length === 1).map(wire), ...login, ...control],
    // Not `oneOf`: an order may be named by both of its ids. `properties: { …: false }` says which exclude each other. In `allOf`, because
    // openapi-typescript takes an `anyOf` beside `properties` for another way to be the whole.
    ...(choices.length > 0 && { allOf: choices.map(anyOf => ({ anyOf })) }),
  }
}

function fieldSchema({ name, kind, doc, choices }, row) {
  const most = maxLength(name, { operation: row, profile })
  return {
    type: kind === 'boolean' ? 'boolean' : 'string',
    ...(choices !== undefined && { enum: choices }),
    ...(most !== undefined && { maxLength: most }),
    description: withoutWireName(doc),
  }
}

function replySchema(name, records) {
  const fields = (records.get(name) ?? []).filter(({ name }) => name in replyFields)
  const needed = (requiredReplyFields(name) ?? []).filter(field => field in replyFields)
  return {
    type: 'object',
    description:
      `A flat object; \`type\` is \`${profile.replyTypes.value[name]}\` (assumed). ` +
      'Names of fields are assumed, and others may come.',
    properties: Object.fromEntries(fields.flatMap(replyField)),
    required: needed.map(field => replyFields[field][0]),
  }
}

/** A field under each name that sources have for it. */
const replyField = ({ name, doc }) =>
  replyFields[name].map((wire, at, [first]) => [
    wire,
    {
      type: words.has(name) ? 'string' : ['string', 'number'],
      description: at === 0 ? withoutWireName(doc) : `Another name of \`${first}\`: sources differ.`,
    },
  ])

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
          'A reason to ask status, and no more: ' +
          'other parameters come with it, such as amount and currency, and are not signed. ' +
          'Repeated until it is answered with 200 (assumed).',
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
