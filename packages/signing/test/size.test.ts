/**
 * What the package weighs in a bundle, that a bundle holds only what is imported (explanations: adr/0008), and that
 * importing it loads nothing else (adr/0021).
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { esbuild } from './esbuild.js'

interface Plugin {
  readonly name: string
  setup(build: {
    onResolve(of: { filter: RegExp }, resolve: (found: { path: string }) => { path: string; namespace: string }): void
    onLoad(of: { filter: RegExp; namespace: string }, load: () => { contents: string }): void
  }): void
}

const options = { bundle: true, write: false, format: 'esm', platform: 'node', target: 'node20.19' }
const textOf = async (more: object): Promise<string> => {
  const { outputFiles } = await esbuild.build({ ...options, ...more })
  return outputFiles.map(({ text }) => text).join('')
}

/** Bundles what is imported from the package as it is published: one file, in which unused parts have to be recognized. */
async function bundle(imported: string): Promise<string> {
  const contents = await textOf({ entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))] })
  const published: Plugin = {
    name: 'published',
    setup(build) {
      build.onResolve({ filter: /^published$/ }, ({ path }) => ({ path, namespace: path }))
      build.onLoad({ filter: /.*/, namespace: 'published' }, () => ({ contents }))
    },
  }
  return textOf({ stdin: { contents: `export ${imported} from 'published'` }, minify: true, plugins: [published] })
}

const kilobytes = (text: string): number => gzipSync(text).length / 1000

const explanationTexts = ['it must be made over', 'the other side']

describe('a bundle of the control scheme alone', () => {
  let text = ''
  beforeAll(async () => {
    text = await bundle(
      '{ controlItems, controlString, controlValue, fromMinorUnits, toMinorUnits, verifyControlValue }',
    )
  })

  it('is under 6 kB, minified and compressed', () => {
    expect(kilobytes(text)).toBeLessThan(6)
  })

  // Each of these is in the whole package, see below; names of functions would not survive minification.
  it.each(['oauth_', 'PRIVATE KEY', 'RSA-SHA256', 'HMAC-SHA1', 'percent-encoded', 'Authorization'])(
    'does not hold %j',
    marker => {
      expect(text.includes(marker)).toBe(false)
    },
  )
})

describe('a bundle of everything', () => {
  let text = ''
  beforeAll(async () => {
    text = await bundle('*')
  })

  it('is under 12.5 kB, minified and compressed', () => {
    expect(kilobytes(text)).toBeLessThan(12.5)
  })

  it.each(['oauth_', 'PRIVATE KEY', 'RSA-SHA256', 'HMAC-SHA1', 'percent-encoded', 'Authorization'])(
    'holds %j',
    marker => {
      expect(text.includes(marker)).toBe(true)
    },
  )

  it.each(explanationTexts)('does not hold %j, a text of an explanation', marker => {
    expect(text.includes(marker)).toBe(false)
  })
})

describe('importing everything', () => {
  // What Node.js itself keeps: the built-in modules this process has loaded.
  const isLoaded = "process.moduleLoadList.includes('NativeModule crypto')"

  it.each([
    ['leaves node:crypto alone', '', 'false'],
    ['loads it for the first value that is made', "controlValue([], {}, 'key');", 'true'],
  ])('%s', async (_title, used, expected) => {
    const text = await textOf({ entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))] })
    const program = `${text};${used}process.stdout.write(String(${isLoaded}))`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module'], {
      input: program,
      encoding: 'utf8',
    })
    expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' })
  })
})

describe('the entry of the explanations', () => {
  it.each(explanationTexts)('holds %j', async marker => {
    const text = await textOf({ entryPoints: [fileURLToPath(new URL('../src/explain/index.ts', import.meta.url))] })
    expect(text.includes(marker)).toBe(true)
  })
})
