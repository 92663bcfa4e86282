/** Keeps the figures of a world: when, of which commit, by which command, and how often everything happened and ended. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { World } from './processes.js'

const folder = new URL('../../../docs/evidence/', import.meta.url)

export function writeEvidence(
  { payments, counts, broken, memory, cpu }: World,
  { seed }: { readonly seed: number },
): void {
  const git = (...given: readonly string[]): string => execFileSync('git', given, { encoding: 'utf8' }).trim()
  const isOf = (kind: string) => (what: string) => what.startsWith(`${kind}: `)
  const all = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  const counted = (kind: string) =>
    Object.fromEntries(
      all.filter(([what]) => isOf(kind)(what)).map(([what, count]) => [what.slice(kind.length + 2), count]),
    )
  const evidence = {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD'),
    command: `npm run world -- --payments ${payments} --seed ${seed} --write`,
    payments,
    broken: broken.map(({ plan, broken: rule }) => ({ payment: plan.payment, rule })),
    ends: counted('ends'),
    faults: counted('fault'),
    told: counted('told'),
    requests: counted('requests'),
    cpuSeconds: Math.round(cpu / 1_000),
    megabytes: Math.round(memory / 1e6),
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('world.json', folder), `${JSON.stringify(evidence, undefined, 2)}\n`)
}
