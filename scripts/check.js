/**
 * `npm run check`: everything CI insists on besides the tests, in one command, so that nothing is a surprise there.
 *
 * Runs every check even when one has failed, and ends with the list of those that did.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cpuSeconds } from './cpu-seconds.js'
import { changedTarball, digests, rememberChecked } from './release/checked.js'
import { root, shell, took } from './workspaces.js'

let packed

const checks = {
  'format and lint': () => run('biome', ['ci', '--error-on-warnings', '.']),
  build: () => run('turbo', ['run', 'build', 'declarations', '--output-logs=errors-only']),
  types: () => run('tsc', ['-p', '.']),
  'lengths of lines': () => run('node', ['scripts/check-line-lengths.js']),
  'arrows and rooms': () => run('depcruise', sources()),
  operations: () => run('node', ['scripts/check-operations.js']),
  'generated docs': () => run('node', ['scripts/generate-docs.js', '--check']),
  'OpenAPI document': () => run('node', ['scripts/check-openapi.js']),
  'blocks of the documentation': () => run('node', ['scripts/check-doc-blocks.js']),
  'links of the documentation': () => run('node', ['scripts/check-doc-links.js']),
  promises: () => run('node', ['scripts/check-promises.js']),
  'api snapshot': () => run('node', ['scripts/api-snapshot.js', '--check']),
  dependencies: () => run('node', ['scripts/dependencies.js']),
  changesets: () => run('node', ['scripts/check-changesets.js']),
  // What follows runs on these, and a release publishes them.
  tarballs: () => pack() && run('node', ['scripts/check-tarballs.js']),
  'sizes of tarballs and bundles': () => run('size-limit', []),
  // The other projects and runtimes are in `npm run soak`.
  'a consumer project': () => run('node', ['scripts/check-consumers.js', 'esm', '--packed', '--quick']),
  'tarballs are as they were packed': () => areAsPacked(),
}

const failed = Object.entries(checks)
  .map(([name, check]) => {
    console.log(`\n— ${name}`)
    const before = cpuSeconds()
    const passed = check()
    if (before !== undefined) console.log(`${Math.round(cpuSeconds() - before)} CPU seconds`)
    return [name, passed]
  })
  .filter(([, passed]) => !passed)
  .map(([name]) => name)

if (failed.length === 0) rememberChecked(packed)
console.log(`\n${took()} ${failed.length === 0 ? 'Every check passed.' : `Failed: ${failed.join(', ')}`}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** Named one by one: a pattern would have every folder of every node_modules read. */
function sources() {
  return readdirSync(join(root, 'packages')).map(name => `packages/${name}/src`)
}

function pack() {
  if (!run('node', ['scripts/tarballs.js'])) return false
  packed = digests()
  return true
}

/** The consumer projects run programs of others, which could have written there. */
function areAsPacked() {
  const changed = packed && changedTarball(packed)
  if (changed === undefined) return true
  console.error(`tarballs/${changed} changed after it was packed: look for the check that writes there.`)
  return false
}

function run(command, parameters) {
  return spawnSync(command, parameters, { cwd: root, stdio: 'inherit', shell }).status === 0
}
