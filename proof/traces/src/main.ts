/**
 * Records traces and judges them: `npm run traces`. Each has to be accepted. Alterations drawn by seed have to be refused, or to be another
 * lawful run.
 *
 * @module
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeResult } from '../../../scripts/evidence/result.js'
import { nothing, sum, type Tally, tallyRace, tallyWorld } from './tally.js'

const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: '10000' },
    alterations: { type: 'string', default: '1000' },
    races: { type: 'string', default: '4' },
    from: { type: 'string', default: '1' },
    processes: { type: 'string', default: String(availableParallelism()) },
    write: { type: 'boolean', default: false },
  },
})
const [wanted, changes, from] = [Number(values.traces), Number(values.alterations), Number(values.from)]
/** A world has two payments at least. */
const perWorld = Math.max(1, Math.ceil((2 * changes) / wanted))

/** This is a process of several: it judges the worlds that it is told, one after the other. */
function judgeForParent(): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async (seed: string) => process.send?.(await tallyWorld(seed, perWorld)))
}

async function judgeAll(): Promise<void> {
  const startedAt = new Date()
  let tally = nothing
  let seed = from
  const isEnough = (): boolean => tally.traces >= wanted && alteredIn(tally).all >= changes
  const one = async (): Promise<void> => {
    const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2))
    try {
      while (!isEnough()) {
        const said = new Promise<Tally>((resolve, reject) => {
          child.once('message', message => resolve(message as Tally))
          child.once('exit', code => reject(new Error(`A process ended in the middle of a world, with ${code}.`)))
        })
        child.send(String(seed))
        seed += 1
        tally = sum(tally, await said)
        child.removeAllListeners('exit')
      }
    } finally {
      child.removeAllListeners('exit')
      child.kill()
    }
  }
  await Promise.all(Array.from({ length: Number(values.processes) }, one))
  // Every second race has processes that are killed.
  for (let race = 1; race <= Number(values.races); race += 1)
    tally = sum(tally, await tallyRace(from + race, { changes: 20, kills: race % 2 === 0 ? 8 : 0 }))
  for (const each of tally.refused) process.stdout.write(`${each}\n`)
  const { all, lawful } = alteredIn(tally)
  const figures = [
    `${tally.traces} traces of ${tally.worlds} worlds and ${tally.races} races with ${tally.kills} kills`,
    `${tally.runs} runs, ${tally.steps} steps, ${tally.unanswered} without an end, ${tally.refused.length} traces refused`,
    `${all} alterations: ${all - lawful} refused, ${lawful} are other lawful runs`,
  ]
  process.stdout.write(`${figures.join(', ')}.\n${JSON.stringify(tally.altered)}\n`)
  const { refused: violations, ...counts } = tally
  if (values.write) writeResult('traces', { run: 'npm run traces', startedAt, figures: counts, violations })
  process.exit(tally.refused.length === 0 ? 0 : 1)
}

const alteredIn = ({ altered }: Tally) => {
  const all = Object.values(altered)
  const lawful = all.reduce((count, each) => count + each.lawful, 0)
  return { lawful, all: all.reduce((count, each) => count + each.replay + each.store + each.gateway, lawful) }
}

if (process.send !== undefined) judgeForParent()
else await judgeAll()
