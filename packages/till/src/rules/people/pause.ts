import type { Person } from '@tillkit/protocol'
import { emptyDocument, type PaymentDocument } from '../../state/document.js'
import type { PauseEntry } from '../../state/known.js'

/** Most entries that are kept. */
const mostEntries = 50

/** Who stopped new money, and since when; undefined: nobody did. */
export function pauseOf(document: PaymentDocument | undefined): PauseEntry | undefined {
  const last = document?.pauses?.at(-1)
  return last?.kind === 'paused' ? last : undefined
}

/**
 * Stops new money, or lets it come again. A gate.
 *
 * @param at What the store's clock says, in milliseconds.
 * @returns The very document where it is so already: who paused first is kept.
 */
export function pauseDecided(
  document: PaymentDocument | undefined,
  kind: PauseEntry['kind'],
  { who, why, at }: Person & { readonly at: number },
): PaymentDocument | undefined {
  const isPaused = pauseOf(document) !== undefined
  if (isPaused === (kind === 'paused')) return document
  const known = document ?? emptyDocument('till')
  return { ...known, pauses: [...(known.pauses ?? []), { kind, who, why, at }].slice(-mostEntries) }
}
