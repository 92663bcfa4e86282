import { createRequire, isBuiltin } from 'node:module'
import { join } from 'node:path'
import type { FoundDriver } from './driver.js'

/**
 * Finds a driver: `node:sqlite` from Node.js 22.13 on, where it needs no flag; else the package libsql, beside this package or where
 * the program was started.
 *
 * @throws {TypeError} Where there is none, with what to install.
 */
export function findDriver(wanted: FoundDriver['name'] | undefined): FoundDriver {
  if (wanted !== 'libsql' && hasNodeSqlite()) return { name: 'node:sqlite', path: 'node:sqlite' }
  if (wanted === 'node:sqlite') {
    throw new TypeError(
      `sqliteStore: this Node.js ${process.version} has no node:sqlite without a flag; 22.13 and later have it. Leave "driver" out.`,
    )
  }
  for (const place of placesToLookFrom()) {
    try {
      return { name: 'libsql', path: createRequire(place).resolve('libsql') }
    } catch {
      // The next place may have it.
    }
  }
  throw new TypeError(
    `sqliteStore: Node.js ${process.version} brings no SQLite, and the package libsql is not installed. Run "npm install libsql", or use Node.js 22.13 or later.`,
  )
}

function hasNodeSqlite(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return (major > 22 || (major === 22 && minor >= 13)) && isBuiltin('node:sqlite')
}

/** This file, where it still is one: a bundler may have made it part of another. */
function placesToLookFrom(): readonly string[] {
  const here = typeof __filename === 'string' ? __filename : import.meta.url
  return [...(here ? [here] : []), join(process.cwd(), 'package.json')]
}
