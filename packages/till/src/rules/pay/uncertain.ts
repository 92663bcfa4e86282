import { moneyMoved, stageNames, type WireProfile } from '@tillkit/protocol'
import { overMoney, requestInWords } from '../../history/names.js'
import { isDisputed, type KnownOrder } from '../../state/known.js'
import { attemptBehind } from '../orders/expected.js'
import { isUncounted } from '../orders/totals.js'
import type { ChangeUnderWay } from './under-way.js'

/**
 * Why the sums of an order would be a guess, for people. It says what is seen, and works no sum out.
 *
 * @returns undefined where nothing of its money was approved.
 */
export function whyUncertain(order: KnownOrder, profile: WireProfile): string | undefined {
  const approved = order.stages.filter(({ stage, outcome }) => outcome === 'approved' && moneyMoved(stage) !== 'none')
  if (approved.length === 0) return undefined
  const uncounted = approved.filter(each => isUncounted(each, order, profile))
  const named = (stages: typeof approved) =>
    stages.map(each => `the ${stageNames[each.stage]}${overMoney(each)}`).join(' and ')
  const foreign = uncounted.filter(each => attemptBehind(order, each) === undefined)
  if (foreign.length > 0)
    return `Status shows ${named(foreign)}, and no request in this store is behind that: it was made at the gateway’s screens, by another program, or by the bank. Status does not say whether it happened once or more often.`
  if (uncounted.length > 0)
    return `The answer to a request was lost, and status does not say which request ${named(uncounted)} came from.`
  const bare = approved.filter(({ amount, currency }) => amount === undefined || currency === undefined)
  if (bare.length > 0) return `Status does not say how much ${named(bare)} was over.`
  return order.stages.some(isDisputed)
    ? 'The gateway contradicted itself about it.'
    : 'Status does not show beyond doubt what was done to it.'
}

/** The same where a change was not answered. */
export const whyUnanswered = (change: ChangeUnderWay): string =>
  `${requestInWords(change).replace(/^(?:an?|the) /, 'The ')} was not answered, so that it is not known whether it happened.`
