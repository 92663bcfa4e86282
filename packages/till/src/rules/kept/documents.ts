import type { PaymentDocument } from '../../state/document.js'
import { siblingKey } from '../../store/keys.js'
import { checkKey, checkWrite, type DocumentStore, type Stored, StoreError, type Written } from '../../store/store.js'
import { entryOf, keptOf, readDocument } from './entry.js'
import { codeOf, isClosed, needsPeople, type Patience, pauseAfter, persist, type StoreTrouble } from './persist.js'

/** A store, and the functions and settings that working on its documents needs. */
export interface DocumentsOptions {
  readonly store: DocumentStore
  /** Makes the id of a write; never the same one twice, in any process. */
  readonly newId: () => string
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Whether a document that was moved is looked for where it is now. Default: true. */
  readonly follow?: boolean
  /** Told of a store that failed and is asked again, and of a fact that is given up. */
  readonly onTrouble?: ((trouble: StoreTrouble) => void) | undefined
}

/** A document as it was read, and what the store's clock said. */
export interface ReadDocument {
  /** Undefined: there is none. */
  readonly document: PaymentDocument | undefined
  readonly version: number
  /** Identifies the write that left it so; undefined: there is no document. */
  readonly writeId: string | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The key under which it is; given if another key was asked for: its order was adopted into another payment. */
  readonly key?: string
}

/** A decision about a document: a result, and the document to write for it. With nothing to write, the result stands by itself. */
export interface Decided<Result> {
  readonly result: Result
  readonly document?: PaymentDocument | undefined
}

/** How a change is made. */
export interface ChangeOptions {
  readonly patience: Patience
  /**
   * `gate`: permission to do something. It stops at the first error that repeating does not mend, and then nothing may be done.
   * `fact`: something has happened. It is repeated until it is written: through a full disk, tables and documents of a later
   * release, and a read-only file too. While one of these lasts it lets other changes of the document go first. What is too large to be
   * kept is given up, and so is what meets a store that was closed.
   * `reply`: a fact that can be asked for again, so that it is given up as well where only people can help.
   */
  readonly kind: 'gate' | 'fact' | 'reply'
  /** The document as the caller believes it to be: this saves the reading. If it is another one, the change is decided anew. */
  readonly from?: ReadDocument | undefined
}

/** The result of a change. */
export interface Changed<Result> {
  readonly result: Result
  /** The document as it was left. */
  readonly read: ReadDocument
}

/** Reads documents, and changes them. */
export interface Documents {
  /**
   * Reads a document.
   *
   * @throws {StoreError} `ERR_STORE_UNREADABLE` where the store has not answered while there was patience, `ERR_STORE_DOCUMENT`
   * for what is no document.
   */
  read(key: string, patience: Patience): Promise<ReadDocument>
  /**
   * Decides by a document, and writes what was decided after the write that it was decided on; where somebody else wrote
   * meanwhile, decides anew. A write that may have been made is repeated under its id until that is known.
   *
   * `decide` must know its own decision again: a write that was given up may have been made, with others on top.
   *
   * @throws {StoreError} Of a gate `ERR_STORE_UNKNOWN` where it may have been written; after any other error it was not. Where
   * patience was over before its turn came, `cause` is the reason of its signal.
   */
  change<Result>(
    key: string,
    decide: (read: ReadDocument) => Decided<Result>,
    options: ChangeOptions,
  ): Promise<Changed<Result>>
}

/** The pause where only people can help: they update this process, or restore a document. In milliseconds. */
const pauseForPeople = 30_000

/** Makes what reads and writes documents of a store. Changes of one document take turns in this process. */
export function createDocuments({ store, newId, wait, onTrouble, follow = true }: DocumentsOptions): Documents {
  const turns = new Map<string, Promise<unknown>>()
  const asking = { wait, onTrouble }

  const read = async (key: string, patience: Patience): Promise<ReadDocument> => {
    const persistence = { ...asking, key, code: 'ERR_STORE_UNREADABLE', patience } as const
    const { at, stored } = await persist(() => store.read(key), persistence)
    return asRead(stored, at)
  }

  const moved = (key: string, { document }: ReadDocument): string | undefined =>
    follow && document?.movedTo !== undefined ? siblingKey(key, document.movedTo) : undefined

  /** Reads a document where it is. */
  const readMoved = async (key: string, patience: Patience): Promise<ReadDocument> => {
    const found = await read(key, patience)
    const there = moved(key, found)
    // It is moved once: what it was moved to is a payment.
    return there === undefined ? found : { ...(await read(there, patience)), key: there }
  }

  const change = async <Result>(
    key: string,
    decide: (read: ReadDocument) => Decided<Result>,
    { from, patience, kind }: ChangeOptions,
  ): Promise<Changed<Result> | Postponed | Moved> => {
    if (kind === 'gate' && patience.isOver()) {
      // Nothing is wrong with the store, and whoever is told must not go and look at it.
      const why = 'the time was over, or whoever asked was closed, before its turn came. The store was not asked.'
      const message = `Nothing was read or written of ${JSON.stringify(key)}: ${why}`
      throw new StoreError('ERR_STORE_UNREADABLE', message, { cause: patience.signal().reason })
    }
    checkKey(key)
    // The store has no part in an error of `decide`, or in a document of its that cannot be kept: asking again does not mend that.
    let isDeciding = false
    try {
      let current = from ?? (await read(key, patience))
      for (;;) {
        const movedTo = moved(key, current)
        if (movedTo !== undefined) return { movedTo }
        isDeciding = true
        const { result, document } = decide(current)
        if (document === undefined || document === current.document) return { result, read: current }
        const kept = keptOf(document, key)
        const [entry, after, id] = [entryOf(document, kept), current.writeId, newId()]
        checkWrite(key, entry, { after, id })
        isDeciding = false
        const write = async () => checked(await store.write(key, entry, { after, id }), after)
        const persistence = { ...asking, key, code: 'ERR_STORE_UNKNOWN', patience, isGate: kind === 'gate' } as const
        const written = await persist(write, persistence)
        if (written.kind === 'written') {
          const { version, at } = written
          return { result, read: { document, version, writeId: id, at } }
        }
        current = asRead(written.current, written.at)
      }
    } catch (cause) {
      if (isDeciding || kind === 'gate' || isClosed(cause) || (kind === 'reply' && needsPeople(cause))) throw cause
      return { postponedBy: cause }
    }
  }

  /** Changes of one document take turns. */
  const inTurn = <Result>(key: string, changeIt: () => Promise<Result>): Promise<Result> => {
    const before = turns.get(key)
    const changing = before === undefined ? changeIt() : before.then(changeIt)
    const leave = (): void => {
      if (turns.get(key) === over) turns.delete(key)
    }
    const over = changing.then(leave, leave)
    turns.set(key, over)
    return changing
  }

  /** Takes a turn, and another one after a pause where the store could not take a fact: others need not wait for that. */
  const untilDone = async <Result>(
    asked: string,
    decide: (read: ReadDocument) => Decided<Result>,
    { from, ...options }: ChangeOptions,
  ): Promise<Changed<Result>> => {
    const { patience, kind } = options
    let key = from?.key ?? asked
    const decideThere = (read: ReadDocument) => decide(key === asked ? read : { ...read, key })
    for (let failures = 1; ; failures += 1) {
      const begun = failures === 1 ? { ...options, from } : options
      try {
        const at = key
        const changed = await inTurn(at, () => change(at, decideThere, begun))
        if ('movedTo' in changed) {
          key = changed.movedTo
          continue
        }
        if (!('postponedBy' in changed)) return key === asked ? changed : { ...changed, read: { ...changed.read, key } }
        const { postponedBy: cause } = changed
        if (patience.isOver()) throw cause
        onTrouble?.({ kind: 'again', key, cause, failures })
        await wait(needsPeople(cause) ? pauseForPeople : pauseAfter(failures), patience.signal())
      } catch (cause) {
        const isLost = kind !== 'gate' && codeOf(cause)?.startsWith('ERR_STORE_') === true
        if (isLost) onTrouble?.({ kind: 'given-up', key, cause, failures })
        throw cause
      }
    }
  }

  return { read: readMoved, change: untilDone }
}

/** The order that was asked for is in another document. */
interface Moved {
  readonly movedTo: string
}

/** A fact that the store could not take, and that is tried again. */
interface Postponed {
  readonly postponedBy: unknown
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
