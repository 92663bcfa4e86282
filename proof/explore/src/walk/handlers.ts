/** How calls of the merchant's handler end, and the rules that they must keep. */

import type { Handled, Known, Run } from '../../../../packages/till/src/engine/run.js'
import { historyOf } from '../../../../packages/till/src/history/news.js'
import { claimedOutcome, toldOutcome } from '../../../../packages/till/src/rules/delivery/delivery.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { toDocument } from '../../../../packages/till/src/state/evolve.js'
import { isUntold } from '../../../../packages/till/src/state/known.js'
import { type Broken, breaks } from './rules.js'

/** How often calls of a handler may still go wrong. */
export interface HandlerTrouble {
  /** Commits of a handler whose answer is lost. */
  readonly lostCommits: number
  /** Handlers that throw. */
  readonly failures: number
}

/** A way in which a call of the handler may end. */
export interface HandlerEnd {
  readonly text: string
  readonly end: Handled
  /** Everything that the store keeps then. */
  readonly known: Known
  /** Whether the merchant has booked the outcome. */
  readonly isBooked: boolean
  /** The trouble that this takes. */
  readonly spends?: keyof HandlerTrouble
}

/** The idempotency key of the outcome that a run has a lease on. */
export const keyOf = ({ known }: Run<unknown>, token: string): string =>
  (known.document && claimedOutcome(known.document, token)?.key) ?? 'nothing'

/** Commits that the handler was told. @returns Undefined where the lease is over. */
export function committed({ document }: Known, token: string): Known | undefined {
  const after = toldOutcome(document, token, [], true)
  if (after === undefined) return undefined
  return { document: toDocument(historyOf(after)), writeId: `commit-${token}` }
}

/** All ways in which a call of the handler may end. A commit that is lost was made. */
export function handlerEnds(
  known: Known,
  token: string,
  { hasTransactions, left }: { readonly hasTransactions: boolean; readonly left: HandlerTrouble },
): readonly HandlerEnd[] {
  const lost: Handled = { kind: 'unknown', cause: undefined }
  const failed: Handled = { kind: 'failed', cause: undefined }
  const after = committed(known, token)
  const ends: HandlerEnd[] = []
  if (!hasTransactions)
    ends.push({ text: 'returns', end: { kind: 'told', wanted: [], isApproval: true }, known, isBooked: true })
  else if (after === undefined) ends.push({ text: 'returns too late', end: { kind: 'lost' }, known, isBooked: false })
  else {
    const { document } = after
    const end: Handled = { kind: 'committed', known: { document }, wanted: [] }
    ends.push({ text: 'commits', end, known: after, isBooked: true })
    if (left.lostCommits > 0)
      ends.push({
        text: 'commits, and nobody hears',
        end: lost,
        known: after,
        isBooked: true,
        spends: 'lostCommits',
      })
  }
  if (left.failures > 0) ends.push({ text: 'throws', end: failed, known, isBooked: false, spends: 'failures' })
  return ends
}

/** Names the rule that a handler breaks as it begins, by the store and its clock; undefined: none. */
export function wrongCall(
  { id }: Run<unknown>,
  token: string,
  { known, now, others }: { readonly known: Known; readonly now: number; readonly others: readonly Run<unknown>[] },
): Broken | undefined {
  const { telling } = known.document ?? {}
  if (telling?.token !== token)
    return breaks('one teller', `${id} calls a handler under a lease that is somebody else’s`)
  if (telling.until <= now) return breaks('one teller', `${id} calls a handler after its lease`)
  return others.some(({ doing }) => doing.kind === 'handle')
    ? breaks('one teller', 'two handlers run at one time')
    : undefined
}

/** Whether something of a payment was not told. */
export const hasUntold = (document: PaymentDocument | undefined): boolean =>
  document?.orders.some(({ stages }) => stages.some(isUntold)) === true

/** How many words of each stage are told, by the key of the stage. */
const toldIn = (document: PaymentDocument | undefined): ReadonlyMap<string, number> =>
  new Map(
    (document?.orders ?? []).flatMap(({ login, clientOrderId = '', stages }) =>
      stages.map(({ stage, told = 0 }, place) => [`${login}/${clientOrderId}/${stage}/${place + 1}`, told] as const),
    ),
  )

/** Names the rule that the merchant's book breaks; undefined: none. */
export function wrongBook(
  book: readonly string[],
  document: PaymentDocument | undefined,
  hasTransactions: boolean,
): Broken | undefined {
  const twice = book.find((key, at) => book.indexOf(key) < at)
  if (hasTransactions && twice !== undefined) return breaks('told again only after trouble', `${twice} is booked twice`)
  for (const [stage, told] of toldIn(document)) {
    const words = book.flatMap(key => (key.startsWith(`${stage}/`) ? [Number(key.slice(stage.length + 1))] : []))
    const booked = Math.max(0, ...words)
    if (told > booked)
      return breaks('told is booked', `${told} words of ${stage} are marked as told, and ${booked} are booked`)
    if (hasTransactions && told < booked)
      return breaks('told is booked', `${booked} words of ${stage} are booked, and ${told} marked as told`)
  }
  return undefined
}

/** Names the outcome that a handler was called for too often; undefined: none. @param troubles How much trouble there was. */
export function wrongCalls(called: readonly string[], troubles: number): Broken | undefined {
  const again = called.find(key => called.filter(each => each === key).length > troubles + 1)
  return again === undefined
    ? undefined
    : breaks('told again only after trouble', `the handler was called for ${again} again, and nothing has happened`)
}
