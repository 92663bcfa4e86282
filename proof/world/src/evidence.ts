/** Keeps the figures of a world: how often everything happened and ended, and what it took. */

import { writeResult } from '../../../scripts/evidence/result.js'
import { inWords } from '../../explore/src/walk/rules.js'
import type { World } from './processes.js'

export function writeEvidence({ payments, counts, broken, memory, cpu }: World, startedAt: Date): void {
  const all = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  const counted = (kind: string) =>
    Object.fromEntries(
      all.flatMap(([what, count]) => (what.startsWith(`${kind}: `) ? [[what.slice(kind.length + 2), count]] : [])),
    )
  const figures = {
    payments,
    ends: counted('ends'),
    faults: counted('fault'),
    told: counted('told'),
    requests: counted('requests'),
    cpuSeconds: Math.round(cpu / 1_000),
    megabytes: Math.round(memory / 1e6),
  }
  const violations = broken.map(({ plan, broken: why }) => `payment ${plan.payment}: ${why && inWords(why)}`)
  writeResult('world', { run: 'npm run world', startedAt, figures, violations })
}
