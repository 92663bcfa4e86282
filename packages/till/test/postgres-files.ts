/**
 * The programs of PostgreSQL on this machine, and folders of data for its servers.
 *
 * @module
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder of this run, the programs, and the user that they run as. */
export interface ServerPlace {
  readonly directory: string
  readonly binaries: string
  readonly user: ReturnType<typeof serverUser>
}

/** Makes a temporary folder that the user of a server can write to. */
export function serverPlace(): ServerPlace {
  const user = serverUser()
  const directory = mkdtempSync(join(tmpdir(), 'till-postgres-'))
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  return { directory, user, binaries: reachable(installedBinaries(), { user, directory }) }
}

/**
 * Puts the data of a new server where it says: a copy of what `initdb` made once for each version, since it takes more than a CPU second.
 * The copy is made by this process, and is given to the user of the server.
 */
export function copyNewData({ binaries, user }: ServerPlace, data: string): void {
  const initdb = join(binaries, 'initdb')
  const surroundings = { ...user, cwd: dirname(data) }
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  const version = execFileSync(initdb, ['--version'], { ...surroundings, encoding: 'utf8' })
  const digest = createHash('sha256')
    .update([version, ...options].join(' '))
    .digest('hex')
    .slice(0, 16)
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/test-tools', import.meta.url))
  const kept = join(cache, `postgres-data-${digest}`)
  if (existsSync(kept)) {
    cpSync(kept, data, { recursive: true })
    // A server starts on data that its user alone can read. Node.js 24 gives copied folders another mode.
    chmodSync(data, 0o700)
    if (user === undefined) return
    const inside = readdirSync(data, { recursive: true }).map(name => join(data, String(name)))
    for (const path of [data, ...inside]) chownSync(path, user.uid, user.gid)
    return
  }
  execFileSync(initdb, ['-D', data, ...options], { ...surroundings, stdio: 'pipe' })
  mkdirSync(cache, { recursive: true })
  // Another run may do the same: the first one to rename its copy wins, and no run sees half of one.
  const own = mkdtempSync(`${kept}-`)
  cpSync(data, own, { recursive: true })
  try {
    renameSync(own, kept)
  } catch {
    rmSync(own, { recursive: true })
  }
}

/** The newest version that Debian's packages installed, or the one on the path. */
function installedBinaries(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const places = [...versions.map(version => join(root, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)]
  const fetched = fileURLToPath(
    new URL('../../../node_modules/.cache/test-tools/postgres-pinned/native/bin', import.meta.url),
  )
  const found = [...places, fetched].find(place => place !== '' && existsSync(join(place, 'initdb')))
  if (found !== undefined) return found
  throw new Error(
    'These tests need a real PostgreSQL, and there is none: "npm test" fetches one. Or name one in DATABASE_URL: postgres://user:password@host/database.',
  )
}

/** The other user cannot look into the home of root: then a copy is run, of the version with its libraries. */
function reachable(
  binaries: string,
  { user, directory }: { readonly user: ReturnType<typeof serverUser>; readonly directory: string },
): string {
  const { status } = spawnSync(join(binaries, 'initdb'), ['--version'], { ...user, cwd: directory })
  if (status === 0 || user === undefined) return binaries
  const copy = join(directory, 'postgres')
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

/** PostgreSQL refuses to run as root: then it runs as another user. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = ['postgres', 'nobody'].map(name => lines.find(each => each.startsWith(`${name}:`))).find(Boolean)
  const [, , uid, gid] = line?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
