/** The life of one payment as a person reads it. */

import { type Broken, inWords } from '../../explore/src/walk/rules.js'
import type { Mistake } from './mistakes.js'
import type { Item, Plan } from './plan.js'
import { liveAlone } from './world.js'

/** How the life went, line by line, and the rule that it broke; undefined: none. */
export interface Story {
  readonly lines: readonly string[]
  readonly broken: Broken | undefined
}

/** Tells the life of a payment: its plan, everything that happened, and how it ended. */
export function storyOf(plan: Plan, mistake?: Mistake): Story {
  const lines: string[] = []
  const { manners, items, seed, payment } = plan
  lines.push(
    `Payment ${payment} of seed ${seed}: ${Object.entries(manners)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
  )
  for (const item of items) lines.push(`  planned: ${itemText(item)}`)
  const { broken } = liveAlone(plan, {
    say: (text, at) => lines.push(`${timeText(at).padStart(14)}  ${text}`),
    mistake,
  })
  lines.push(broken === undefined ? 'It came to rest.' : `It breaks a rule: ${inWords(broken)}.`)
  return { lines, broken }
}

/** An item of a plan, in words. */
export const itemText = ({ kind, ...rest }: Item): string =>
  [
    kind,
    ...Object.entries(rest).map(
      ([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value * 1000) / 1000 : value}`,
    ),
  ].join(' ')

/** Milliseconds since the birth, as days, hours, minutes and seconds. */
function timeText(at: number): string {
  const part = (size: number, of: number): number => Math.floor(at / size) % of
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = Math.floor(at / 86_400_000)
  const time = [part(3_600_000, 24), part(60_000, 60)].map(two).join(':')
  return `${day > 0 ? `${day}d ` : ''}${time}:${two(part(1_000, 60))}.${String(at % 1_000).padStart(3, '0')}`
}
