/**
 * Fails on a file that ARCHITECTURE.md names and that is gone, on a circle of imports, on an import against the order of the rooms, and on a folder with more than 14 source files.
 *
 * The accident it prevents: two files that need each other, so that neither can be read, tested or moved alone; and the folder
 * in which nobody finds anything any more. ARCHITECTURE.md lists the rooms of each package, lowest first: a file imports from its own
 * room and from rooms above it in the list, types included. What stands directly in `src` and is not listed is an entry, and may
 * import everything.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import ts from 'typescript'
import { root } from './workspaces.js'

const mostFiles = 14
const entry = 'an entry'
const problems = []

const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
for (const [, file] of architecture.matchAll(/`(?:packages\/)?([a-z-]+\/src\/[^`]+\.ts)`/g)) {
  if (!existsSync(join(root, 'packages', file)))
    problems.push(`ARCHITECTURE.md names packages/${file}, which is not there.`)
}
const rooms = roomsIn(architecture)
for (const name of readdirSync(join(root, 'packages'))) {
  const order = rooms.get(name)
  if (order === undefined) problems.push(`ARCHITECTURE.md lists no rooms of packages/${name}/src.`)
  else checkPackage(name, order)
}

/** Of each package, what its numbered list names: folders, and files directly in `src`. */
function roomsIn(text) {
  const lists = new Map()
  let list
  for (const line of text.split('\n')) {
    const heading = /^### `packages\/([^/]+)\/src`/.exec(line)
    if (line.startsWith('#')) list = undefined
    if (heading !== null) {
      list = []
      lists.set(heading[1], list)
    }
    const item = /^\d+\. `([^`]+?)\/?`/.exec(line)
    if (item !== null) list?.push(item[1])
  }
  return lists
}

function checkPackage(name, order) {
  const src = join(root, 'packages', name, 'src')
  const files = readdirSync(src, { recursive: true })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => /(?<!\.test|\.test-d)\.ts$/.test(file))
  const imports = new Map(files.map(file => [file, importsOf(src, file)]))
  const roomOf = file =>
    [file, dirname(file)].find(each => order.includes(each)) ?? (dirname(file) === '.' ? entry : undefined)
  const rank = room => (room === entry ? order.length : order.indexOf(room))
  for (const [file, used] of imports) {
    const room = roomOf(file)
    if (room === undefined) problems.push(`packages/${name}/src/${file}: ARCHITECTURE.md does not list its room.`)
    for (const other of used.filter(each => imports.has(each))) {
      const otherRoom = roomOf(other)
      if (room === undefined || otherRoom === undefined || rank(otherRoom) <= rank(room)) continue
      problems.push(`packages/${name}/src/${file} imports uphill, from ${other}: ${room} comes before ${otherRoom}.`)
    }
  }
  for (const circle of circlesIn(imports)) problems.push(`packages/${name}/src has a circle: ${circle.join(', ')}.`)
  for (const room of order.filter(each => !files.some(file => file === each || dirname(file) === each)))
    problems.push(`ARCHITECTURE.md lists ${room} of packages/${name}/src, which is not there.`)
  for (const folder of new Set(files.map(dirname))) {
    const count = files.filter(file => dirname(file) === folder).length
    if (count > mostFiles)
      problems.push(`packages/${name}/src/${folder} has ${count} source files; at most ${mostFiles}.`)
  }
}

/** The files below `src` that a file imports by a relative path, types included. */
function importsOf(src, file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(src, file), 'utf8'), true, true)
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => join(dirname(file), specifier.replace(/\.js$/, '.ts')))
}

/** Groups of files that reach each other by imports: Tarjan's strongly connected components. */
function circlesIn(imports) {
  const [indexes, lows, stack, circles] = [new Map(), new Map(), [], []]
  const visit = file => {
    indexes.set(file, indexes.size)
    lows.set(file, indexes.get(file))
    stack.push(file)
    for (const other of imports.get(file).filter(each => imports.has(each))) {
      if (!indexes.has(other)) visit(other)
      if (stack.includes(other)) lows.set(file, Math.min(lows.get(file), lows.get(other)))
    }
    if (lows.get(file) !== indexes.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) circles.push(circle)
  }
  for (const file of imports.keys()) if (!indexes.has(file)) visit(file)
  return circles
}

for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log('rooms: imports go one way, there are no circles, and no folder is crowded')
process.exitCode = problems.length === 0 ? 0 : 1
