/**
 * Type-checks every `ts` block of every page, each as a module of its own, as strictly as the packages.
 *
 * The accident it prevents: an example that is copied from the documentation and does not compile, because an option was
 * renamed or a type of a KMS client was written down wrong. Packages resolve to their sources, so nothing need be built.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { root, workspaces } from './workspaces.js'

/**
 * Pages whose blocks are compiled and run elsewhere: as files of a package, which a test compares with the page, or by a consumer project.
 */
const compiledElsewhere = {
  'docs/orms.md': 'test-projects/orms/main.js',
  'docs/other-frameworks.md': 'packages/express-middleware/test/other-frameworks-docs.test.ts',
}

const everywhere = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies
const places = workspaces().map(({ directory, manifest: { name, dependencies, devDependencies } }) => ({
  directory,
  has: imported =>
    imported.startsWith('.')
      ? existsSync(join(root, directory, 'test', imported.replace(/\.js$/, '.ts')))
      : imported === name || imported in { ...dependencies, ...devDependencies, ...everywhere },
}))
const blocks = pages()
  .filter(page => !(page in compiledElsewhere))
  .flatMap(blocksOf)
const problems = [...untrueClaims(), ...diagnostics()]
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log(`documentation: ${blocks.length} blocks type-check`)
process.exitCode = problems.length === 0 && blocks.length > 0 ? 0 : 1

/** Every page of the repository, its package and the examples, by its path. */
function pages() {
  const directories = ['.', 'docs', ...places.map(({ directory }) => directory)]
  return directories.flatMap(directory =>
    readdirSync(join(root, directory), { recursive: directory === 'docs' })
      .filter(name => name.endsWith('.md'))
      .map(name => (directory === '.' ? name : `${directory}/${name}`)),
  )
}

/** The blocks of a page, each a file that seems to stand where what it imports can be found. */
function blocksOf(page) {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(({ index, 1: code }) => {
    const line = text.slice(0, index).split('\n').length
    const name = `${page.replaceAll(/\W/g, '-')}-line-${line}.ts`
    // A module, even without imports: names of one example must not meet those of another.
    return { page, file: join(root, placeFor(code), 'test', name), code: `${code}\nexport {}\n` }
  })
}

/** The first workspace that has everything which the code imports; files of the reader's own stand for themselves in `test`. */
function placeFor(code) {
  const imported = [...code.matchAll(/\bfrom '(\.[^']+|(?:@[^/']+\/)?[^/']+)[^']*'/g)]
    .map(([, name]) => name)
    .filter(name => !name.startsWith('node:'))
  const place = places.find(({ has }) => imported.every(has))
  if (place === undefined) throw new Error(`No workspace has all of: ${imported.join(', ')}`)
  return place.directory
}

function diagnostics() {
  const codes = new Map(blocks.map(({ file, code }) => [file, code]))
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram([...codes.keys()], options, {
    ...host,
    fileExists: file => codes.has(file) || host.fileExists(file),
    readFile: file => codes.get(file) ?? host.readFile(file),
    getSourceFile: (file, ...more) =>
      codes.has(file) ? ts.createSourceFile(file, codes.get(file), ...more) : host.getSourceFile(file, ...more),
  })
  return [...codes.keys()]
    .flatMap(file => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
    .map(each => ts.formatDiagnostic(each, { ...host, getCurrentDirectory: () => root }))
}

/** Tests of the list above that are not there, or do not read their page. */
function untrueClaims() {
  return Object.entries(compiledElsewhere).flatMap(([page, test]) => {
    const reads = existsSync(join(root, test)) && readFileSync(join(root, test), 'utf8').includes(basename(page, '.md'))
    return reads ? [] : [`${test} does not read ${page}.`]
  })
}
