/**
 * Fails for a line of the sources that has more than 140 characters.
 *
 * The accident it prevents: a change that nobody sees in a review, since the end of its line is beyond the edge of the window.
 * The formatter breaks code alone: templates, strings and comments stay as long as they were written, and no rule of the linter
 * looks at them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, root } from './workspaces.js'

const mostCharacters = 140
const sources = ['packages/*/src/**', 'examples/*/src/**', 'scripts/**'].flatMap(folder => [
  `:(glob)${folder}/*.ts`,
  `:(glob)${folder}/*.js`,
])
const isTest = file => /\.test(-d)?\.ts$/.test(file)

const files = git('ls-files', '--cached', '--others', '--exclude-standard', '--', ...sources)
  .split('\n')
  .filter(file => file !== '' && !isTest(file) && existsSync(join(root, file)))
const problems = files.flatMap(tooLong)
for (const problem of problems) console.error(problem)
if (problems.length === 0)
  console.log(`lines: none of ${files.length} files has one above ${mostCharacters} characters`)
process.exitCode = problems.length === 0 && files.length > 0 ? 0 : 1

/** Characters as a person counts them, and not the units of UTF-16. */
function tooLong(file) {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((line, at) => ({ line: at + 1, length: [...line].length }))
    .filter(({ length }) => length > mostCharacters)
    .map(
      ({ line, length }) =>
        `${file}:${line}: ${length} characters, and ${mostCharacters} are the most. Break the line.`,
    )
}
