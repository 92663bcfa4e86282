/**
 * Which imports are allowed: the arrows and the rooms of ARCHITECTURE.md, as rules for dependency-cruiser.
 *
 * The accidents it prevents: someone who has their own HTTP client installs `@tillkit/signing` and gets undici; an import works in this
 * workspace and breaks at the user's; a folder grows in which nothing is found any more. No tool counts the files of a folder, or reads
 * which files a page names, so both are done here. Biome finds circles.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const mostFiles = 14
const architecture = readFileSync('ARCHITECTURE.md', 'utf8')
const tests = /\.test(?:-d)?\.ts$/

const chains = [...architecture.matchAll(/^ {2}\S+(?: --> \S+)+$/gm)].map(([line]) => line.trim().split(' --> '))
const usedBy = name => chains.flatMap(chain => chain.filter((_, at) => chain[at + 1] === name))
const lists = [...architecture.matchAll(/^### `packages\/(.+)\/src`\n\n((?:\d+\. .+\n)+)/gm)]

const named = [
  ...[...architecture.matchAll(/`(?:packages\/)?([a-z-]+\/src\/[^`]+\.ts)`/g)].map(([, file]) => file),
  ...lists.flatMap(([, name, list]) => roomsIn(list).map(room => `${name}/src/${room}`)),
]
const problems = [
  ...named
    .filter(path => !existsSync(`packages/${path}`))
    .map(path => `ARCHITECTURE.md names ${path}, which is not there.`),
  ...readdirSync('packages').flatMap(problemsOf),
]
if (problems.length > 0) throw new Error(problems.join('\n'))

function roomsIn(list) {
  return [...list.matchAll(/^\d+\. `(.+?)`/gm)].map(([, room]) => room)
}

function problemsOf(name) {
  const { dependencies } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
  const ours = Object.keys(dependencies ?? {}).filter(each => each.startsWith('@tillkit/'))
  const files = readdirSync(`packages/${name}/src`, { recursive: true, withFileTypes: true })
  const folders = files
    .filter(file => file.name.endsWith('.ts') && !tests.test(file.name))
    .map(({ parentPath }) => parentPath)
  return [
    ...(lists.some(([, each]) => each === name) ? [] : [`ARCHITECTURE.md lists no rooms of packages/${name}/src.`]),
    ...ours
      .filter(each => !usedBy(name).includes(each.slice('@tillkit/'.length)))
      .map(each => `packages/${name}/package.json asks for ${each}, and ARCHITECTURE.md has no such arrow.`),
    ...[...new Set(folders)]
      .filter(folder => folders.filter(each => each === folder).length > mostFiles)
      .map(folder => `${folder} has more than ${mostFiles} source files.`),
  ]
}

/** A file imports from its own room and from rooms above it in the list; an entry, directly in `src` and not listed, from all. */
function rulesOf([, name, list]) {
  const src = `^packages/${name}/src/`
  const rooms = roomsIn(list).map(room => room.replace('.', '\\.').replace(/\/$/, '/[^/]+'))
  const filesOf = some => `${src}(?:${some.join('|')})$`
  const entry = { path: `${src}[^/]+$`, pathNot: filesOf(rooms) }
  return [
    ...rooms.slice(0, -1).map((room, at) => ({
      name: 'imports from a later room',
      from: { path: filesOf([room]) },
      to: { path: filesOf(rooms.slice(at + 1)) },
    })),
    { name: 'imports from an entry', from: { path: filesOf(rooms) }, to: entry },
    {
      name: 'imports from a room that ARCHITECTURE.md does not list',
      from: {},
      to: { path: src, pathNot: filesOf([...rooms, '[^/]+']) },
    },
    {
      name: 'imports from a package without an arrow',
      from: { path: src },
      to: { path: '^packages/', pathNot: `^packages/(?:${[name, ...usedBy(name)].join('|')})/` },
    },
  ].map(rule => ({ ...rule, severity: 'error' }))
}

export default {
  forbidden: [
    ...lists.flatMap(rulesOf),
    {
      name: 'imports what its package does not bring to users',
      severity: 'error',
      from: {},
      // `@tillkit/testing` adds to the types of these two, and takes nothing from them.
      to: { path: 'node_modules', pathNot: '/(?:vitest|expect)/', dependencyTypesNot: ['npm', 'npm-peer'] },
    },
    {
      name: 'a rule of the fake reaches a server, a clock or a connection',
      severity: 'error',
      from: { path: '^packages/testing/src/rules(?:/|\\.ts$)' },
      to: {
        path: '^(?:node:)?(?:http|https|net|tls|fs|timers|worker_threads)$|/undici/|^packages/testing/src/(?:time|state|callbacks|fake)/',
        reachable: true,
      },
    },
  ],
  options: {
    exclude: tests.source,
    doNotFollow: 'node_modules',
    tsPreCompilationDeps: true,
    // Biome looks for circles, and takes no longer for it.
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: { conditionNames: ['@tillkit/source', 'import'], exportsFields: ['exports'] },
  },
}
