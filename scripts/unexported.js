/**
 * Finds the types of ours that public declarations mention and that no user can import by name:
 * from no entry of that package, and of no package that it depends on. `api/unexported.json` names those that may be so, under the reason.
 *
 * The accident it prevents: a user cannot write down the type of a value that a function of ours takes or gives. api-extractor's
 * `ae-forgotten-export` looks at one entry alone, and complains of types that another entry or package exports: adr/0055.
 *
 * Two kinds need no name, and are looked through: what an exported type extends, renames or joins with `&` (its members are those of the
 * exported one), and a member of an exported union, which `Extract<Union, { kind: '…' }>` names.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { behind, checker, entries } from './public-api.js'
import { root } from './workspaces.js'

const table = 'api/unexported.json'

/** Entries for another package of this repository, which say so. */
const insides = ['testing-gateway']

export function unexportedProblems() {
  const found = unexported()
  const accepted = Object.values(JSON.parse(readFileSync(join(root, table), 'utf8'))).flat()
  return [
    ...[...found]
      .filter(([name]) => !accepted.includes(name))
      .map(
        ([name, owners]) =>
          `${name} is not exported, and ${[...owners].join(', ')} mention it: nobody can name it. ` +
          `Export it, or write it where it is mentioned, or name it in ${table} under a reason.`,
      ),
    ...accepted
      .filter(name => !found.has(name))
      .map(name => `${table} names ${name}, which is exported or not mentioned: take it out.`),
  ]
}

/** A package with the name of a type, and the exported names that mention it. */
function unexported() {
  const found = new Map()
  for (const { manifest, name: entry, exported } of entries) {
    if (insides.includes(entry)) continue
    const importable = importableFrom(manifest)
    for (const [owner, symbol] of exported) {
      for (const missing of mentioned(symbol, importable)) {
        const name = `${manifest.name}: ${missing.name.replace(/\$\d+$/, '')}`
        found.set(name, new Set(found.get(name)).add(owner))
      }
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function importableFrom({ name, dependencies, peerDependencies }) {
  const packages = [name, ...Object.keys({ ...dependencies, ...peerDependencies })]
  return new Set(
    entries
      .filter(each => packages.includes(each.manifest.name))
      .flatMap(each => each.exported.map(([, symbol]) => symbol)),
  )
}

/** The types of ours that the declarations of a symbol mention and that are not importable. */
function mentioned(symbol, importable, seen = new Set()) {
  if (seen.has(symbol)) return []
  seen.add(symbol)
  const missing = new Set()
  const visit = node => {
    const name =
      node.typeName ??
      node.exprName ??
      node.qualifier ??
      (ts.isExpressionWithTypeArguments(node) ? node.expression : undefined)
    const target = name && checker.getSymbolAtLocation(name)
    const type = target && behind(target)
    if (type && isOurs(type) && !importable.has(type)) {
      if (needsNoName(node)) for (const each of mentioned(type, importable, seen)) missing.add(each)
      else missing.add(type)
    }
    ts.forEachChild(node, visit)
  }
  for (const declaration of symbol.declarations ?? []) if (isOurFile(declaration)) visit(declaration)
  return missing
}

const isOurFile = node => /\/packages\/[^/]+\/dist\//.test(node.getSourceFile().fileName)
const isOurs = ({ flags, declarations }) =>
  !(flags & ts.SymbolFlags.TypeParameter) && (declarations ?? []).some(isOurFile)

function needsNoName({ parent }) {
  if (ts.isHeritageClause(parent)) return true
  let around = parent
  while (ts.isUnionTypeNode(around) || ts.isIntersectionTypeNode(around) || ts.isParenthesizedTypeNode(around))
    around = around.parent
  return ts.isTypeAliasDeclaration(around)
}
