import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { type DriverPlaces, findDriver } from './find-driver.js'

const nowhere = join(tmpdir(), 'nowhere', 'package.json')
const on = (version: string, ...places: readonly string[]): DriverPlaces => ({
  version,
  hasModule: () => true,
  places: () => [nowhere, ...places],
})

describe('findDriver', () => {
  it.each(['22.13.0', '22.20.1', '24.0.0'])('takes node:sqlite of Node.js %s', version => {
    expect(findDriver(undefined, on(version))).toEqual({ name: 'node:sqlite', path: 'node:sqlite' })
  })

  it.each(['20.19.0', '22.12.0'])('takes libsql on Node.js %s, from the first place that has it', version => {
    const found = findDriver(undefined, on(version, import.meta.url))
    expect(found).toEqual({ name: 'libsql', path: expect.stringMatching(/^\/.*libsql.*index\.js$/) })
  })

  it('takes libsql where a flag has taken node:sqlite away', () => {
    expect(findDriver(undefined, { ...on('24.0.0', import.meta.url), hasModule: () => false }).name).toBe('libsql')
  })

  it('takes libsql anywhere where it is asked for', () => {
    expect(findDriver('libsql', on('24.0.0', import.meta.url)).name).toBe('libsql')
  })

  it('says what to install where there is none', () => {
    // No place at all: a package manager may set NODE_PATH, which every place looks into.
    const none = (version: string): DriverPlaces => ({ ...on(version), places: () => [] })
    expect(() => findDriver(undefined, none('20.19.0'))).toThrow(
      'Run "npm install libsql", or use Node.js 22.13 or later',
    )
    expect(() => findDriver('libsql', none('24.0.0'))).toThrow(TypeError)
  })

  it('says from when on there is node:sqlite where it is asked for', () => {
    expect(() => findDriver('node:sqlite', on('20.19.0'))).toThrow('22.13 and later have it')
  })

  // Webpack 5.113 treats an ES module that stays one like this, with libsql as an external: it answers `typeof __filename` itself, leaves
  // `__filename` to a module that has none, and puts `undefined` in place of an imported `createRequire`.
  it('finds libsql after webpack', async () => {
    const path = fileURLToPath(new URL('find-driver.ts', import.meta.url))
    const { outputFiles } = await build({
      entryPoints: [path],
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
    })
    const text = (outputFiles[0]?.text ?? '')
      .replaceAll('typeof __filename', '"string"')
      .replaceAll(/(?<!\.)createRequire(?=\()/g, 'undefined')
    const there = join(await mkdtemp(join(tmpdir(), 'webpack-')), 'bundle.mjs')
    await writeFile(there, `${text}\nprocess.stdout.write(findDriver('libsql').path)`)
    const cwd = fileURLToPath(new URL('../../..', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [there], { cwd })
    expect(stdout).toBe(createRequire(import.meta.url).resolve('libsql'))
    await rm(dirname(there), { recursive: true })
  })
})
