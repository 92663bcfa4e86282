/**
 * The store, as it keeps one payment: by the rules that every store has to keep. Of a thorough payment it keeps a text, which is read again as
 * every process reads it; of the others what the text amounts to.
 *
 * @module
 */
import type { Known } from '../../../../packages/till/src/engine/run.js'
import { nothingKnown } from '../../../../packages/till/src/engine/run.js'
import { dueOf, entryOf, readDocument } from '../../../../packages/till/src/rules/kept/entry.js'
import { listOf } from '../../../../packages/till/src/rules/kept/lists.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import type { History } from '../../../../packages/till/src/state/facts.js'
import { checkWrite, type Stored } from '../../../../packages/till/src/store/store.js'
import { forgotten } from '../../../explore/src/walk/forgotten.js'
import type { Broken } from '../../../explore/src/walk/rules.js'

/** The payment's key. */
export const key = 'payment/test/shop/basket-7'

/** A row as it is kept, and since which moment. */
export interface Row {
  readonly stored: Stored
  readonly due: number | null
  readonly list: string | null
  /** As the text says it, once somebody has read it. */
  known?: Known
}

/** A payment to write: its history, and what that amounts to. */
export interface Writing {
  readonly document: PaymentDocument
  readonly history: History
}

/** The result of a write. */
export type Written =
  | { readonly kind: 'written'; readonly row: Row }
  | { readonly kind: 'conflict'; readonly row: Row | undefined }

/** How the store of one payment is made. */
export interface PaymentStoreOptions {
  /** Told when the payment is due, each time that this may have changed. */
  readonly dated: (due: number | null) => void
  /** Told of a write that takes something away. */
  readonly accuse: (broken: Broken) => void
  /** Whether it keeps texts. */
  readonly isThorough: boolean
}

/**
 * Makes the store of one payment.
 *
 * @param now The time of the store's clock, in milliseconds.
 */
export function createPaymentStore(now: () => number, { dated, accuse, isThorough }: PaymentStoreOptions) {
  let row: Row | undefined
  let version = 0
  let epoch = 0
  /** Every row that was kept, with its moment; for backups. */
  const past: { readonly at: number; readonly row: Row | undefined }[] = []
  const kept = (
    { document, history }: Writing,
    { version, after, id }: { readonly version: number; readonly after: string | undefined; readonly id: string },
  ): Row => {
    const stored = { key, version, writeId: id, body: '' }
    if (!isThorough) {
      const known = { document: { ...document, facts: history.facts }, writeId: id }
      return { stored, due: dueOf(document), list: listOf(document), known }
    }
    const entry = entryOf(document, history)
    checkWrite(key, entry, { after, id })
    const { body, due, list } = entry
    return { stored: { ...stored, body }, due, list }
  }
  const keep = (after: Row | undefined): void => {
    row = after
    past.push({ at: now(), row: after })
    dated(after?.due ?? null)
  }
  return {
    row: (): Row | undefined => row,
    /** Goes up with each restore: what was on its way to the store before is gone. */
    epoch: (): number => epoch,
    /** Compare and set: it is written only after the write that it was decided on, and once under its name. */
    write(
      { document, history }: Writing,
      { after, id }: { readonly after: string | undefined; readonly id: string },
    ): Written {
      if (row !== undefined && row.stored.writeId === id) return { kind: 'written', row }
      if (row?.stored.writeId !== after) return { kind: 'conflict', row }
      version += 1
      const next = kept({ document, history }, { version, after, id })
      // A text loses what its history does not say.
      const lost = forgotten(knownOf(row).document, knownOf(next).document)
      if (lost !== undefined) accuse(lost)
      keep(next)
      return { kind: 'written', row: next }
    },
    /** The row as it was at a moment: no store may answer a read with that. */
    rowAt: (moment: number): Row | undefined => past.findLast(each => each.at <= moment)?.row,
    /** Dates it anew, if nobody has written since. */
    postpone(writeId: string, due: number): void {
      if (row?.stored.writeId !== writeId) return
      row = { ...row, due }
      dated(due)
    },
    /** Puts it back to what it was at a moment. Version numbers come again, to other writes. */
    restore(backup: number): void {
      epoch += 1
      const before = past.findLast(each => each.at <= backup)?.row
      version = before?.stored.version ?? 0
      keep(before)
    },
  }
}

export type PaymentStore = ReturnType<typeof createPaymentStore>

/** The payment as a row says it. Where that has a text, it is read from it, as every process reads it. */
export function knownOf(row: Row | undefined): Known {
  if (row === undefined) return nothingKnown
  row.known ??= { document: readDocument(row.stored), writeId: row.stored.writeId }
  return row.known
}
