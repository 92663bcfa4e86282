/**
 * Writes what can be counted into the tables of adr/0001-dependencies.md: version, licence, packages, size, where each is kept. What a
 * person writes there, the last column, stays. With `--check` fails when the tables differ, and when a dependency breaks a rule.
 *
 * The accidents it prevents: a dependency that nobody gave a reason for; one with a licence that users may not take, or with a script that
 * runs on their machines when they install; a lockfile that would accept another tarball than the one that was looked at.
 * `pnpm licenses` and `pnpm audit` know licences and advisories; neither knows reasons, install scripts or hosts.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root, workspaces } from './workspaces.js'

const page = 'adr/0001-dependencies.md'
const permissive = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']
/** Some packages are native builds. The sizes of those for Linux x64 are written down; on other machines the written ones are kept. */
const isMeasuredHere = process.platform === 'linux' && process.arch === 'x64'

const read = path => readFileSync(join(root, path), 'utf8')
const manifestIn = folder => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const [, versions] = read('pnpm-workspace.yaml').split('\ncatalog:')
const catalog = new Map([...versions.matchAll(/^ {2}'?([^\s']+)'?: (\S+)$/gm)].map(([, name, range]) => [name, range]))
const written = read(page)
const problems = [...lockfileProblems()]

/** Every direct dependency that is not ours: which packages bring it to their users, which keep it to themselves, and its folder. */
const used = new Map()
const projects = [{ directory: '', manifest: { ...manifestIn(root), name: 'workspace' } }, ...workspaces()]
for (const { directory, manifest } of projects) {
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'])
    for (const [name, range] of Object.entries(manifest[kind] ?? {})) note({ name, range, kind, directory, manifest })
}

function note({ name, range, kind, directory, manifest }) {
  if (range.startsWith('workspace:')) return
  const forUsers = !manifest.private && kind !== 'devDependencies'
  const isPeer = kind === 'peerDependencies'
  if (range !== 'catalog:' && !isPeer)
    problems.push(
      `${manifest.name} asks for ${name} ${range}. Write "catalog:", and the version in pnpm-workspace.yaml.`,
    )
  const asked = range === 'catalog:' ? (catalog.get(name) ?? '') : range
  if (forUsers && !/^[\^~]\d/.test(asked))
    problems.push(
      `${manifest.name} gives its users ${name} ${asked}. Give them a range (^ or ~): they mend an advisory by themselves.`,
    )
  const each = used.get(name) ?? { name, shipped: new Set(), kept: new Set() }
  used.set(name, each)
  each.folder ??= realpathSync(join(root, directory, 'node_modules', name))
  const user = `${manifest.name.replace('@tillkit/', '')}${isPeer ? ' (peer)' : ''}`
  each[forUsers ? 'shipped' : 'kept'].add(user)
}

/** A package and all it brings: the folder of each. */
function broughtBy(folder, found = new Set()) {
  if (found.has(folder)) return found
  found.add(folder)
  const { dependencies, optionalDependencies } = manifestIn(folder)
  const beside = folder.slice(0, folder.lastIndexOf(`${sep}node_modules${sep}`) + 14)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    // Builds for other machines are not installed.
    if (existsSync(join(beside, name))) broughtBy(realpathSync(join(beside, name)), found)
  }
  return found
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map(name => lstatSync(join(folder, name)))
    .filter(entry => entry.isFile())
    .reduce((sum, { size }) => sum + size, 0)
}

const inWords = bytes => (bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)

/** The owner and name in "git+https://host/owner/name.git", and in the other ways to write it. */
function keptAt({ repository }) {
  const address = typeof repository === 'string' ? repository : (repository?.url ?? '')
  return address
    .replace(/\.git$|\/tree\/.*/, '')
    .split(/[/:]/)
    .slice(-2)
    .join('/')
}

const header = ['', 'Used by', 'Version', 'Licence', 'Packages', 'Size', 'Kept at', 'Because; instead of what']

function table(forUsers) {
  const rows = [...used.values()]
    .filter(({ shipped }) => shipped.size > 0 === forUsers)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, folder, shipped, kept }) => {
      const manifest = manifestIn(folder)
      const all = [...broughtBy(folder)]
      if (forUsers) problems.push(...all.flatMap(each => rulesFor(name, each)))
      const [, , , , , packages, size, , because = ''] = rowOf(name)
      const counted = isMeasuredHere
        ? [all.length, inWords(all.reduce((sum, each) => sum + sizeOf(each), 0))]
        : [packages, size]
      if (because === '') problems.push(`${page} does not say why ${name} is there: write it into the last column.`)
      const facts = [
        [...(forUsers ? shipped : kept)].join(', '),
        manifest.version,
        manifest.license,
        ...counted,
        keptAt(manifest),
      ]
      return [`\`${name}\``, ...facts, because]
    })
  return [header, header.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

/** The cells of a row as it stands in the page, after an empty one. */
function rowOf(name) {
  const line = written.split('\n').find(each => each.startsWith(`| \`${name}\` |`))
  return line?.split('|').map(cell => cell.trim()) ?? []
}

/** What users install has a permissive licence, and runs nothing while it is installed. */
function rulesFor(name, folder) {
  const { name: brought, license, scripts = {} } = manifestIn(folder)
  const found = []
  if (!permissive.includes(license))
    found.push(
      `${name} brings ${brought}, whose licence is ${license ?? 'not given'}. Users may take: ${permissive.join(', ')}.`,
    )
  const script = ['preinstall', 'install', 'postinstall'].find(each => scripts[each] !== undefined)
  if (script !== undefined || existsSync(join(folder, 'binding.gyp')))
    found.push(
      `${name} brings ${brought}, which runs a script (${script ?? 'node-gyp'}) on the machines of users when they install.`,
    )
  return found
}

/** Every entry is a package of the registry with a digest. A host would be one that every install has to reach. */
function lockfileProblems() {
  const lockfile = read('pnpm-lock.yaml')
  const hosts = lockfile.split('\n').filter(line => /https?:\/\//.test(line))
  const entries = lockfile
    .slice(lockfile.indexOf('\npackages:'), lockfile.indexOf('\nsnapshots:'))
    .split(/\n\n {2}(?=\S)/)
  const loose = entries
    .slice(1)
    .filter(
      entry => !/^'?(@[\w.-]+\/)?[\w.-]+@\d[\w.+-]*'?:\n {4}resolution: \{integrity: sha512-[\w+/]{86}==\}/.test(entry),
    )
  return [
    ...hosts.map(line => `pnpm-lock.yaml names a host: ${line.trim()}`),
    ...loose.map(
      entry =>
        `pnpm-lock.yaml has an entry that is no package of the registry with a sha512 digest: ${entry.replace(/\n\s+/g, ' ')}`,
    ),
    ...(entries.length > 1
      ? []
      : ['pnpm-lock.yaml has no packages: its form has changed, and scripts/dependencies.js cannot read it.']),
  ]
}

const tables = [table(true), table(false)]
const next = written.replace(/^\| {2}\| Used by[\s\S]*?(?=\n\n)/gm, () => tables.shift())
if (tables.length > 0) problems.push(`${page} has lost its tables: the lines that begin with "|  | Used by".`)
const isStale = next !== written
const isCheck = process.argv.includes('--check')
if (isStale && isCheck) problems.push(`${page} is not what is installed. Run: npm run pm -- run docs`)
if (isStale && !isCheck) writeFileSync(join(root, page), next)
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log(`dependencies: ${used.size} have a reason, and ${page} says what is installed`)
process.exitCode = problems.length === 0 ? 0 : 1
