import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { refuseOtherLibrary } from './other-library.js'

const made: string[] = []
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true })
})

/** A process as Linux shows it: the files that it has open, and those that it has loaded. */
function processWith({ open = [], loaded = [] }: { open?: readonly string[]; loaded?: readonly string[] }) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'tillkit-process-')))
  made.push(directory)
  const file = join(directory, 'shop.db')
  writeFileSync(file, '')
  mkdirSync(join(directory, 'fd'))
  for (const [index, name] of open.entries()) symlinkSync(join(directory, name), join(directory, 'fd', `${index}`))
  const lines = loaded.map(path => `7f0000000000-7f0000001000 r-xp 00000000 fe:00 1234   ${path}`)
  writeFileSync(join(directory, 'maps'), ['7ffc0000-7ffc1000 rw-p 00000000 00:00 0   [stack]', ...lines].join('\n'))
  return { file, directory }
}

const betterSqlite3 = '/app/node_modules/better-sqlite3/build/Release/better_sqlite3.node'
const ours = '/app/node_modules/@libsql/linux-x64-gnu/index.node'

describe('refuseOtherLibrary', () => {
  it.each([
    ['libsql', betterSqlite3],
    ['libsql', '/app/node_modules/sqlite3/build/Release/node_sqlite3.node'],
    ['libsql', '/app/node_modules/.prisma/client/libquery_engine-debian-openssl-3.0.x.so.node'],
    ['libsql', '/usr/lib/x86_64-linux-gnu/libsqlite3.so.0.8.6'],
    ['node:sqlite', betterSqlite3],
    ['node:sqlite', ours],
  ] as const)('refuses a file that is open, for %s beside %s', (driver, library) => {
    const { file, directory } = processWith({ open: ['log.txt', 'shop.db'], loaded: ['/usr/bin/node', ours, library] })
    expect(() => refuseOtherLibrary(file, driver, directory)).toThrow(
      expect.objectContaining({ code: 'ERR_STORE_REFUSED' }),
    )
    expect(() => refuseOtherLibrary(file, driver, directory)).toThrow(driver === 'libsql' ? library : '.node')
  })

  it('takes a file that only its own library may have open', () => {
    const { file, directory } = processWith({
      open: ['shop.db'],
      loaded: ['/usr/bin/node', ours, '/app/sqlite/rollup.node'],
    })
    refuseOtherLibrary(file, 'libsql', directory)
  })

  it('takes a file that is not open, whatever is loaded', () => {
    const { file, directory } = processWith({ open: ['shop.db-other'], loaded: [betterSqlite3] })
    refuseOtherLibrary(file, 'libsql', directory)
  })

  it('takes a file that is not there yet, and every file where there is nothing to look at', () => {
    const { file, directory } = processWith({ loaded: [betterSqlite3] })
    refuseOtherLibrary(`${file}-new`, 'libsql', directory)
    refuseOtherLibrary(file, 'libsql', join(directory, 'none'))
  })
})
