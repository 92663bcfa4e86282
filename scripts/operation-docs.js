/**
 * Reads what the docstrings of the table of operations and of the wire profile say.
 *
 * The accident it prevents: a reference that lists four payouts, or forty assumptions, and does not say which is which.
 * typedoc gives the docstrings of exports, and these stand inside a value.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './workspaces.js'

const path = join(root, 'packages/protocol/src/operations/operations.ts')

/** The docstring of each operation as paragraphs, without its tags. */
export function readOperationDocs() {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const docs = new Map()
  const visit = node => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'operations') {
      for (const property of tableOf(node.initializer)) docs.set(property.name.getText(), paragraphsOf(property))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return docs
}

function tableOf(expression) {
  if (ts.isObjectLiteralExpression(expression)) return expression.properties
  return tableOf(expression.expression ?? expression.arguments?.[0])
}

function paragraphsOf(property) {
  const [doc] = ts.getJSDocCommentsAndTags(property)
  const text = ts.getTextOfJSDocComment(doc?.comment) ?? ''
  return text.split(/\n\s*\n/).map(paragraph => paragraph.replace(/\s+/g, ' ').trim())
}

const profilePaths = ['packages/signing/src/profile.ts', 'packages/protocol/src/profile/types.ts']

/** What each entry of the wire profile is, in one paragraph. */
export function readProfileDocs() {
  const docs = new Map()
  for (const each of profilePaths) {
    const file = join(root, each)
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
    for (const statement of source.statements) {
      if (!ts.isInterfaceDeclaration(statement) || !/^(?:Wire|Signing)Profile$/.test(statement.name.text)) continue
      for (const member of statement.members) docs.set(member.name.getText(), linkless(paragraphsOf(member).join(' ')))
    }
  }
  return docs
}

/** Names in place of links, which lead nowhere on a page. */
const linkless = text => text.replaceAll(/\{@link (\w+)\}/g, '`$1`')
