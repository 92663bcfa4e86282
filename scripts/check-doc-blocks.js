/**
 * Type-checks every `ts` block of the pages below, each as a module of its own, as strictly as the packages.
 *
 * The accident it prevents: an example that is copied from the documentation and does not compile, because an option was
 * renamed or a type of a KMS client was written down wrong. Packages resolve to their sources, so nothing need be built.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './workspaces.js'

/** Pages, and where their blocks seem to stand: a place from which the packages they import can be found. */
const pages = {
  'docs/signing.md': 'packages/testing',
  'docs/hosted-forms.md': 'examples/shop',
  'docs/3d-secure.md': 'examples/shop',
}

const blocks = new Map(Object.entries(pages).flatMap(blocksOf))
const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
const host = ts.createCompilerHost(options)
const program = ts.createProgram([...blocks.keys()], options, {
  ...host,
  fileExists: file => blocks.has(file) || host.fileExists(file),
  readFile: file => blocks.get(file) ?? host.readFile(file),
  getSourceFile: (file, ...more) =>
    blocks.has(file) ? ts.createSourceFile(file, blocks.get(file), ...more) : host.getSourceFile(file, ...more),
})
const problems = [...blocks.keys()].flatMap(file => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))

if (problems.length > 0) console.error(ts.formatDiagnostics(problems, { ...host, getCurrentDirectory: () => root }))
if (problems.length === 0)
  console.log(`documentation: ${blocks.size} blocks of ${Object.keys(pages).join(', ')} type-check`)
process.exitCode = problems.length === 0 && blocks.size > 0 ? 0 : 1

/** The blocks of a page, by the line of the page they begin after. */
function blocksOf([page, place]) {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(({ index, 1: block }) => {
    const line = text.slice(0, index).split('\n').length
    return [join(root, place, `${page.replaceAll(/\W/g, '-')}-line-${line}.ts`), block]
  })
}
