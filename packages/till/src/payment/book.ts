import { randomUUID } from 'node:crypto'
import type { WireProfile } from '@tillkit/protocol'
import { entryOf, keptOf, readDocument } from '../rules/kept/entry.js'
import { type Payment, paymentOf } from '../rules/pay/payment.js'
import type { PaymentDocument } from '../state/document.js'
import { documentKey, orderPlace, type PaymentPlace, siblingKey } from '../store/keys.js'
import { gaveUp, isLasting, pauseAfter } from '../store/persist.js'
import { checkKey, checkWrite, type DocumentStore, type Stored, StoreError, type Written } from '../store/store.js'

/** How long anything waits for the store, in milliseconds. */
export const longestWait = 10_000

/** How long a merchant waits for the store at each step of a payment, in milliseconds: as long as a request takes at most. */
export const longestPaying = 30_000

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
interface Changed<Result> {
  readonly result: Result
  readonly read: ReadDocument
}

/** The payments of a till, read and changed. */
export interface PaymentBook {
  readonly place: PaymentPlace
  /** The key of its document. */
  keyOf(reference: string): string
  /** @throws A `StoreError` where the store does not answer within ten seconds. */
  read(reference: string): Promise<ReadDocument>
  /** Reads the document under a key. @throws As `read` does. */
  readKey(key: string): Promise<ReadDocument>
  /** Decides by the very document under a key, a gate: payments themselves are written by runs. @throws As `read` does. */
  decide<Result>(key: string, decide: (read: ReadDocument) => Decided<Result>): Promise<Changed<Result>>
  /** As `readKey`, of the very document under a key, though its order was adopted into another payment. */
  rawRead(key: string): Promise<ReadDocument>
  /** The payment that an order was adopted into; undefined: this is no such order's id. @throws As `read` does. */
  adopterOf(clientOrderId: string): Promise<string | undefined>
  /** The payment for people. */
  view(reference: string, read: ReadDocument): Payment
}

/** Opens the payments of a till. */
export function openPayments({
  store,
  place,
  profile,
  patience: mostTime,
  wait,
}: {
  readonly store: DocumentStore
  readonly place: PaymentPlace
  readonly profile: WireProfile
  /** After how long without an end a person is needed, in milliseconds. */
  readonly patience: number
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}): PaymentBook {
  const documents = openDocuments({ store, newId: randomUUID, wait })
  const keyOf = (reference: string): string => documentKey({ clientOrderId: reference }, place)
  const patience = (): AbortSignal => AbortSignal.timeout(longestWait)
  return {
    place,
    keyOf,
    read: reference => documents.read(keyOf(reference), patience()),
    readKey: key => documents.read(key, patience()),
    decide: (key, decide) => documents.decide(key, decide, patience()),
    rawRead: key => documents.readThere(key, patience()),
    adopterOf: async clientOrderId => {
      const { document } = await documents.read(keyOf(clientOrderId), patience())
      const order = document?.orders.find(each => each.clientOrderId === clientOrderId)
      return order?.adoptedAt === undefined ? undefined : document?.reference
    },
    view: (reference, read) => paymentOf(read.document, { reference, at: read.at, profile, patience: mostTime }),
  }
}

/** The reference of the payment that an order belongs to. */
export const referenceOf = (clientOrderId: string): string => orderPlace(clientOrderId).reference

/** Reads documents, and decides by them, until `patience` is aborted. @param options `newId` never makes an id twice, in any process. */
export function openDocuments({
  store,
  newId,
  wait,
}: {
  readonly store: DocumentStore
  readonly newId: () => string
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}) {
  /** Asks again while the store fails and asking again may help. */
  const persist = async <Result>(
    ask: () => Promise<Result>,
    {
      key,
      code,
      patience,
    }: { readonly key: string; readonly code: StoreError['code']; readonly patience: AbortSignal },
  ): Promise<Result> => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await ask()
      } catch (cause) {
        // An earlier try may have been written, whatever is said of this one.
        const mayBeWritten = failures > 1 && code === 'ERR_STORE_UNKNOWN'
        if (isLasting(cause)) throw mayBeWritten ? gaveUp(code, { key, cause, failures }) : cause
        if (!patience.aborted) await wait(pauseAfter(failures), patience)
        if (patience.aborted) throw gaveUp(code, { key, cause, failures })
      }
    }
  }
  const readThere = async (key: string, patience: AbortSignal): Promise<ReadDocument> => {
    const { at, stored } = await persist(() => store.read(key), { key, code: 'ERR_STORE_UNREADABLE', patience })
    return asRead(stored, at)
  }
  return {
    /** Reads the very document under a key. @throws As `read` does. */
    readThere,
    /**
     * Reads the document of a payment where it is: an order that was adopted is in the payment that adopted it.
     *
     * @throws {StoreError} `ERR_STORE_UNREADABLE` where the store has not answered while there was patience, `ERR_STORE_DOCUMENT`
     * for a body that is no document.
     */
    async read(key: string, patience: AbortSignal): Promise<ReadDocument> {
      const found = await readThere(key, patience)
      const { movedTo } = found.document ?? {}
      // It is moved once: the document that it was moved to is a payment.
      return movedTo === undefined ? found : readThere(siblingKey(key, movedTo), patience)
    },
    /**
     * Decides by the very document under a key, and writes the decision after the write that it was made on; where somebody else wrote
     * meanwhile, it decides anew. A write that may have been made is repeated under its id until that is known.
     *
     * `decide` must know its own decision again: a write that was given up may have been made, with others on top.
     *
     * @throws {StoreError} `ERR_STORE_UNKNOWN` where it may have been written; after any other error it was not.
     */
    async decide<Result>(
      key: string,
      decide: (read: ReadDocument) => Decided<Result>,
      patience: AbortSignal,
    ): Promise<Changed<Result>> {
      checkKey(key)
      let current = await readThere(key, patience)
      for (;;) {
        const { result, document } = decide(current)
        if (document === undefined || document === current.document) return { result, read: current }
        const [entry, after, id] = [entryOf(document, keptOf(document, key)), current.writeId, newId()]
        checkWrite(key, entry, { after, id })
        const write = async () => checked(await store.write(key, entry, { after, id }), after)
        const written = await persist(write, { key, code: 'ERR_STORE_UNKNOWN', patience })
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
