import { emptyDocument, type PaymentDocument } from '../state/document.js'
import { restoredKey } from '../store/keys.js'
import type { PaymentBook } from './book.js'

/** The document that is kept under a key of its own, for every process that has the store. */
interface RestoredDocument extends PaymentDocument {
  /** Until when status is asked before anything is sent, in milliseconds of the store's clock. */
  readonly restoredUntil?: number
}

/** Until when it counts that a store was restored, in milliseconds of its clock; 0: it was not. */
export const restoredUntil = (document: RestoredDocument | undefined): number => Number(document?.restoredUntil ?? 0)

/**
 * Writes down that the store of a till was restored from a backup, just now.
 *
 * @param retention How long that counts, in milliseconds.
 */
export async function markRestored({ place, decide }: PaymentBook, retention: number): Promise<void> {
  await decide(restoredKey(place), ({ document = emptyDocument('restored'), at }) => {
    const until = Math.max(restoredUntil(document), at + retention)
    const marked: RestoredDocument = { ...document, restoredUntil: until }
    return { result: undefined, document: marked }
  })
}
