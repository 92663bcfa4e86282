/**
 * `npm run consumers`: packs what was built, installs the tarballs into the projects of test-projects/, runs them and type-checks them.
 *
 * With names of projects it checks those only. `--node 22.12.0,24` runs them on those versions; `own` is the machine's Node.js,
 * `all` is every runtime that test-tools.json pins. Without it they run on the oldest and the newest, on the machine's own if its major
 * version is another one, and those that name them on Bun and Deno. `--packed` takes what `npm run tarballs` has packed. `--quick`
 * type-checks them once, and runs them on the machine's Node.js alone.
 *
 * The accidents it prevents: a file missing from the tarball, an import that only resolves in a workspace, types that one
 * module system cannot read, a dependency that `@tillkit/signing` must not bring, what another version of Node.js lacks or deprecates.
 * publint and @arethetypeswrong read tarballs (check-tarballs.js); neither installs them and runs what uses them.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { packInto } from './tarballs.js'
import { pinnedRuntimes, runtimePath } from './test-tools.js'
import { root, shell } from './workspaces.js'

/** How a runtime is told to run a project's `main.js` with the packages that npm has installed. */
const startMain = {
  node: ['main.js'],
  bun: ['main.js'],
  deno: ['run', '--allow-all', '--node-modules-dir=manual', '--no-remote', '--quiet', 'main.js'],
}
const own = `node-${process.versions.node}`
const place = mkdtempSync(join(tmpdir(), 'tillkit-consumers-'))
const isPacked = process.argv.includes('--packed')
const isQuick = process.argv.includes('--quick')
const tarballs = join(isPacked ? root : place, 'tarballs')

try {
  const { values, positionals } = parseArgs({
    options: { node: { type: 'string' }, packed: { type: 'boolean' }, quick: { type: 'boolean' } },
    allowPositionals: true,
  })
  const runtimes = [...new Set(runtimesOf(isQuick ? 'own' : values.node))].map(runtimeOf)
  const projects = projectsOf(positionals)
  if (!isPacked) packInto(tarballs)
  const check = async () => {
    for (let name = projects.shift(); name !== undefined; name = projects.shift())
      await checkProject(name, runtimes).catch(report)
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, check))
} catch (error) {
  report(error)
} finally {
  rmSync(place, { recursive: true, force: true })
}

function runtimeOf(name) {
  return { name, kind: name.split('-')[0], path: name === own ? process.execPath : runtimePath(name) }
}

function report(error) {
  console.error(error.message)
  process.exitCode = 1
}

function projectsOf(wanted) {
  const all = readdirSync(join(root, 'test-projects'), { withFileTypes: true })
    .filter(each => each.isDirectory())
    .map(({ name }) => name)
  const unknown = wanted.filter(name => !all.includes(name))
  if (unknown.length > 0)
    throw new Error(`There is no project ${unknown.join(', ')} in test-projects/. There are: ${all.join(', ')}`)
  // What takes longest comes first: the last one is waited for alone.
  const isLong = name => ['package-managers', 'next'].includes(name)
  return wanted.length > 0 ? wanted : all.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)))
}

/** Names such as "node-26.10.0", of what a person wrote: a version, the beginning of one, or a word. */
function runtimesOf(wanted) {
  const nodes = pinnedRuntimes.filter(name => name.startsWith('node-'))
  // A kind of machine that no package has a Node.js for runs them on its own.
  if (wanted === undefined) {
    const others = pinnedRuntimes.filter(name => !nodes.includes(name))
    const ends = [nodes.at(0) ?? own, nodes.at(-1) ?? own]
    const isBetween = !ends.some(name => name.split('.')[0] === own.split('.')[0])
    return [...ends, ...(isBetween ? [own] : []), ...others]
  }
  return wanted.split(',').flatMap(each => {
    if (each === 'own') return own
    if (each === 'all') return pinnedRuntimes
    const start = /^\d/.test(each) ? `node-${each}.` : `${each}-`
    const found = pinnedRuntimes.find(name => `${name}.`.startsWith(start))
    if (found !== undefined) return found
    throw new Error(
      `--node ${each}: scripts/test-tools.json pins ${pinnedRuntimes.join(', ')} for this kind of machine.`,
    )
  })
}

async function checkProject(name, runtimes) {
  const directory = join(place, name)
  cpSync(join(root, 'test-projects', name), directory, { recursive: true })
  const {
    tarballs: wanted,
    runtimes: kinds = ['node'],
    copies = [],
    compilerOptions: more = {},
  } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  for (const each of copies) cpSync(join(root, each), join(directory, basename(each)), { recursive: true })
  const files = readdirSync(tarballs).filter(file => file.endsWith('.tgz'))
  const paths = wanted.map(each =>
    join(tarballs, files.find(file => new RegExp(`^(tillkit-)?${each}-\\d`).test(file)) ?? each),
  )
  // Without a lockfile the newest versions come: none of them may run a program of its own before a release.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent']
  await run('npm', ['install', ...options, ...paths], directory)
  // A version that a project names is tried in a whole run, although other projects do without it.
  const named = isQuick
    ? []
    : pinnedRuntimes.filter(each => kinds.includes(each) && !runtimes.some(({ name }) => name === each))
  const wantedHere = each => kinds.includes(each.kind) || kinds.includes(each.name)
  const tried = [...runtimes.filter(wantedHere), ...named.map(runtimeOf)]
  for (const { path, kind } of tried) await run(path, startMain[kind], directory, environmentOf(path))
  const ways = [more].flat()
  for (const [place, options] of (isQuick ? ways.slice(0, 1) : ways).entries()) {
    await checkTypes(directory, options, { isFirst: place === 0, hasWays: Array.isArray(more) })
  }
  console.log(`consumers: ${name} installs, type-checks, and runs on ${tried.map(each => each.name).join(', ')}`)
}

/**
 * By the newest TypeScript, which takes a quarter of the time of the others. The first of several ways also by ours, and by the oldest,
 * which cannot read the declarations that the other projects install.
 */
async function checkTypes(directory, options, { isFirst, hasWays }) {
  // The newest can no longer resolve as Node.js 10 did, and ours warns of it.
  const isClassic = options.moduleResolution === 'node10'
  const newest = isClassic ? 'typescript' : 'typescript-newest'
  const compilers = [newest, ...(isFirst && hasWays && !isQuick ? ['typescript', 'typescript-oldest'] : [])]
  for (const compiler of new Set(compilers)) {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      noEmit: true,
      // A project may bring newer types of Node.js than ours: what our declarations name has to be in both.
      typeRoots: [join(directory, 'node_modules/@types'), join(root, 'node_modules/@types')],
      types: ['node'],
      ...(isClassic && compiler === 'typescript' ? { ignoreDeprecations: '6.0' } : {}),
      ...options,
    }
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }))
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
    await run('node', [tsc, '-p', directory], directory).catch(({ message }) => {
      throw new Error(`${basename(directory)}, ${compiler} with ${JSON.stringify(options)}: ${message}`)
    })
  }
}

/** Child processes use the same Node.js. A deprecated call fails. */
function environmentOf(path) {
  return {
    ...process.env,
    PATH: `${dirname(path)}${delimiter}${process.env.PATH}`,
    NODE_OPTIONS: '--throw-deprecation --pending-deprecation',
    TARBALLS: tarballs,
    REPOSITORY: root,
  }
}

async function run(command, parameters, cwd, env = process.env) {
  const child = spawn(command, parameters, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => output.push(text))
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`${command} ${parameters[0]} ended with ${status} in ${cwd}\n${output.join('')}`)
}
