import { emptyDocument, type PaymentDocument, restoredKey } from '@tillkit/protocol'
import type { PaymentBook } from './book.js'

/** What is kept under a key of its own, for every process that has the store. */
interface RestoredDocument extends PaymentDocument {
  /** Until when status is asked before anything is sent, in milliseconds of the store's clock. */
  readonly restoredUntil?: number
}

/** What is known of a store that was restored from a backup. */
export interface RestoredMark {
  /** Writes down that it was, just now. @param retention How long that counts, in milliseconds. */
  set(retention: number): Promise<void>
  /** Whether it counts still. @throws A `StoreError` where the store does not answer within ten seconds. */
  isSet(): Promise<boolean>
}

/** Until when it counts that a store was restored, in milliseconds of its clock; 0: it was not. */
export const restoredUntil = (document: RestoredDocument | undefined): number => Number(document?.restoredUntil ?? 0)

/** Opens the mark of a store. */
export function openRestoredMark({ place, decide, readKey }: PaymentBook): RestoredMark {
  const key = restoredKey(place)
  return {
    async set(retention) {
      await decide(key, ({ document = emptyDocument('restored'), at }) => {
        const until = Math.max(restoredUntil(document), at + retention)
        const marked: RestoredDocument = { ...document, restoredUntil: until }
        return { result: undefined, document: marked }
      })
    },
    async isSet() {
      const { document, at } = await readKey(key)
      return restoredUntil(document) > at
    },
  }
}
