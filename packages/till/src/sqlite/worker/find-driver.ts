import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import type { FoundDriver } from './jobs.js'

/** The places where drivers may be. */
export interface DriverPlaces {
  /** The version of Node.js, such as `22.13.0`. */
  readonly version: string
  /** Whether Node.js has a module, and no flag takes it away. */
  readonly hasModule: (name: string) => boolean
  /** Files and URLs from which libsql is looked for, in this order. */
  readonly places: () => readonly string[]
}

/**
 * Finds a driver: `node:sqlite` from Node.js 22.13 on, where it needs no flag; else the package libsql, beside this package, beside the
 * program, or where that was started.
 *
 * @throws {TypeError} Where there is none, with what to install.
 */
export function findDriver(
  wanted: FoundDriver['name'] | undefined,
  { version, hasModule, places }: DriverPlaces = here,
): FoundDriver {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isGood = major > 22 || (major === 22 && minor >= 13)
  if (wanted !== 'libsql' && isGood && hasModule('node:sqlite')) return { name: 'node:sqlite', path: 'node:sqlite' }
  if (wanted === 'node:sqlite') {
    throw new TypeError(
      `sqliteStore: Node.js ${version} has no node:sqlite without a flag; 22.13 and later have it. Leave "driver" out.`,
    )
  }
  for (const place of places()) {
    try {
      return { name: 'libsql', path: resolveFrom(place, 'libsql') }
    } catch {
      // The next place may have it.
    }
  }
  throw new TypeError(
    `sqliteStore: Node.js ${version} brings no SQLite, and the package libsql is not installed. ` +
      'Run "npm install libsql", or use Node.js 22.13 or later.',
  )
}

/** webpack replaces an imported `createRequire` by its own, which returns numbers and not paths. */
const resolveFrom = (place: string, name: string): string =>
  process.getBuiltinModule('node:module').createRequire(place).resolve(name)

const here: DriverPlaces = {
  version: process.versions.node,
  hasModule: isBuiltin,
  places: () => [ownFile(), process.argv[1], join(process.cwd(), 'package.json')].filter(place => place !== undefined),
}

/**
 * This file, or the one that a bundler made it part of. webpack writes the path of the machine that built it. It also answers
 * `typeof __filename` with 'string' in modules, so this reads it and catches.
 */
function ownFile(): string | undefined {
  try {
    return __filename
  } catch {
    return import.meta.url
  }
}
