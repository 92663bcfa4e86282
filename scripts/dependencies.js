/**
 * Fails where a dependency has no reason in the tables of adr/0001-dependencies.md, and where one breaks a rule.
 *
 * The accidents it prevents: a dependency that nobody gave a reason for; one with a licence that users may not take, or with a script that
 * runs on their machines when they install; a lockfile that would accept another tarball than the one that was looked at.
 * `pnpm licenses` and `pnpm audit` know licences and advisories; neither knows reasons, install scripts or hosts.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root, workspaces } from './workspaces.js'

const page = 'adr/0001-dependencies.md'
const permissive = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']

const read = path => readFileSync(join(root, path), 'utf8')
const manifestIn = folder => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const [, versions] = read('pnpm-workspace.yaml').split('\ncatalog:')
const catalog = new Map([...versions.matchAll(/^ {2}'?([^\s']+)'?: (\S+)$/gm)].map(([, name, range]) => [name, range]))
const written = read(page)
const problems = [...lockfileProblems()]

/** Every direct dependency that is not ours: its folder, and whether a package brings it to its users. */
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
  const folder = realpathSync(join(root, directory, 'node_modules', name))
  used.set(name, { folder, forUsers: forUsers || used.get(name)?.forUsers === true })
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

const [forUsers, forUs] = written.split('## What only we install').map(reasonsIn)
for (const [name, { folder, forUsers: isForUsers }] of used) {
  if (!(isForUsers ? forUsers : forUs)?.get(name))
    problems.push(
      `${page} does not say why ${name} is there: ` +
        `write a line into the table ${isForUsers ? 'of what users install' : 'of what only we install'}.`,
    )
  if (isForUsers) for (const each of broughtBy(folder)) problems.push(...rulesFor(name, each))
}
for (const name of [...forUsers.keys(), ...(forUs?.keys() ?? [])])
  if (!used.has(name)) problems.push(`${page} names ${name}, which nothing uses: take its line out.`)
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log(`dependencies: ${used.size} have a reason`)
process.exitCode = problems.length === 0 ? 0 : 1

/** What a table says of each dependency. */
function reasonsIn(text) {
  return new Map([...text.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name, because]) => [name, because.trim()]))
}
