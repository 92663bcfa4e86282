/**
 * Keeps the figures of a long run as a file of docs/evidence. All of these files have one shape, so that one program can cite them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, root } from '../workspaces.js'

const fileOf = name => join(root, 'docs/evidence', `${name}.json`)

/** Reads a result; undefined: the run was not made yet. */
export const readResult = name =>
  existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : undefined

const commit = () => git('rev-parse', 'HEAD')
const commandOf = run => [run, '--', ...process.argv.slice(2)].join(' ')

/** Writes a result in place of the last one. @param run The script, to which the parameters of this process are added. */
export function writeResult(name, { run, startedAt, figures, violations }) {
  const result = {
    date: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
    commit: commit(),
    command: commandOf(run),
    node: process.version,
    figures,
    violations,
  }
  writeFileSync(fileOf(name), `${JSON.stringify(result, undefined, 2)}\n`)
  process.stdout.write(`Written to docs/evidence/${name}.json. npm run pm -- run docs makes docs/evidence.md of it.\n`)
}

/**
 * Writes a run of several parts, of which this time perhaps a few were run: each in place of what was written of it before, with a date, a
 * commit and a command of its own.
 */
export function writeParts(name, { run, startedAt, parts, violationsOf }) {
  const stamp = { date: startedAt.toISOString(), commit: commit(), command: commandOf(run) }
  const own = Object.entries(parts).map(([part, figures]) => [part, { ...figures, ...stamp }])
  const all = { ...readResult(name)?.figures, ...Object.fromEntries(own) }
  const figures = Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)))
  writeResult(name, { run, startedAt, figures, violations: violationsOf(figures) })
}
