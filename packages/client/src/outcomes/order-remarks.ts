/**
 * What a view of an order cannot tell from its stages, in words.
 *
 * @module
 */
import { type Order, type OrderTotals, quote, quoteMoney } from '@tillkit/protocol'

/** Remarks on an order's stages, and on totals that there are none of. */
export function orderRemarks({ stages }: Order, totals: OrderTotals | undefined): readonly string[] {
  const disputed = stages.filter(({ corrections }) => corrections.length > 0)
  const restated = stages.filter(stage => stage.restated !== undefined)
  const open = stages.filter(({ outcome }) => outcome === undefined)
  const foreign = stages.filter(({ stage, outcome }) => stage === 'unrecognized' && outcome === 'approved')
  return [
    ...foreign.map(
      ({ word }) =>
        `The gateway approved a ${quote(word)}, and what that does to money is not known here. Look it up at the ` +
        'gateway; if it is one of the stages of this library, say so with defineProfile({ stages }).',
    ),
    ...disputed.map(
      ({ stage, status, corrections }) =>
        `The gateway contradicted itself about the ${stage}: ${[status, ...corrections.map(({ to }) => to)].map(quote).join(', then ')}. A person must look.`,
    ),
    ...restated.map(
      each =>
        `The ${each.stage} was approved over ${quoteMoney(each)}, and a later reply said ${quoteMoney(each.restated ?? {})}. ` +
        'Which of them moved is not known: a person must look.',
    ),
    ...open.map(({ stage, word = stage, status }) => `The ${word} is ${quote(status)}, so nothing is allowed now.`),
    ...(totals === undefined && stages.length > 0
      ? [
          'Totals would be a guess: an earlier stage was not seen, an amount is missing, the gateway contradicted itself, or ' +
            'a change of the order was seen without its serial number and may stand for several. Hand over "serialNumbers": those of all ' +
            'requests about this order.',
        ]
      : []),
  ]
}
