/**
 * Reads the fields of the request and reply records, with what their docstrings say, through the TypeScript compiler.
 *
 * The accident it prevents: a field that stands in a type without a word on its unit, its length and what it is called
 * on the wire. typedoc gives a tree, out of which the same would be read. `generate-docs.js` lists the fields, and a test of
 * packages/protocol holds each against the tables.
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './workspaces.js'

// Not imported: Node.js would look through its nine megabytes for exports first, which takes longer than all the rest.
/** @type {import('typescript')} */
const ts = createRequire(import.meta.url)('typescript')

const folder = join(root, 'packages/protocol/src/operations/records')

/** Every exported record, and its fields in the order of their declaration. */
export function readRecords() {
  const files = readdirSync(folder).map(name => join(folder, name))
  // The records refer to nothing but each other, so no library is needed, which makes this ten times as fast.
  const program = ts.createProgram(files, {
    noLib: true,
    strict: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  })
  const checker = program.getTypeChecker()
  const symbols = files.flatMap(file => {
    const source = program.getSourceFile(file)
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    return module === undefined ? [] : checker.getExportsOfModule(module)
  })
  const types = symbols.filter(symbol => symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias))
  return new Map(types.map(symbol => [symbol.name, fieldsOf(checker.getDeclaredTypeOfSymbol(symbol), checker)]))
}

function fieldsOf(type, checker) {
  const members = type.isUnion() ? type.types : [type]
  const fields = new Map()
  for (const member of members) {
    for (const property of checker.getPropertiesOfType(member)) {
      const kind = kindOf(checker.getTypeOfSymbol(property))
      if (kind === undefined) continue
      const doc = ts.displayPartsToString(property.getDocumentationComment(checker))
      const isRequired = members.every(each => isNeeded(checker.getPropertyOfType(each, property.name), checker))
      fields.set(property.name, {
        name: property.name,
        kind,
        ...(kind === 'choice' && { choices: choicesOf(checker.getTypeOfSymbol(property)) }),
        doc: doc.replace(/\s+/g, ' '),
        isRequired,
      })
    }
  }
  return [...fields.values()]
}

const isNeeded = (property, checker) =>
  property !== undefined &&
  (property.flags & ts.SymbolFlags.Optional) === 0 &&
  kindOf(checker.getTypeOfSymbol(property)) !== undefined

/** The texts that a field may have. */
const choicesOf = type =>
  (type.isUnion() ? type.types : [type]).flatMap(part => (part.isStringLiteral() ? [part.value] : []))

/** `undefined` for what cannot be given: `amount?: never` of a variant without it. */
function kindOf(type) {
  const parts = (type.isUnion() ? type.types : [type]).filter(part => !(part.flags & ts.TypeFlags.Undefined))
  if (parts.every(part => part.flags & ts.TypeFlags.Never)) return undefined
  if (parts.every(part => part.flags & ts.TypeFlags.BooleanLike)) return 'boolean'
  if (parts.every(part => part.flags & ts.TypeFlags.StringLiteral)) return 'choice'
  return parts.every(part => part.flags & ts.TypeFlags.StringLike) ? 'text' : 'other'
}
