/**
 * Tries mutants of drawn.json on the tests of this tree: `node packages/till/test/mutants/run.js [--own] [1 2 3]`.
 *
 * It writes each mutant into the source file and takes it out again, so start it in a clone of its own. First the tests of the mutant's
 * package that import the file, in `src` and then all; then those of every package. It prints a line for each mutant: the test that failed, or none.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../../..')
const { values, positionals } = parseArgs({ allowPositionals: true, options: { own: { type: 'boolean' } } })
const wanted = new Set(positionals.map(Number))

for (const mutant of JSON.parse(readFileSync(join(here, 'drawn.json'), 'utf8'))) {
  if (wanted.size > 0 && !wanted.has(mutant.id)) continue
  const path = join(root, mutant.file)
  const source = readFileSync(path, 'utf8')
  try {
    writeFileSync(path, mutated(source, mutant))
    process.stdout.write(`${mutant.id} ${mutant.file}:${mutant.line} ${noticed(mutant) ?? 'noticed by none'}\n`)
  } catch (error) {
    process.stdout.write(`${mutant.id} ${mutant.file}:${mutant.line} not tried: ${error.message}\n`)
  } finally {
    writeFileSync(path, source)
  }
}

function mutated(source, { line, column, original, replacement }) {
  const start =
    source
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length +
    (line > 1 ? 1 : 0) +
    column -
    1
  if (!source.startsWith(original, start)) throw new Error('the text has moved')
  return source.slice(0, start) + replacement + source.slice(start + original.length)
}

/** The first test that fails, as "file > title". */
function noticed({ file }) {
  const project = file.split('/')[1]
  return related(file, ['--project', project]) ?? (values.own ? undefined : related(file, ['--project', `!${project}`]))
}

function related(file, options) {
  const report = join(root, 'node_modules/.mutant.json')
  writeFileSync(report, '{"testResults":[]}')
  // A mutant may loop for ever.
  const limits = ['--bail', '1', '--testTimeout', '60000', '--hookTimeout', '60000', '--silent']
  const words = [
    'vitest',
    'related',
    file,
    '--run',
    ...limits,
    '--reporter',
    'json',
    '--outputFile',
    report,
    ...options,
  ]
  const { status } = spawnSync('npx', words, { cwd: root, stdio: 'ignore', timeout: 900_000, killSignal: 'SIGKILL' })
  if (status === 0) return undefined
  const failed = JSON.parse(readFileSync(report, 'utf8')).testResults.find(each => each.status === 'failed')
  const title = failed?.assertionResults.find(each => each.status === 'failed')?.fullName
  return failed ? `${failed.name.replace(`${root}/`, '')} > ${title ?? 'could not be loaded'}` : `ended with ${status}`
}
