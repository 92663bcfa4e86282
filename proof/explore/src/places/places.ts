/** The places of a program that a walk can come to: cases, returns, and the arms of branches. */
import ts from 'typescript'

/** A place, as it is named in lists, and where it begins in the text. */
export interface Place {
  readonly name: string
  readonly at: number
}

/** Longest text of a place. */
const longest = 110

/**
 * Finds the places of a program.
 *
 * @param text The program as it runs.
 * @returns Each under another name: the function that it is in, and its text. Lines move, and no name has their number.
 */
export function placesOf(text: string): readonly Place[] {
  const source = ts.createSourceFile('program.js', text, ts.ScriptTarget.Latest, true)
  const places: Place[] = []
  const counts = new Map<string, number>()
  const add = (node: ts.Node, within: string, words: string): void => {
    const name = `${within}: ${shortened(words)}`
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    places.push({ name: nth === 1 ? name : `${name} (${nth})`, at: node.getStart() })
  }
  const textOf = (node: ts.Node): string => node.getText(source)
  const visit = (node: ts.Node, before: string): void => {
    const within = nameOf(node) ?? before
    if (ts.isReturnStatement(node) || ts.isThrowStatement(node)) add(node, within, textOf(node))
    if (ts.isCaseClause(node)) add(node, within, `case ${textOf(node.expression)}`)
    if (ts.isDefaultClause(node)) add(node, within, 'default')
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && nameOf(node) !== undefined)
      add(node.body, within, `=> ${textOf(node.body)}`)
    if (ts.isConditionalExpression(node) && isAnswer(node)) {
      const { condition, whenTrue, whenFalse } = node
      add(whenTrue, within, `${textOf(condition)} ? ${textOf(whenTrue)}`)
      add(whenFalse, within, `not ${textOf(condition)} ? ${textOf(whenFalse)}`)
    }
    if (ts.isIfStatement(node)) {
      const { expression, thenStatement, elseStatement } = node
      if (!saysItself(thenStatement)) add(thenStatement, within, `if (${textOf(expression)})`)
      if (elseStatement !== undefined && !saysItself(elseStatement))
        add(elseStatement, within, `else of if (${textOf(expression)})`)
    }
    ts.forEachChild(node, each => visit(each, within))
  }
  visit(source, 'the program')
  return places
}

/** Whether an expression is all that its function returns. */
function isAnswer({ parent }: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(parent) || ts.isConditionalExpression(parent)) return isAnswer(parent)
  return ts.isReturnStatement(parent) || ts.isArrowFunction(parent)
}

/** Whether an arm begins with a place of its own. */
function saysItself(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) return statement.statements[0] !== undefined && saysItself(statement.statements[0])
  return ts.isReturnStatement(statement) || ts.isThrowStatement(statement) || ts.isIfStatement(statement)
}

/** The name of a function, or of the variable or field that holds it. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText()
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return undefined
  const { parent } = node
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : undefined
}

function shortened(words: string): string {
  const line = words.replace(/\s+/g, ' ').replace(/;$/, '')
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
