/** What importing the package does: it loads no module of Node.js, and works out nothing that only a call needs (adr/0029). */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

/** The part of esbuild used here. It comes with tsup, which builds the package with it. */
interface Esbuild {
  build(options: object): Promise<{
    readonly outputFiles: readonly { readonly text: string }[]
    readonly metafile: { readonly outputs: Readonly<Record<string, { readonly imports: readonly { path: string }[] }>> }
  }>
}

const requireHere = createRequire(import.meta.url)
const esbuild: Esbuild = createRequire(requireHere.resolve('tsup'))('esbuild')
const here = fileURLToPath(new URL('.', import.meta.url))

/** Runs a program as a module of this package. @returns What it wrote, read as JSON. */
function resultOf(program: string): unknown {
  const ran = spawnSync(process.execPath, ['--input-type=module'], { cwd: here, input: program, encoding: 'utf8' })
  expect(ran.stderr).toBe('')
  return JSON.parse(ran.stdout)
}

const write = (value: string) => `process.stdout.write(JSON.stringify(${value}))`

describe('importing the client, with protocol and signing', () => {
  let text = ''
  let imported: readonly string[] = []
  beforeAll(async () => {
    const { outputFiles, metafile } = await esbuild.build({
      entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
      conditions: ['@tillkit/source'],
      external: ['undici'],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      outfile: 'client.js',
    })
    text = outputFiles.map(file => file.text).join('')
    imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  })

  it('imports undici, what it has loaded, and nothing else', () => {
    expect(new Set(imported)).toEqual(new Set(['undici']))
  })

  it('loads no module of Node.js that undici has not loaded', () => {
    const loaded = write('process.moduleLoadList')
    const before = resultOf(`import 'undici';${loaded}`) as readonly string[]
    const after = resultOf(`${text};${loaded}`) as readonly string[]
    expect(before).toContain('NativeModule crypto')
    expect(after.filter(name => !before.includes(name))).toEqual([])
  })

  // The five lists that come from the two tables of fields, adr/0041. What else grows here costs every start of a program.
  it('makes no pattern from text, and no table from another table but of fields', () => {
    const count = `
      const made = { RegExp: 0, entries: 0, fromEntries: 0 }
      RegExp = new Proxy(RegExp, {
        construct(Made, given) {
          made.RegExp += 1
          return new Made(...given)
        },
      })
      for (const name of ['entries', 'fromEntries']) {
        const original = Object[name]
        Object[name] = from => {
          made[name] += 1
          return original(from)
        }
      }
    `
    const one = "new RegExp('a');"
    expect(resultOf(`import 'undici';${count};${one};${text};${write('made')}`)).toEqual({
      RegExp: 1,
      entries: 5,
      fromEntries: 2,
    })
  })
})
