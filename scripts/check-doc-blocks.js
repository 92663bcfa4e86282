/**
 * Type-checks every `ts` block of every page, each as a module of its own, as strictly as the packages. Says which pages are
 * run by a test as well.
 *
 * The accident it prevents: an example that is copied from the documentation and does not compile, because an option was
 * renamed or a type of a KMS client was written down wrong. Packages resolve to their sources, so nothing need be built.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { root, workspaces } from './workspaces.js'

/** Pages whose blocks are also run, all or the main ones, and the test that does it. What is not here is compiled only. */
const runBy = {
  'README.md': 'examples/shop/test/readme.test.ts',
  'docs/3d-secure.md': 'packages/till/test/till/three-d-secure-docs.test.ts',
  'docs/assumptions.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/backup-and-restore.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/behind-a-proxy.md': 'packages/express-middleware/test/behind-a-proxy.soak.test.ts',
  'docs/callbacks.md': 'packages/express-middleware/test/callbacks-docs.test.ts',
  'docs/certify.md': 'packages/cli/test/certified-merchant.soak.test.ts',
  'docs/certify-any-language.md': 'packages/cli/test/certified-merchant.soak.test.ts',
  'docs/client/own-operations.md': 'packages/client/test/readme.test.ts',
  'docs/client/settings.md': 'packages/client/test/readme.test.ts',
  'docs/gateway-command.md': 'packages/cli/test/gateway-command-docs.test.ts',
  'docs/gateway-in-containers.md': 'packages/cli/test/containers.test.ts',
  'docs/deployment.md': 'examples/shop/test/deployment.soak.test.ts',
  'docs/fake-gateway.md': 'packages/testing/test/docs.test.ts',
  'docs/give-money-back.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/going-live.md': 'examples/shop/test/going-live.soak.test.ts',
  'docs/hold-and-capture.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/hosted-forms.md': 'packages/express-middleware/test/hosted-forms-docs.test.ts',
  'docs/keys.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/kms.md': 'packages/testing/test/kms-signers.test.ts',
  'docs/looking-after-the-till.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/marketplace.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/migrate-from-php.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/migrate-from-your-own-code.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/own-store.md': 'packages/till/test/readme.test.ts',
  'docs/pay-out.md': 'examples/shop/test/readme.test.ts',
  'docs/pci.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/recipes.md': 'packages/client/test/recipes.test.ts',
  'docs/signature-differs.md': 'packages/signing/test/explain-docs.test.ts',
  'docs/signing.md': 'packages/signing/test/readme.test.ts',
  'docs/start.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/stored-cards.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/take-a-payment.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/testing.md': 'packages/testing/test/docs.test.ts',
  'docs/troubleshooting.md': 'examples/shop/test/readme.test.ts',
  'docs/when-you-do-not-know.md': 'examples/shop/test/readme.test.ts',
  'docs/your-orders.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/without-express.md': 'examples/shop/test/readme.soak.test.ts',
  'docs/work-from-a-queue.md': 'packages/till/test/till/recipes.test.ts',
  'packages/cli/README.md': 'examples/shop/test/readme.soak.test.ts',
  'packages/client/README.md': 'packages/client/test/readme.test.ts',
  'packages/express-middleware/README.md': 'packages/express-middleware/test/readme.test.ts',
  'packages/protocol/README.md': 'examples/shop/test/readme.test.ts',
  'packages/signing/README.md': 'packages/signing/test/readme.test.ts',
  'packages/testing/README.md': 'examples/shop/test/readme.test.ts',
  'packages/till/README.md': 'packages/till/test/readme.test.ts',
}

/** Pages whose blocks are compiled and run elsewhere: as files of a package, which a test compares with the page, or by a consumer project. */
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
if (problems.length === 0) report()
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
  return Object.entries({ ...runBy, ...compiledElsewhere }).flatMap(([page, test]) => {
    const isShown = page in compiledElsewhere || blocks.some(block => block.page === page)
    if (!isShown) return [`${page} has no blocks that ${test} could run.`]
    const reads = existsSync(join(root, test)) && readFileSync(join(root, test), 'utf8').includes(basename(page, '.md'))
    return reads ? [] : [`${test} does not read ${page}.`]
  })
}

function report() {
  const withBlocks = [...new Set(blocks.map(({ page }) => page))]
  console.log(`documentation: ${blocks.length} blocks of ${withBlocks.length} pages type-check`)
  for (const page of withBlocks) {
    console.log(page in runBy ? `  ${page}, run by ${runBy[page]}` : `  ${page}, compiled only`)
  }
  for (const [page, test] of Object.entries(compiledElsewhere)) console.log(`  ${page}, compiled and run by ${test}`)
}
