/**
 * The long runs: the claim of each, the command that shows it, and its figures in words. The figures themselves stand in docs/evidence.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parts as rooms } from '../../proof/mutation/parts.js'
import { root } from '../workspaces.js'
import { readResult } from './result.js'

export const number = value => value.toLocaleString('en')
const plural = (count, one) => `${number(count)} ${one}${count === 1 ? '' : 's'}`
const sum = numbers => numbers.reduce((all, each) => all + each, 0)
const sumOf = (records, field) => sum(Object.values(records).map(each => each[field] ?? 0))

/** Results of several seeds stand beside each other. */
const kills = readdirSync(join(root, 'docs/evidence'))
  .filter(name => /^kills-\d+\.json$/.test(name))
  .map(name => name.replace('.json', ''))

const runs = [
  {
    claim: 'Recorded runs are what the rules give, and all processes together behave as one store and one gateway',
    command: 'npm run traces -- --write',
    results: ['traces'],
    words({ traces, worlds, races, runs: lived, steps, altered }) {
      const lawful = sumOf(altered, 'lawful')
      const refused = sum(['replay', 'store', 'gateway'].map(part => sumOf(altered, part)))
      return [
        `${number(traces)} traces of ${plural(worlds, 'world')} and ${plural(races, 'race')}`,
        `${number(lived)} runs, ${number(steps)} steps`,
        `${plural(lawful + refused, 'alteration')}: ${number(refused)} refused, ${number(lawful)} other lawful runs`,
      ]
    },
  },
  {
    claim: 'Whole lives of payments, with trouble of each kind, break no rule',
    command: 'npm run world -- --payments 1000000 --write',
    results: ['world'],
    words({ payments, faults }) {
      return [
        plural(payments, 'payment'),
        `${number(sum(Object.values(faults)))} faults of ${plural(Object.keys(faults).length, 'kind')}`,
      ]
    },
  },
  {
    claim: 'A process that is killed anywhere charges nobody twice, and tells nothing falsely',
    command: 'npm run kills -- --kills 10000 --thorough --write',
    folder: 'packages/till',
    results: kills.length === 0 ? ['kills-1'] : kills,
    words: ({ kills: count, points, never }) => [
      `${plural(count, 'kill')} at ${plural(Object.keys(points).length, 'point')}`,
      `${plural(never.length, 'point')} never hit`,
    ],
  },
  {
    claim: 'A shop is killed at each passage of each point of five lives, on both engines',
    command: 'npm run kills:till -- --write',
    folder: 'packages/till',
    results: ['points'],
    words: ({ kills: count }) => [plural(count, 'kill')],
  },
  {
    claim: 'A synchronous standby that takes over has each write that was acknowledged, and nobody is charged twice',
    command: 'npm run failovers -- --times 300 --write',
    results: ['failovers'],
    words: losses => [
      `${number(sumOf(losses, 'failovers'))} primaries lost (${Object.entries(losses)
        .map(([loss, { failovers }]) => `${number(failovers)} ${loss}`)
        .join(', ')})`,
      plural(sumOf(losses, 'payments'), 'payment'),
      plural(sumOf(losses, 'acknowledged'), 'acknowledged write'),
    ],
  },
  {
    claim: 'Parsers of outside bytes keep their promises, whatever comes',
    command: 'npm run fuzz -- --minutes 30 --write',
    results: ['fuzzing'],
    words: parsers => [
      plural(Object.keys(parsers).length, 'parser'),
      plural(sumOf(parsers, 'cases'), 'case'),
      `the slowest ${number(Math.max(...Object.values(parsers).map(({ slowest }) => slowest)))} ms`,
    ],
  },
  {
    claim: 'Tests notice small changes of the code',
    command: 'npm run mutants -- --write',
    results: ['mutation'],
    words(parts) {
      const [all, killed, ignored] = ['all', 'killed', 'ignored'].map(field => sumOf(parts, field))
      return [
        `${plural(all, 'mutant')} of ${Object.keys(parts).length} of ${rooms.length} rooms`,
        `${number(killed)} noticed (${((100 * killed) / (all - ignored)).toFixed(1)} % of those not ignored)`,
        `${number(ignored)} ignored`,
      ]
    },
  },
  {
    claim: 'A till keeps nothing in memory of sales that are over',
    command: 'npm run bench:memory -- 1000000 --write',
    folder: 'packages/till',
    results: ['memory'],
    words: ({ sales, told, growth, heaps }) => [
      `${plural(sales, 'sale')}, ${number(told)} told`,
      `heap ${megabytes(heaps[0])} after the first tenth, ${megabytes(heaps.at(-1))} at the end`,
      `${number(Math.round(growth / 1e3))} kB more for each 10,000 in the second half`,
    ],
  },
]

const megabytes = ({ heap }) => `${(heap / 1e6).toFixed(1)} MB`

/** The row of each result: claim, command, date, commit, figures. A run without a result says that it was not made, and no figure. */
export const rowsOfRuns = () =>
  runs.flatMap(({ claim, command, folder, results, words }) =>
    results.map(name => {
      const result = readResult(name)
      const where = folder === undefined ? '' : `, in \`${folder}\``
      if (result === undefined) return [claim, `\`${command}\`${where}`, 'not run yet', '', '']
      const { commands, dates, commits } = stampsOf(result)
      const found = plural(result.violations.length, 'violation')
      const figures = `${[...words(result.figures), found].join('; ')} ([all](evidence/${name}.json))`
      return [claim, `${commands}${where}`, dates, commits, figures]
    }),
  )

/** Commands, days and commits of a result, or of its parts where each has its own. */
function stampsOf({ date, commit, command, figures }) {
  const parts = Object.values(figures).filter(part => part?.commit !== undefined)
  const stamps = parts.length === 0 ? [{ date, commit, command }] : parts
  const each = values => [...new Set(values)].sort().join(', ')
  return {
    commands: each(stamps.map(stamp => `\`${stamp.command}\``)),
    dates: each(stamps.map(stamp => stamp.date.slice(0, 10))),
    commits: each(stamps.map(stamp => stamp.commit.slice(0, 8))),
  }
}
