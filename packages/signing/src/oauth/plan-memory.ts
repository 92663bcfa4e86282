/**
 * Remembers the plans of the lists of names that were signed last, since a program sends the same few forms again and
 * again. Names only, never a value.
 *
 * @module
 */

import { type GivenParameter, nameOf } from '../encoding/parameter-values.js'
import { type NamePlan, planNames } from './name-plan.js'

/** How many plans are remembered; a new one takes the place of the oldest. */
const planLimit = 32

/** A list with more names than this, or longer ones in all, is planned each time: whoever sends it may be hostile. */
const nameLimit = 256
const characterLimit = 8192

const plans: NamePlan[] = []
let oldest = 0

/**
 * Finds or makes the plan for the names of these parameters.
 *
 * Looking through the plans compares lengths, then names until one differs: a miss costs far less than a plan.
 *
 * @throws {@link InvalidInputError} as {@link planNames} does.
 */
export function rememberedPlan(parameters: readonly GivenParameter[]): NamePlan {
  for (const plan of plans) if (isFor(plan, parameters)) return plan
  const plan = planNames(parameters.map(nameOf))
  if (plan.names.length > nameLimit || plan.names.join('').length > characterLimit) return plan
  plans[oldest] = plan
  oldest = (oldest + 1) % planLimit
  return plan
}

function isFor({ names }: NamePlan, parameters: readonly GivenParameter[]): boolean {
  if (names.length !== parameters.length) return false
  for (let index = 0; index < names.length; index++) if (names[index] !== parameters[index]?.[0]) return false
  return true
}
