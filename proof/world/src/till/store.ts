/** The store, as it keeps one payment: by the rules that every store has to keep. */
import type { Known } from '../../../../packages/till/src/engine/run.js'
import { nothingKnown } from '../../../../packages/till/src/engine/run.js'
import { readDocument } from '../../../../packages/till/src/rules/kept/entry.js'
import type { Entry, Stored } from '../../../../packages/till/src/store/store.js'

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

/** The result of a write. */
export type Written =
  | { readonly kind: 'written'; readonly row: Row }
  | { readonly kind: 'conflict'; readonly row: Row | undefined }

/**
 * Makes the store of one payment.
 *
 * @param now The time of the store's clock, in milliseconds.
 * @param dated Told when the payment is due, each time that this may have changed.
 */
export function createPaymentStore(now: () => number, dated: (due: number | null) => void) {
  let row: Row | undefined
  let version = 0
  let epoch = 0
  /** Every row that was kept, with its moment; for backups. */
  const past: { readonly at: number; readonly row: Row | undefined }[] = []
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
    write(entry: Entry, { after, id }: { readonly after: string | undefined; readonly id: string }): Written {
      if (row !== undefined && row.stored.writeId === id) return { kind: 'written', row }
      if (row?.stored.writeId !== after) return { kind: 'conflict', row }
      version += 1
      const { body, due, list } = entry
      const next: Row = { stored: { key, version, writeId: id, body }, due, list }
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

/** The payment as a row says it. It is read from its text, as every process reads it. */
export function knownOf(row: Row | undefined): Known {
  if (row === undefined) return nothingKnown
  row.known ??= { document: readDocument(row.stored), writeId: row.stored.writeId }
  return row.known
}
