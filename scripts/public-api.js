/**
 * The entries of the published packages, as TypeScript reads their emitted declarations: run `turbo run declarations` first.
 * `api-snapshot.js` and `unexported.js` share them, and say which accidents they prevent.
 */
import { join } from 'node:path'
import ts from 'typescript'
import { root, workspaces } from './workspaces.js'

const published = workspaces().filter(({ manifest }) => !manifest.private)
const files = published.flatMap(({ directory, manifest }) =>
  typedEntries(manifest).map(({ path, types }) => ({ manifest, path, file: join(root, directory, types) })),
)
const program = ts.createProgram(
  files.map(({ file }) => file),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
    types: ['node'],
  },
)
export const checker = program.getTypeChecker()

/** What an entry exports: pairs of a name and the symbol that stands behind it. `name` is that of its file in `api/`. */
export const entries = files.map(({ manifest, path, file }) => {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${manifest.name} has no declarations: build it first`)
  const exported = checker.getExportsOfModule(module).map(each => [each.name, behind(each)])
  exported.sort(([a], [b]) => (a < b ? -1 : 1))
  return { manifest, name: [manifest.name.replace('@tillkit/', ''), ...path].join('-'), exported }
})

/** Entries with declarations of their own: `.` has no name, `./explain` is `explain`. */
function typedEntries({ exports }) {
  return Object.entries(exports).flatMap(([path, conditions]) => {
    const types = conditions.import?.types
    return types === undefined ? [] : [{ path: path === '.' ? [] : [path.slice(2)], types }]
  })
}

/** The symbol itself, where another name stands for it. */
export function behind(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** What of a declaration differs between versions: its text, without comments and without the numbers that bundling adds to names. */
export function textOf(declaration) {
  const text = declaration.getText()
  const comments = /\/\*[\s\S]*?\*\/|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/g
  return text
    .replaceAll(comments, (_, string) => string ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\b(\w+)\$\d+\b/g, '$1')
}
