/** Says what a world came to, in lines for people. */

import { kindOf } from '../../explore/src/walk/rules.js'
import type { World } from './processes.js'

/** Says how everything ended, how often everything happened, and which payments break a rule. */
export function summaryOf(
  { payments, counts, broken, memory, cpu }: World,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): readonly string[] {
  const all = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  const lines = all.map(([what, count]) => `${count.toLocaleString('en').padStart(12)}  ${what}`)
  const first = new Map<string, number[]>()
  for (const { plan, broken: why } of broken) {
    const kind = kindOf(why)
    first.set(kind, [...(first.get(kind) ?? []), plan.payment])
  }
  for (const [kind, numbers] of first)
    lines.push(
      `${numbers.length} times: ${kind}. See npm run world -- --seed ${seed} --payment ${numbers.slice(0, 3).join(', or ')}`,
    )
  lines.push(
    `${payments.toLocaleString('en')} payments in ${seconds.toFixed(0)} s (${((payments * 1_000) / cpu).toFixed(0)} a second of each core), ` +
      `${Math.round(memory / 1e6)} MB: ${broken.length === 0 ? 'none' : broken.length} breaks a rule.`,
  )
  return lines
}
