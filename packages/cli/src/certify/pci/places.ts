import { createHash } from 'node:crypto'
import { constants, createReadStream, type Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Hit, Search } from '../search/search.js'
import { openPart, type PartResult, type SearchedPart, safeText } from './part.js'
import { type TimeLimit, takeInTime } from './time-limit.js'

/** The kind of a place. */
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
  /** True if this run's customer is in it. Otherwise it may be the wrong place. */
  readonly marked: boolean
}

/** Something that was found, and where. */
export interface PlacedHit extends Hit {
  readonly place: string
  readonly part: string
}

/** The result of searching a place. */
export interface PlaceResult {
  readonly place: SearchedPlace
  readonly hits: readonly PlacedHit[]
}

/** A place that is looked at before the first payment, and searched after the last. */
export interface WatchedPlace {
  search(search: Search, limit: TimeLimit): Promise<PlaceResult>
}

const namesOfFiles = 'names of files and folders'
/** Most parts that a problem names. */
const mostNamed = 3

/** Puts together what came of the parts of a place. What was not looked at in one of them is a problem of the place. */
export function placeOf(
  { kind, name }: Pick<SearchedPlace, 'kind' | 'name'>,
  results: readonly PartResult[],
  problems: readonly string[],
  search: Search,
): PlaceResult {
  const parts = results.map(({ part }) => part)
  const place = safeText(name, search)
  return {
    place: {
      kind,
      name: place,
      parts,
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      problems: [...new Set([...problems.map(problem => safeText(problem, search)), ...notesOf(parts)])],
      marked: results.some(({ marked }) => marked),
    },
    hits: results.flatMap(({ part, hits }) => hits.map(hit => ({ ...hit, place, part: part.name }))),
  }
}

/** Each note, with the first parts that have it. */
function notesOf(parts: readonly SearchedPart[]): readonly string[] {
  const notes = new Map<string, string[]>()
  for (const { name, note } of parts) if (note !== undefined) notes.set(note, [...(notes.get(note) ?? []), name])
  return [...notes].map(([note, names]) => {
    const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
    return `${names.slice(0, mostNamed).join(', ')}${more}: ${note}.`
  })
}

/** Bytes that are read at a time. */
const piece = 1 << 18

/** Searches a file from a place on. One that waits to be written to, as those of the kernel do, cannot be read. */
async function searchFile(path: string, search: Search, limit: TimeLimit, from = 0): Promise<PartResult> {
  const part = openPart(path, search, from)
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stream = file.createReadStream({ start: from, highWaterMark: piece })
  try {
    await takeInTime(stream, part.push, limit)
  } finally {
    stream.destroy()
  }
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

/** How a path is; undefined where nothing is there any more. Why it is not known is added to the problems. */
async function statOf(path: string, problems: string[]): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') problems.push(unreadable(path, error))
    return undefined
  }
}

const unreadable = (path: string, error: unknown): string => `${path} could not be read: ${codeOf(error)}.`

/** Files beside a log, by name. Only the problems of those whose names begin with its name are of interest. */
async function filesBeside(log: string, problems: string[]): Promise<ReadonlyMap<string, Stats>> {
  const folder = dirname(log)
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') problems.push(unreadable(folder, error))
    return []
  })
  const seen = await Promise.all(
    names.map(async name => {
      const stats = await statOf(join(folder, name), name.startsWith(basename(log)) ? problems : [])
      return [name, stats] as const
    }),
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
  for (const [each, stats] of await filesBeside(path, [])) {
    if (!each.startsWith(name)) continue
    if (each === name && stats.size > 0) itself = idOf(stats)
    const ends = await endsOf(join(folder, each), stats.size).catch(() => 'unreadable')
    before.push({ id: idOf(stats), size: stats.size, ends })
  }
  return {
    async search(search, limit) {
      const results: PartResult[] = []
      const problems: string[] = []
      const met = new Set<string>()
      const files = await filesBeside(path, problems)
      for (const [each, stats] of files) {
        const file = join(folder, each)
        const seen = before.find(({ id }) => id === idOf(stats))
        if (seen === undefined && !each.startsWith(name)) continue
        try {
          const isSame = seen !== undefined && stats.size >= seen.size && seen.ends === (await endsOf(file, seen.size))
          if (seen !== undefined && !isSame && !each.startsWith(name)) continue
          if (isSame) met.add(seen.id)
          const from = isSame ? seen.size : 0
          if (stats.size > from) results.push(await searchFile(file, search, limit, from))
        } catch (error) {
          problems.push(unreadable(file, error))
        }
      }
      const ended = limit.ended()
      if (ended !== undefined) problems.push(ended)
      const isRead = problems.length === 0
      if (isRead && itself !== undefined && !met.has(itself))
        problems.push('It was cut, or replaced: what was written to it right before that may be missing.')
      if (isRead && itself === undefined && !files.has(name)) problems.push(`There is no file ${path}.`)
      else if (isRead && results.length === 0) problems.push('Nothing was written to it during the run.')
      return placeOf({ kind: 'log', name: path }, results, problems, search)
    },
  }
}

/** A file below a folder, and how it is. */
interface BelowFile {
  readonly path: string
  readonly state: string
}

/** The files below a folder, and the paths of everything that has a name there. */
interface Below {
  readonly files: readonly BelowFile[]
  readonly paths: readonly string[]
}

/**
 * Lists what is below a folder, in the order of the names. Links are not followed. Where the path is that of a file: the file, and those
 * beside it whose names begin with its name, as databases keep their latest rows.
 */
async function below(path: string, problems: string[], limit?: TimeLimit): Promise<Below> {
  const files: BelowFile[] = []
  const paths: string[] = []
  const visit = async (folder: string, beginning = ''): Promise<void> => {
    try {
      const entries = await readdir(folder, { withFileTypes: true })
      for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
        if (limit?.ended() !== undefined) return
        if (!entry.name.startsWith(beginning)) continue
        const inner = join(folder, entry.name)
        paths.push(inner)
        if (entry.isDirectory()) await visit(inner)
        else if (entry.isFile()) await add(inner)
        else if (!entry.isSymbolicLink()) problems.push(special(inner))
      }
    } catch (error) {
      problems.push(unreadable(folder, error))
    }
  }
  const add = async (file: string): Promise<void> => {
    const stats = await statOf(file, problems)
    if (stats !== undefined) files.push({ path: file, state: `${stats.size} ${stats.mtimeMs}` })
  }
  const root = await statOf(path, problems)
  if (root === undefined && problems.length === 0) problems.push(`There is no folder ${path}.`)
  if (root?.isDirectory()) await visit(path)
  else if (root?.isFile()) {
    await visit(dirname(path), basename(path))
    // Itself a link.
    if (!files.some(file => file.path === join(path))) await add(path)
  } else if (root !== undefined) problems.push(special(path))
  return { files, paths }
}

const special = (path: string): string => `${path} is neither a file nor a folder, and was not searched.`

const stateOf = ({ files }: Below): string => JSON.stringify(files)

/** Watches a folder, or a file: afterwards all of it is searched, and all names in it. */
export async function watchFolder(path: string): Promise<WatchedPlace> {
  const before = stateOf(await below(path, []))
  return {
    async search(search, limit) {
      const problems: string[] = []
      const after = await below(path, problems, limit)
      const results: PartResult[] = []
      const names = openPart(namesOfFiles, search)
      for (const each of after.paths) await names.push(Buffer.from(`${each}\n`))
      for (const file of after.files) {
        if (limit.ended() !== undefined) break
        try {
          results.push(await searchFile(file.path, search, limit))
        } catch (error) {
          // A database takes its own files away while it works.
          if (codeOf(error) !== 'ENOENT') problems.push(unreadable(file.path, error))
        }
      }
      const ended = limit.ended()
      if (ended !== undefined) problems.push(ended)
      const isRead = problems.length === 0
      if (isRead && results.every(({ isEmpty }) => isEmpty)) problems.push('It is empty.')
      else if (isRead && stateOf(after) === before) problems.push('Nothing in it changed during the run.')
      return placeOf({ kind: 'folder', name: path }, [await names.end(), ...results], problems, search)
    },
  }
}
