/**
 * Lists what every entry of every package exports, in api/<package>[-<entry>].json: each name with its declaration, cut where it is long.
 * With `--check` fails when it has changed, and when users would need a type that they cannot import.
 *
 * The accidents it prevents: an export that disappears, a parameter that changes, or a helper that becomes public,
 * without anyone seeing it in the diff; a record that was forgotten in `index.ts`. Reads the emitted declarations,
 * for those are what users get: run `turbo run declarations` first. api-extractor does not do the same: adr/0055.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries, textOf } from './public-api.js'
import { unexportedProblems } from './unexported.js'
import { root } from './workspaces.js'

/** Of a longer declaration the rest is a digest, so that a change is seen, though not what it is. */
const longest = 240

const snapshots = entries.map(({ name, exported }) => {
  const declared = exported.map(([each, symbol]) => [each, shortened(symbol.declarations.map(textOf).join(' '))])
  return { path: `api/${name}.json`, text: `${JSON.stringify(Object.fromEntries(declared), null, 2)}\n` }
})

function shortened(text) {
  if (text.length <= longest) return text
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return `${text.slice(0, longest)}… and more, ${digest}`
}

const stale = snapshots.filter(({ path, text }) => readOrNothing(join(root, path)) !== text)
const problems = unexportedProblems()
if (process.argv.includes('--check')) {
  for (const { path } of stale)
    problems.push(`${path} differs from what is exported. If that is meant: npm run pm -- run api`)
  if (problems.length === 0)
    console.log('api snapshot: exports are as recorded, and every type that they mention has a name')
} else {
  for (const { path, text } of stale) writeFileSync(join(root, path), text)
  console.log(stale.length === 0 ? 'nothing to write' : `wrote ${stale.map(({ path }) => path).join(', ')}`)
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
