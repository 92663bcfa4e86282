/** Stores that break their contract: what is lost by that, and whether a person who puts the store back makes it whole. */

import { kindOf } from '../../explore/src/walk/rules.js'
import { drawPlan } from './draw.js'
import type { Item, Plan } from './plan.js'
import { between, diceOf } from './seeded.js'
import { liveAlone } from './world.js'

/** `lost`: writes that were acknowledged are gone, as after a failover to a standby that was behind. `stale`: reads show an earlier state. */
export type Breach = 'lost' | 'stale'

/** The result of a breach. */
export interface BreachResult {
  readonly payments: number
  /** How many payments break each rule, and the number of the first of them. */
  readonly broken: ReadonlyMap<string, { readonly count: number; readonly first: number }>
  /** The same payments, where the till is stopped and started with `restored: true` at that moment, that break a rule still. */
  readonly left: readonly number[]
}

const second = 1_000

/** A plan in whose life the store breaks its contract. @param isHealed Whether the processes are stopped and told at that moment. */
export function brokenPlan(
  seed: number,
  payment: number,
  { breach, isHealed }: { readonly breach: Breach; readonly isHealed: boolean },
): Plan {
  const plan = drawPlan(seed, payment)
  const dice = diceOf(seed, payment)
  const at = between(dice, 'breach', second, 90 * second)
  const since = between(dice, 'breach since', second, 60 * second)
  const backup = Math.max(0, at - since)
  const items = plan.items.filter(({ kind }) => kind !== 'restore')
  // The customer presses again, and a person may have stopped new money.
  const press = { kind: 'press', at: at + second, process: payment % 3 } as const
  const later = { ...press, at: at + 3_600 * second } as const
  const breaches: readonly Item[] =
    breach === 'stale'
      ? isHealed
        ? []
        : [{ kind: 'stale', at, lasts: 30 * second, by: since }]
      : isHealed
        ? [{ kind: 'restore', backup, at }, later]
        : [{ kind: 'loses', at, since: at - backup }, later]
  const pause: readonly Item[] =
    breach === 'stale' && payment % 5 === 0 ? [{ kind: 'pause', at: at - second / 2, lasts: 30 * second }] : []
  return { ...plan, items: [...items, ...pause, press, ...breaches] }
}

/** Lets payments live with a store that breaks its contract, and each that breaks a rule once more with one that was put back. */
export function liveBroken(
  seed: number,
  { payments, breach }: { readonly payments: number; readonly breach: Breach },
): BreachResult {
  const broken = new Map<string, { count: number; first: number }>()
  const left: number[] = []
  for (let payment = 0; payment < payments; payment += 1) {
    const lived = liveAlone(brokenPlan(seed, payment, { breach, isHealed: false }))
    if (lived.broken === undefined) continue
    const kind = kindOf(lived.broken)
    const { count = 0, first = payment } = broken.get(kind) ?? {}
    broken.set(kind, { count: count + 1, first })
    if (liveAlone(brokenPlan(seed, payment, { breach, isHealed: true })).broken !== undefined) left.push(payment)
  }
  return { payments, broken, left }
}

/** Says what a breach came to, in lines for people. */
export function breachLines({ payments, broken, left }: BreachResult, breach: Breach): readonly string[] {
  const all = [...broken].sort(([, one], [, other]) => other.count - one.count)
  const sum = all.reduce((before, [, { count }]) => before + count, 0)
  const healed = breach === 'lost' ? 'where the till is started with `restored: true`' : 'where reads show what is so'
  return [
    ...all.map(([kind, { count, first }]) => `${String(count).padStart(7)}  ${kind} (first: payment ${first})`),
    `${payments} payments whose store is ${breach}: ${sum} break a rule. Of those ${left.length} break one still ${healed}${left.length === 0 ? '' : `: ${left.slice(0, 5).join(', ')}`}.`,
  ]
}
