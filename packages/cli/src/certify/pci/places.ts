import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Hit, Search } from '../search/search.js'
import { openPart, type PartResult, type SearchedPart, safeText } from './part.js'

/** What kind of place was searched. */
export type PlaceKind = 'answers' | 'log' | 'dump' | 'folder' | 'output' | 'proxy'

/** A place that was searched, or was to be. */
export interface SearchedPlace {
  readonly kind: PlaceKind
  /** As it was named: a path, or a command. */
  readonly name: string
  readonly parts: readonly SearchedPart[]
  readonly bytes: number
  /** Why it is not known to be clean, although nothing may have been found. */
  readonly problems: readonly string[]
  /** Whether this run's customer is in it: otherwise it may be the wrong place. */
  readonly marked: boolean
}

/** Something that was found, and where. */
export interface PlacedHit extends Hit {
  readonly place: string
  readonly part: string
}

/** What came of a place. */
export interface PlaceResult {
  readonly place: SearchedPlace
  readonly hits: readonly PlacedHit[]
}

/** A place that is looked at before the first payment, and searched after the last. */
export interface WatchedPlace {
  search(search: Search): Promise<PlaceResult>
}

const namesOfFiles = 'names of files'

/** Puts together what came of the parts of a place. */
export function placeOf(
  { kind, name }: Pick<SearchedPlace, 'kind' | 'name'>,
  results: readonly PartResult[],
  problems: readonly string[],
): PlaceResult {
  const bytes = results.reduce((sum, { part }) => sum + part.bytes, 0)
  const files = results.filter(({ part }) => part.name !== namesOfFiles)
  const isPacked = files.length > 0 && files.every(each => each.isPacked)
  return {
    place: {
      kind,
      name,
      parts: results.map(({ part }) => part),
      bytes,
      problems: isPacked ? [...problems, 'All of it is packed, and was not unpacked.'] : problems,
      marked: results.some(({ marked }) => marked),
    },
    hits: results.flatMap(({ part, hits }) => hits.map(hit => ({ ...hit, place: name, part: part.name }))),
  }
}

/** Bytes that are read at a time. */
const piece = 1 << 18

/** Searches a file from a place on. */
async function searchFile(path: string, search: Search, from = 0): Promise<PartResult> {
  const part = openPart(path, search, from)
  for await (const bytes of createReadStream(path, { start: from, highWaterMark: piece }))
    await part.push(bytes as Buffer)
  return part.end()
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

/** A file as it was: its place on the disk, how long it was, and how it began and ended. */
interface SeenFile {
  readonly id: string
  readonly size: number
  readonly ends: string
}

/** Bytes at each end by which a file is known again: one of the same place on the disk may be another. */
const endBytes = 1_024

const idOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`

/** A digest of the beginning of a file, and of the end that it has or had at a size. */
async function endsOf(path: string, size: number): Promise<string> {
  const digest = createHash('sha256')
  if (size === 0) return ''
  for (const start of [0, Math.max(0, size - endBytes)]) {
    const end = Math.min(size, start + endBytes) - 1
    for await (const bytes of createReadStream(path, { start, end })) digest.update(bytes as Buffer)
  }
  return digest.digest('hex')
}

/** Files of a folder by name. A file that is gone by the time it is looked at is left out. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, Stats>> {
  const names = await readdir(folder)
  const seen = await Promise.all(
    names.map(async name => [name, await stat(join(folder, name)).catch(() => undefined)] as const),
  )
  return new Map(seen.filter((each): each is [string, Stats] => each[1]?.isFile() === true))
}

/**
 * Watches a log. What is written after this is searched, also where the log is rotated meanwhile: files beside it whose names begin with
 * its name, and the file that it was, under whatever name it has in this folder by then.
 */
export async function watchLog(path: string): Promise<WatchedPlace> {
  const [folder, name] = [dirname(path), basename(path)]
  const before: SeenFile[] = []
  let itself: string | undefined
  for (const [each, stats] of await filesIn(folder).catch(() => new Map<string, Stats>())) {
    if (!each.startsWith(name)) continue
    if (each === name && stats.size > 0) itself = idOf(stats)
    const ends = await endsOf(join(folder, each), stats.size).catch(() => 'unreadable')
    before.push({ id: idOf(stats), size: stats.size, ends })
  }
  return {
    async search(search) {
      const results: PartResult[] = []
      const problems: string[] = []
      const met = new Set<string>()
      const files = await filesIn(folder).catch(() => new Map<string, Stats>())
      for (const [each, stats] of files) {
        const file = join(folder, each)
        const seen = before.find(({ id }) => id === idOf(stats))
        if (seen === undefined && !each.startsWith(name)) continue
        try {
          const isSame = seen !== undefined && stats.size >= seen.size && seen.ends === (await endsOf(file, seen.size))
          if (seen !== undefined && !isSame && !each.startsWith(name)) continue
          if (isSame) met.add(seen.id)
          const from = isSame ? seen.size : 0
          if (stats.size > from) results.push(await searchFile(file, search, from))
        } catch (error) {
          problems.push(`${file} could not be read: ${codeOf(error)}.`)
        }
      }
      if (itself !== undefined && !met.has(itself))
        problems.push('It was cut, or replaced: what was written to it right before that may be missing.')
      if (itself === undefined && !files.has(name)) problems.push(`There is no file ${path}.`)
      else if (results.length === 0) problems.push('Nothing was written to it during the run.')
      return placeOf({ kind: 'log', name: path }, results, problems)
    },
  }
}

/** A file below a folder, and how it is. */
interface BelowFile {
  readonly path: string
  readonly state: string
}

/** Every file below a folder, in the order of their names; the file itself where it is one. Links are not followed. */
async function below(path: string, problems: string[]): Promise<readonly BelowFile[]> {
  const files: BelowFile[] = []
  const visit = async (each: string): Promise<void> => {
    try {
      const entries = await readdir(each, { withFileTypes: true })
      for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
        const inner = join(each, entry.name)
        if (entry.isDirectory()) await visit(inner)
        else if (entry.isFile()) await add(inner)
      }
    } catch (error) {
      problems.push(`${each} could not be read: ${codeOf(error)}.`)
    }
  }
  const add = async (file: string): Promise<void> => {
    const stats = await stat(file).catch(() => undefined)
    if (stats !== undefined) files.push({ path: file, state: `${stats.size} ${stats.mtimeMs}` })
  }
  const root = await stat(path).catch(() => undefined)
  if (root === undefined) problems.push(`There is no folder ${path}.`)
  else if (root.isFile()) await add(path)
  else await visit(path)
  return files
}

const stateOf = (files: readonly BelowFile[]): string => JSON.stringify(files)

/** Watches a folder, or a file: afterwards all of it is searched, and the names of its files. */
export async function watchFolder(path: string): Promise<WatchedPlace> {
  const before = stateOf(await below(path, []))
  return {
    async search(search) {
      const problems: string[] = []
      const files = await below(path, problems)
      const results: PartResult[] = []
      const names = openPart(namesOfFiles, search)
      for (const file of files) {
        await names.push(Buffer.from(`${file.path}\n`))
        try {
          results.push(await searchFile(file.path, search))
        } catch (error) {
          // A database takes its own files away while it works.
          if (codeOf(error) !== 'ENOENT')
            problems.push(`${safeText(file.path, search)} could not be read: ${codeOf(error)}.`)
        }
      }
      if (results.every(({ part }) => part.bytes === 0)) problems.push('It is empty.')
      else if (stateOf(files) === before) problems.push('Nothing in it changed during the run.')
      return placeOf({ kind: 'folder', name: path }, [await names.end(), ...results], [...new Set(problems)])
    },
  }
}
