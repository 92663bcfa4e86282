/**
 * Fails where an operation of the table lacks one of its places, and names all that is missing of it in one line.
 *
 * The accident it prevents: an operation that compiles and is documented nowhere, or that no vector holds to its bytes.
 * No tool knows our table. Reads the built packages, so run `turbo run build` first.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../packages/protocol/dist/index.js'
import { readOperationDocs } from './operation-docs.js'
import { readRecords } from './record-fields.js'
import { root } from './workspaces.js'

const docs = readOperationDocs()
const records = readRecords()
const vectors = JSON.parse(readFileSync(join(root, 'packages/client/test/vectors/requests.json'), 'utf8'))

const unsaid = text => text === undefined || text === ''

const problems = Object.entries(operations).flatMap(([name, row]) => {
  const fields = records.get(row.request)
  const given = vectors.filter(({ operation }) => operation === name)
  const missing = [
    ...(unsaid(docs.get(name)?.[0]) ? ['say what it does, above its row'] : []),
    ...(row.takes === undefined ? ['give its row the column "takes"'] : []),
    ...(row.effect === 'changes' && !['clientOrderId', 'orderId'].every(id => row.required.includes(id))
      ? [
          'name both ids of the order it changes, clientOrderId and orderId, in "required", in its record and in its vector',
        ]
      : []),
    ...(fields === undefined ? [`declare ${row.request} in operations/records`] : []),
    ...(fields ?? []).filter(({ doc }) => unsaid(doc)).map(field => `describe ${row.request}.${field.name}`),
    ...(row.response === 'AsyncResponse' &&
    row.effect === 'changes' &&
    given.some(({ record }) => record?.orderId !== '77')
      ? ['give its vector reply=(CHANGED, CHANGED_RECORD), or another reply with the order id that it sends']
      : []),
    ...(given.length === 0 ? ['add a vector to packages/client/test/vectors/make-requests.py and run it'] : []),
  ]
  return missing.length === 0 ? [] : [`${name}: ${missing.join('; ')}. See docs/adding-an-operation.md.`]
})

for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
if (problems.length === 0) console.log(`operations: ${Object.keys(operations).length}, each with all of its places`)
