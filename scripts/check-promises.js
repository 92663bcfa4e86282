/**
 * Fails for a row of "Promises, and the test of each" in CONTRIBUTING.md, or of "Threats, and the test of each" in SECURITY.md,
 * whose test is not there, is not a daily one, or is skipped; and for a fault of docs/evidence.md whose test is not there or is skipped.
 *
 * The accident it prevents: a test is renamed, moved to the long ones or deleted, and from then on nothing fails on the day on which the
 * promise is broken. No tool knows which test keeps which promise.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { root } from './workspaces.js'

const daily = /^(packages\/[^/]+\/(src|test)|examples\/shop\/test)\/.+(?<!\.soak)\.test\.ts$/
const any = /^(packages\/[^/]+\/(src|test)|proof\/[^/]+\/test)\/.+\.test\.ts$/
const tables = [
  ['CONTRIBUTING.md', '## Promises, and the test of each', daily],
  ['SECURITY.md', '## Threats, and the test of each', daily],
  ['docs/evidence.md', '## Found on the way', any],
  ['docs/evidence/field.md', '# Found in the field', any],
]
const notDaily = /^not daily: `npm run (check|consumers|soak)`, because .+$/

const problems = []
let count = 0
for (const [page, heading, places] of tables) {
  const rows = rowsOf(page, heading)
  if (rows.length === 0) problems.push(`${page} has no table below "${heading}".`)
  count += rows.length
  for (const [promise, ...test] of rows) {
    const problem = problemWith(test.join(' | ').trim(), places)
    if (problem !== undefined) problems.push(`${promise.trim()}: ${problem}`)
  }
}
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log(`promises, threats and faults: each of ${count} has its test`)
process.exitCode = problems.length === 0 ? 0 : 1

function rowsOf(page, heading) {
  const [, section = ''] = readFileSync(join(root, page), 'utf8').split(`${heading}\n`)
  const [, , ...rows] = section
    .split('\n## ')[0]
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line => line.slice(1, -1).split(' | '))
  return rows
}

function problemWith(test, places) {
  if (notDaily.test(test)) return undefined
  const [, file, title] = /^`([^`]+)`: "(.+)"$/.exec(test) ?? []
  if (file === undefined) return 'names no test. Write `path`: "title", or not daily: `npm run soak`, because …'
  if (!places.test(file)) return `${file} is no file of ${places === daily ? 'daily ' : ''}tests.`
  if (!existsSync(join(root, file))) return `${file} is not there.`
  return titlesIn(file).some(each => each.startsWith(title)) ? undefined : `${file} has no test "${title}".`
}

/**
 * The titles of the tests of a file, as they are written there, and those in functions that it imports from a file beside it. Tests that
 * are skipped have none.
 */
function titlesIn(file, names) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest)
  const titles = []
  const visit = node => {
    if (ts.isCallExpression(node) && /^(it|test)\b(?!\.(skip|todo)\b)/.test(node.expression.getText(source))) {
      const [title] = node.arguments
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text)
      if (title !== undefined && ts.isTemplateExpression(title)) titles.push(title.getText(source).slice(1, -1))
    }
    ts.forEachChild(node, visit)
  }
  for (const statement of source.statements) {
    if (names === undefined && ts.isImportDeclaration(statement)) titles.push(...titlesOfImported(file, statement))
    const declared = statement.name === undefined ? (statement.declarationList?.declarations ?? []) : [statement]
    if (names === undefined || declared.some(({ name }) => names.includes(name.getText(source)))) visit(statement)
  }
  return titles
}

function titlesOfImported(file, { moduleSpecifier, importClause }) {
  const helper = join(dirname(file), moduleSpecifier.text.replace(/\.js$/, '.ts'))
  const names = (importClause?.namedBindings?.elements ?? []).map(({ name }) => name.text)
  return /^\.\.?\//.test(moduleSpecifier.text) && existsSync(join(root, helper)) ? titlesIn(helper, names) : []
}
