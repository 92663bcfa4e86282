/**
 * The figures of a run, for `docs/evidence`: a file that a program reads.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Campaign } from './campaign.js'

/** One parser's last campaign that was written down. */
interface Written extends Omit<Campaign, 'parser' | 'broken'> {
  readonly broken: number
  readonly seed: number
  readonly date: string
  readonly commit: string
}

const file = new URL('../../../docs/evidence/fuzzing.json', import.meta.url)

/** Writes campaigns down, each in place of the last one of its parser. */
export function write(
  campaigns: readonly Campaign[],
  { command, seed }: { readonly command: string; readonly seed: number },
) {
  const date = new Date().toISOString()
  const commit = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
  const before: { readonly parsers: Readonly<Record<string, Written>> } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { parsers: {} }
  const own = campaigns.map(({ parser, cases, seconds, slowest, broken }): [string, Written] => [
    parser,
    { cases, seconds, slowest, broken: broken === undefined ? 0 : 1, seed, date, commit },
  ])
  const parsers = Object.fromEntries(Object.entries({ ...before.parsers, ...Object.fromEntries(own) }).sort())
  writeFileSync(file, `${JSON.stringify({ date, commit, command, parsers }, undefined, 2)}\n`)
}
