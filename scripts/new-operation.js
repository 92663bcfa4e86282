/**
 * `npm run new-operation -- blacklistCard POST /api/v2/blacklist-card --effect changes --items endpointId,clientOrderId --fields
 * clientOrderId,orderId`: writes the four places of a
 * new operation. docs/adding-an-operation.md says what to put in their place.
 *
 * The accident it prevents: an operation that is in the table and has no record, no vector or no word on what it does. Generators of
 * code write new files; this writes into four that exist.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readRecords } from './record-fields.js'
import { root } from './workspaces.js'

const places = {
  items: fileWith('packages/signing/src/control', 'export const controlItems ='),
  record: 'packages/protocol/src/operations/records/',
  row: 'packages/protocol/src/operations/operations.ts',
  vector: 'packages/client/test/vectors/make-requests.py',
}

const usage = `npm run new-operation -- <name> POST <path> --effect <effect> [options]
  --items a,b           control items without the key; or --scheme oauth-hmac-sha1 | oauth-rsa-sha256
  --fields a,b          fields it needs (default: the items but endpointId and login)
  --optional a,b        fields it may have
  --effect              creates, changes or reads
  --stages a,b          stages of status that it starts (default: none)
  --response            record of its reply (default: AsyncResponse)
  --wire-name           name in the specification (default: made from the path)
  --records             file of the record, without .ts (default: payments)`

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(
    ['items', 'scheme', 'fields', 'optional', 'effect', 'stages', 'response', 'wire-name', 'records'].map(name => [
      name,
      { type: 'string' },
    ]),
  ),
})
const [name, method, path] = positionals
const isRight =
  /^[a-z][A-Za-z0-9]+$/.test(name ?? '') && method === 'POST' && /^\/api(\/[A-Za-z0-9._-]+)+$/.test(path ?? '')
if (
  !isRight ||
  !['creates', 'changes', 'reads'].includes(given.effect) ||
  (given.items === undefined) === (given.scheme === undefined)
) {
  console.error(usage)
  process.exit(2)
}

if (
  given.effect === 'changes' &&
  !['clientOrderId', 'orderId'].every(id => (given.fields ?? '').split(',').includes(id))
) {
  console.error(
    'An operation that changes an order carries both of its ids: name them with --fields clientOrderId,orderId and what else it needs.',
  )
  process.exit(2)
}

const list = text => (text === undefined || text === '' ? [] : text.split(',').map(each => each.trim()))
const items = list(given.items)
const fields =
  given.fields === undefined ? items.filter(item => !['endpointId', 'login'].includes(item)) : list(given.fields)
const all = [...fields, ...list(given.optional)]
const record = `${name[0].toUpperCase()}${name.slice(1)}Request`
const recordsFile = given.records ?? 'payments'
const response = given.response ?? 'AsyncResponse'
const quoted = names => `[${names.map(each => `'${each}'`).join(', ')}]`

/**
 * What the records say of a field already, the shared ones first, and of ids those of an order that exists where the operation does
 * not create one; a field that none of them has is to be described.
 */
const known = [...readRecords()].filter(([each]) => /(?:Fields|Request|Ids)$/.test(each))
const rank = record =>
  record.endsWith('Ids') ? (given.effect === 'creates' ? 0 : 2) : Number(record.endsWith('Fields'))
const ordered = known.toSorted(([a], [b]) => rank(b) - rank(a))
const docs = new Map(ordered.toReversed().flatMap(([, each]) => each.map(field => [field.name, field])))
const wireNameOf = field => /wire name `([^`]+)`/.exec(docs.get(field)?.doc ?? '')?.[1] ?? 'TODO'

const edits = {
  [places.items]: text =>
    items.length === 0 ? text : insertBefore(text, '  callback: [', `  ${name}: ${quoted(items)},\n`),
  [`${places.record}${recordsFile}.ts`]: text =>
    insertAtEnd(
      text,
      `/** TODO: what it asks for. */\nexport interface ${record} extends Extra {\n${all
        .map(field => {
          const doc = docs.get(field)?.doc ?? 'TODO: what it is, at most TODO characters; wire name `TODO`.'
          return `  /** ${doc} */\n  readonly ${field}${fields.includes(field) ? '' : '?'}: string\n`
        })
        .join('')}}\n`,
    ),
  [places.row]: text => insertRow(importRecord(text)),
  [places.vector]: text =>
    insertBefore(
      text,
      '# Endpoint groups: ',
      `add('${name}', '${path}', [\n${all
        .map(field => `    ('${field}', '${wireNameOf(field)}', ${exampleOf(field)}),\n`)
        .join('')}], **FULL, ${signedPython()}${items.includes('login') ? ', login=True' : ''}${repliedPython()})\n\n`,
    ),
}

const changes = Object.entries(edits).map(([file, edit]) => {
  const before = readFileSync(join(root, file), 'utf8')
  return { file, before, after: edit(before) }
})
// Nothing is written unless all of it can be.
for (const { file, before, after } of changes.filter(each => each.after !== each.before)) {
  writeFileSync(join(root, file), after)
  console.log(`${file}:${firstDifference(before, after)}`)
}
console.log(`
Replace every TODO, then:
  (cd packages/client/test/vectors && python3 make-requests.py)
  npm run format && npm run pm -- run docs && npm run pm -- run api && npm run check && npm test`)

function insertRow(text) {
  const signing = items.length > 0 ? `control(controlItems.${name})` : `{ scheme: '${given.scheme}' }`
  const wireName = given['wire-name'] ?? path.split('/').slice(3).join('_').replaceAll('-', '_').toUpperCase()
  const takes = `{ amount: ${all.includes('amount')}, callback: ${all.includes('serverCallbackUrl')} }`
  return insertBefore(
    text,
    '}\n\n/** The table of operations. */',
    `  /**
   * TODO: what it does, in one sentence.
   *
   * @see TODO: Interface specification, section 4; or where else it is described
   */
  ${name}: operation<${record}, ${response}>({
    name: '${wireName}',
    path: '${path}',
    signing: ${signing},
    effect: '${given.effect}',
    request: '${record}',
    response: '${response}',
    required: ${quoted(fields)},
    stages: ${quoted(list(given.stages))},
    takes: ${takes},
${ownColumns()}  }),
`,
  )
}

/** Every operation of the table whose control value covers the login carries it in the body as well. */
function ownColumns() {
  const unnamed = all.filter(field => wireNameOf(field) === 'TODO')
  const unshown = given.effect !== 'reads' && list(given.stages).length === 0
  const whenUnknown = unshown ? "    whenUnknown: 'TODO', // or leave it out, and a person looks it up\n" : ''
  const login = items.includes('login') ? '    loginInBody: true,\n' : ''
  return unnamed.length === 0
    ? `${login}${whenUnknown}`
    : `${login}${whenUnknown}    wireNames: { ${unnamed.map(field => `${field}: 'TODO'`).join(', ')} },\n`
}

/** What comes back: a request with an order id gets it back, a hosted form an address. */
function repliedPython() {
  if (response === 'AsyncCheckoutFormRedirect') return ', **form'
  if (response !== 'AsyncResponse') return ', reply=(TODO, TODO)'
  return all.includes('orderId') ? ', reply=(CHANGED, CHANGED_RECORD)' : ''
}

function importRecord(text) {
  const end = text.indexOf(`} from './records/${recordsFile}.js'`)
  if (end < 0)
    throw new Error(`${places.row} imports nothing from records/${recordsFile}.js; name another file with --records.`)
  return `${text.slice(0, end)}  ${record},\n${text.slice(end)}`
}

/** Section 5.1 in the terms of the script that makes the vectors. */
function signedPython() {
  if (items.length === 0) return given.scheme === 'oauth-hmac-sha1' ? '**HMAC' : '**RSA'
  const values = items.map(item =>
    item === 'endpointId'
      ? "OURS['endpoint']"
      : item === 'login'
        ? "OURS['login']"
        : item === 'amount'
          ? "'1042'"
          : exampleOf(item),
  )
  return `items=[${values.join(', ')}]`
}

function exampleOf(field) {
  const examples = {
    clientOrderId: 'o-1',
    orderId: '77',
    amount: '10.42',
    currency: 'EUR',
    email: 'john+1@example.com',
    cardRefId: '31',
  }
  return `'${examples[field] ?? 'TODO'}'`
}

function insertBefore(text, mark, part) {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`There is no ${JSON.stringify(mark)} to write before.`)
  return `${text.slice(0, at)}${part}${text.slice(at)}`
}

function insertAtEnd(text, part) {
  return `${text.trimEnd()}\n\n${part}`
}

function firstDifference(before, after) {
  const lines = before.split('\n')
  return after.split('\n').findIndex((line, at) => line !== lines[at]) + 1
}

function fileWith(folder, text) {
  const names = readdirSync(join(root, folder)).map(name => `${folder}/${name}`)
  return names.find(name => readFileSync(join(root, name), 'utf8').includes(text)) ?? folder
}
