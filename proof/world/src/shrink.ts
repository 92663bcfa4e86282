/** Looks for the shortest plan that still breaks a rule: by leaving out ever smaller parts of it, and at last each item by itself. */

import { kindOf } from '../../explore/src/walk/rules.js'
import type { Item, Plan } from './plan.js'
import { liveAlone } from './world.js'

/** Most lives that are tried. */
const most = 600

/**
 * Shrinks a plan whose life breaks a rule.
 *
 * @param breaks Whether a plan does so still. Default: its life breaks a rule whose text is the same but for numbers.
 * @returns The shortest plan that was found, and how many lives were tried.
 */
export function shrunk(plan: Plan, breaks = sameAs(plan)): { readonly plan: Plan; readonly tries: number } {
  let tries = 0
  let items = plan.items
  const stillBreaks = (left: readonly Item[]): boolean => {
    tries += 1
    return breaks({ ...plan, items: left })
  }
  for (let size = Math.ceil(items.length / 2); size >= 1 && tries < most; ) {
    let hasShrunk = false
    for (let from = 0; from < items.length && tries < most; ) {
      const left = [...items.slice(0, from), ...items.slice(from + size)]
      if (stillBreaks(left)) {
        items = left
        hasShrunk = true
      } else from += size
    }
    // Once one item is gone, another one may be needed no longer.
    if (size === 1 && !hasShrunk) break
    size = size === 1 ? 1 : Math.ceil(size / 2)
  }
  return { plan: { ...plan, items }, tries }
}

/** How a life ends that does not come to rest; empty: it does. */
const endOf = (plan: Plan): string => kindOf(liveAlone(plan).broken)

/** Whether a plan ends as another one does. */
function sameAs(plan: Plan): (other: Plan) => boolean {
  const end = endOf(plan)
  return other => end !== '' && endOf(other) === end
}
