/**
 * Reads what the docstrings of the table of operations say.
 *
 * The accident it prevents: a reference that lists four payouts and does not say which is which.
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
