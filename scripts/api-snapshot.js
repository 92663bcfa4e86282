/**
 * Lists what every entry of every package exports, name and kind, in api/<package>[-<entry>].json; with `--check` fails
 * when it has changed.
 *
 * The accident it prevents: an export that disappears, or a helper that becomes public, without anyone seeing it in the
 * diff. Reads the emitted declarations, for those are what users get: run `turbo run build` first.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root, workspaces } from './workspaces.js'

const entries = workspaces()
  .filter(({ manifest }) => !manifest.private)
  .flatMap(({ directory, manifest }) => entriesOf(manifest).map(entry => ({ directory, manifest, ...entry })))
const declarations = entries.map(({ directory, types }) => join(root, directory, types))
const program = ts.createProgram(declarations, {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  skipLibCheck: true,
  types: ['node'],
})
const checker = program.getTypeChecker()

const snapshots = entries.map(({ manifest, name }, index) => {
  const source = program.getSourceFile(declarations[index])
  const symbol = source && checker.getSymbolAtLocation(source)
  if (!symbol) throw new Error(`${manifest.name} has no declarations: build it first`)
  const exported = checker.getExportsOfModule(symbol).map(each => [each.name, kindOf(each)])
  exported.sort(([a], [b]) => (a < b ? -1 : 1))
  const path = join('api', `${[manifest.name.replace('@tillkit/', ''), ...name].join('-')}.json`)
  return { path, text: `${JSON.stringify(Object.fromEntries(exported), null, 2)}\n` }
})

/** Entries with declarations of their own: `.` has no name, `./explain` is `explain`. */
function entriesOf({ exports }) {
  return Object.entries(exports).flatMap(([path, conditions]) => {
    const types = conditions.import?.types
    return types === undefined ? [] : [{ name: path === '.' ? [] : [path.slice(2)], types }]
  })
}

function kindOf(exported) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  if (symbol.flags & ts.SymbolFlags.Class) return 'class'
  if (symbol.flags & ts.SymbolFlags.Function) return 'function'
  if (symbol.flags & ts.SymbolFlags.Value) return 'constant'
  return 'type'
}

const stale = snapshots.filter(({ path, text }) => readOrNothing(join(root, path)) !== text)
if (process.argv.includes('--check')) {
  for (const { path } of stale)
    console.error(`${path} differs from what is exported. If that is meant: npm run pm -- run api`)
  process.exitCode = stale.length === 0 ? 0 : 1
  if (stale.length === 0) console.log('api snapshot: exports are as recorded')
} else {
  for (const { path, text } of stale) writeFileSync(join(root, path), text)
  console.log(stale.length === 0 ? 'nothing to write' : `wrote ${stale.map(({ path }) => path).join(', ')}`)
}

function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
