import type { PaymentDocument } from '../../state/document.js'
import { siblingKey } from '../../store/keys.js'
import { checkKey, checkWrite, type DocumentStore, type Stored, StoreError, type Written } from '../../store/store.js'
import { entryOf, keptOf, readDocument } from './entry.js'
import { type Patience, persist } from './persist.js'

/** Everything that working on documents needs. */
export interface DocumentsOptions {
  readonly store: DocumentStore
  /** Makes the id of a write; never the same one twice, in any process. */
  readonly newId: () => string
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** A document as it was read, and the time by the store's clock. */
export interface ReadDocument {
  /** Undefined: there is none. */
  readonly document: PaymentDocument | undefined
  readonly version: number
  /** Identifies the write that left it so; undefined: there is no document. */
  readonly writeId: string | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A decision about a document: a result, and the document that is written for it. Absent: the result stands by itself. */
export interface Decided<Result> {
  readonly result: Result
  readonly document?: PaymentDocument | undefined
}

/** The result of a decision, and the document as it was left. */
export interface Changed<Result> {
  readonly result: Result
  readonly read: ReadDocument
}

/** Reads documents, and decides by them. Payments themselves are written by runs. */
export interface Documents {
  /**
   * Reads the document of a payment where it is: an order that was adopted is in the payment that adopted it.
   *
   * @throws {StoreError} `ERR_STORE_UNREADABLE` where the store has not answered while there was patience, `ERR_STORE_DOCUMENT`
   * for a body that is no document.
   */
  read(key: string, patience: Patience): Promise<ReadDocument>
  /** Reads the very document under a key. @throws As `read` does. */
  readThere(key: string, patience: Patience): Promise<ReadDocument>
  /**
   * Decides by the very document under a key, and writes the decision after the write that it was made on; where somebody else wrote
   * meanwhile, it decides anew. A write that may have been made is repeated under its id until that is known.
   *
   * `decide` must know its own decision again: a write that was given up may have been made, with others on top.
   *
   * @throws {StoreError} `ERR_STORE_UNKNOWN` where it may have been written; after any other error it was not.
   */
  decide<Result>(
    key: string,
    decide: (read: ReadDocument) => Decided<Result>,
    patience: Patience,
  ): Promise<Changed<Result>>
}

/** Makes the reader and writer of the documents of a store. */
export function openDocuments({ store, newId, wait }: DocumentsOptions): Documents {
  const readThere = async (key: string, patience: Patience): Promise<ReadDocument> => {
    const { at, stored } = await persist(() => store.read(key), { key, code: 'ERR_STORE_UNREADABLE', patience, wait })
    return asRead(stored, at)
  }
  return {
    readThere,
    async read(key, patience) {
      const found = await readThere(key, patience)
      const { movedTo } = found.document ?? {}
      // It is moved once: the document that it was moved to is a payment.
      return movedTo === undefined ? found : readThere(siblingKey(key, movedTo), patience)
    },
    async decide(key, decide, patience) {
      checkKey(key)
      let current = await readThere(key, patience)
      for (;;) {
        const { result, document } = decide(current)
        if (document === undefined || document === current.document) return { result, read: current }
        const [entry, after, id] = [entryOf(document, keptOf(document, key)), current.writeId, newId()]
        checkWrite(key, entry, { after, id })
        const write = async () => checked(await store.write(key, entry, { after, id }), after)
        const written = await persist(write, { key, code: 'ERR_STORE_UNKNOWN', patience, wait })
        if (written.kind === 'written')
          return { result, read: { document, version: written.version, writeId: id, at: written.at } }
        current = asRead(written.current, written.at)
      }
    },
  }
}

function asRead(stored: Stored | undefined, at: number): ReadDocument {
  if (!Number.isFinite(at))
    throw new StoreError('ERR_STORE_UNREADABLE', 'The store did not say what its clock says: "at" is no number.')
  return stored === undefined
    ? { document: undefined, version: 0, writeId: undefined, at }
    : { document: readDocument(stored), version: stored.version, writeId: stored.writeId, at }
}

/** Without this, a store that answers nothing, or refuses a write that it has to take, would be asked for ever. */
function checked(written: Written, after: string | undefined): Written {
  const isConflict = written?.kind === 'conflict'
  if (isConflict ? written.current?.writeId !== after : written?.kind === 'written') return written
  const found = isConflict
    ? `refused a write although ${after === undefined ? 'there is no document' : `the document is still as write ${after} left it`}`
    : 'answered a write with neither yes nor no'
  throw new StoreError('ERR_STORE_UNKNOWN', `The store ${found}: correct its implementation.`)
}
