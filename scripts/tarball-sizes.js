/** How large the published packages are, and how large they may be: `scripts/sizes.json` has the ceilings, in bytes. */
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { filesOf } from './tarball-contents.js'
import { root } from './workspaces.js'

const table = join(root, 'scripts/sizes.json')
/** What programs carry along when they bundle: everything that the main entry exports, minified, without packages of others. */
const bundled = ['@tillkit/signing', '@tillkit/protocol', '@tillkit/client']

export async function sizesOf(packages) {
  const modules = join(dirname(dirname(packages[0].folder)), 'node_modules')
  for (const { name, folder } of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(folder, join(modules, name), 'junction')
  }
  const sizes = {}
  for (const { name, folder, bytes } of packages) {
    const files = filesOf(folder)
    const unpacked = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
    sizes[name] = { files: files.length, packed: bytes.length, unpacked }
    if (bundled.includes(name)) sizes[name].bundled = await bundledSize(name, dirname(modules))
  }
  return sizes
}

async function bundledSize(name, resolveDir) {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${name}'`, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'esm',
    external: ['undici'],
    logLevel: 'error',
  })
  return outputFiles[0].contents.length
}

/** Five per cent above what is, so that a fix fits and a second copy of something does not. */
export function writeCeilings(sizes) {
  const above = bytes => Math.ceil((bytes * 1.05) / 1000) * 1000
  const ceilings = Object.entries(sizes).map(([name, { files, ...bytes }]) => {
    const raised = Object.entries(bytes).map(([what, actual]) => [what, above(actual)])
    return [name, { files: Math.ceil(files * 1.05), ...Object.fromEntries(raised) }]
  })
  writeFileSync(table, `${JSON.stringify(Object.fromEntries(ceilings), null, 2)}\n`)
}

const ceilings = () => JSON.parse(readFileSync(table, 'utf8'))
const written = (what, number) => (what === 'files' ? `${number}` : `${Math.round(number / 1000)} kB`)

export function describeSizes(sizes) {
  const may = ceilings()
  for (const [name, actual] of Object.entries(sizes)) {
    const of = what => `${what} ${written(what, actual[what])} of ${written(what, may[name]?.[what] ?? 0)}`
    console.log(`${name}: ${Object.keys(actual).map(of).join(', ')}`)
  }
}

export function sizeProblems(sizes) {
  const may = ceilings()
  return Object.entries(sizes).flatMap(([name, actual]) =>
    Object.entries(actual)
      .filter(([what, number]) => !(number <= may[name]?.[what]))
      .map(
        ([what, number]) =>
          `${name}: ${what} is ${number}, more than ${may[name]?.[what] ?? 'no ceiling'}. Make it smaller, or say why in the commit and raise it: npm run pm -- run sizes`,
      ),
  )
}
