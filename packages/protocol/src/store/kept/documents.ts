import type { PaymentDocument } from '../document.js'
import { siblingKey } from '../keys.js'
import { checkKey, checkWrite, type DocumentStore, type Stored, StoreError, type Written } from '../store.js'
import { entryOf, readDocument } from './entry.js'

/** What working on documents needs, besides a store. */
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

/** A store that failed. */
export interface StoreTrouble {
  /** `again`: it is asked again. `given-up`: a fact is lost to the store, since it cannot be kept or nobody waits any more. */
  readonly kind: 'again' | 'given-up'
  readonly key: string
  readonly cause: unknown
  /** How often it has failed so far. */
  readonly failures: number
}

/** A document as it was read, and what the store's clock said. */
export interface ReadDocument {
  readonly document: PaymentDocument | undefined
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Where it is, where that is not the key that was asked for: its order was adopted into another payment. */
  readonly key?: string
}

/** What is decided about a document: a result, and what to write for it. Nothing to write: the result stands by itself. */
export interface Decided<Result> {
  readonly result: Result
  readonly document?: PaymentDocument | undefined
}

/** How long somebody waits for a store. A deadline of the client's is one. */
export interface Patience {
  isOver(): boolean
  signal(): AbortSignal
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
  /** What the document is believed to be: saves the reading. Where it is not, the change is decided anew. */
  readonly from?: ReadDocument | undefined
}

/** What a change came to. */
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
   * Decides by a document, and writes what was decided at the version that it was decided on; where somebody else wrote
   * meanwhile, decides anew. A write that may have been made is repeated under its id until that is known.
   *
   * `decide` must know its own decision again: a write that was given up may have been made, with others on top.
   *
   * @throws {StoreError} Of a gate `ERR_STORE_UNKNOWN` where it may have been written; after any other error it was not.
   */
  change<Result>(
    key: string,
    decide: (read: ReadDocument) => Decided<Result>,
    options: ChangeOptions,
  ): Promise<Changed<Result>>
}

/** The first pause before a store is asked again, in milliseconds. It doubles up to the longest. */
const firstPause = 50
const longestPause = 5_000

/** The pause where only people can help: they update this process, or restore a document. In milliseconds. */
const pauseForPeople = 30_000

interface Persistence extends Pick<ChangeOptions, 'patience' | 'kind'> {
  readonly key: string
  /** What is thrown once patience is over. */
  readonly code: 'ERR_STORE_UNREADABLE' | 'ERR_STORE_UNKNOWN'
}

/** Makes what reads and writes documents of a store. Changes of one document take turns in this process. */
export function createDocuments({ store, newId, wait, onTrouble, follow = true }: DocumentsOptions): Documents {
  const turns = new Map<string, Promise<unknown>>()

  /** Asks again while the store fails and asking again may help. */
  const persist = async <Result>(ask: () => Promise<Result>, { key, code, kind, patience }: Persistence) => {
    for (let failures = 1, pause = firstPause; ; failures += 1, pause = Math.min(2 * pause, longestPause)) {
      try {
        return await ask()
      } catch (cause) {
        const trouble = { kind: 'again', key, cause, failures } as const
        if (isLasting(cause)) {
          // An earlier try may have been written, whatever is said of this one. A fact is decided anew, which finds that out.
          const isUnsure = failures > 1 && code === 'ERR_STORE_UNKNOWN' && kind === 'gate'
          throw isUnsure ? gaveUp(code, trouble) : cause
        }
        onTrouble?.(trouble)
        if (!patience.isOver()) await wait(pause, patience.signal())
        if (patience.isOver()) throw gaveUp(code, trouble)
      }
    }
  }

  const read = async (key: string, options: Pick<ChangeOptions, 'patience' | 'kind'>): Promise<ReadDocument> => {
    const { at, stored } = await persist(() => store.read(key), { key, code: 'ERR_STORE_UNREADABLE', ...options })
    return asRead(stored, at)
  }

  const moved = (key: string, { document }: ReadDocument): string | undefined =>
    follow && document?.movedTo !== undefined ? siblingKey(key, document.movedTo) : undefined

  /** Reads a document where it is. */
  const readMoved = async (key: string, options: Pick<ChangeOptions, 'patience' | 'kind'>): Promise<ReadDocument> => {
    const found = await read(key, options)
    const there = moved(key, found)
    // It is moved once: what it was moved to is a payment.
    return there === undefined ? found : { ...(await read(there, options)), key: there }
  }

  const change = async <Result>(
    key: string,
    decide: (read: ReadDocument) => Decided<Result>,
    { from, ...options }: ChangeOptions,
  ): Promise<Changed<Result> | Postponed | Moved> => {
    const { patience, kind } = options
    if (kind === 'gate' && patience.isOver()) {
      // Nothing is wrong with the store, and whoever is told must not go and look at it.
      const why = 'the time was over, or whoever asked was closed, before its turn came. The store was not asked.'
      throw new StoreError('ERR_STORE_UNREADABLE', `Nothing was read or written of ${JSON.stringify(key)}: ${why}`)
    }
    checkKey(key)
    // What `decide` throws, or makes that cannot be kept, is none of the store's: asking again does not mend it.
    let isDeciding = false
    try {
      let current = from ?? (await read(key, options))
      for (;;) {
        const movedTo = moved(key, current)
        if (movedTo !== undefined) return { movedTo }
        isDeciding = true
        const { result, document } = decide(current)
        if (document === undefined || document === current.document) return { result, read: current }
        const [entry, version, id] = [entryOf(document), current.version, newId()]
        checkWrite(key, entry, { version, id })
        isDeciding = false
        const persistence = { key, code: 'ERR_STORE_UNKNOWN', patience, kind } as const
        const written = await persist(
          async () => checked(await store.write(key, entry, { version, id }), version),
          persistence,
        )
        if (written.kind === 'written') return { result, read: { document, version: written.version, at: written.at } }
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
    for (let failures = 1, pause = firstPause; ; failures += 1, pause = Math.min(2 * pause, longestPause)) {
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
        await wait(needsPeople(cause) ? pauseForPeople : pause, patience.signal())
      } catch (cause) {
        const isLost = kind !== 'gate' && codeOf(cause)?.startsWith('ERR_STORE_') === true
        if (isLost) onTrouble?.({ kind: 'given-up', key, cause, failures })
        throw cause
      }
    }
  }

  return { read: (key, patience) => readMoved(key, { patience, kind: 'gate' }), change: untilDone }
}

/** What was asked for is in another document. */
interface Moved {
  readonly movedTo: string
}

/** A fact that the store could not take, and that is tried again. */
interface Postponed {
  readonly postponedBy: unknown
}

const codeOf = (cause: unknown): string | undefined => {
  const code: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}

const isClosed = (cause: unknown): boolean => codeOf(cause) === 'ERR_STORE_CLOSED'

const needsPeople = (cause: unknown): boolean =>
  codeOf(cause) === 'ERR_STORE_SCHEMA' || codeOf(cause) === 'ERR_STORE_DOCUMENT'

function asRead(stored: Stored | undefined, at: number): ReadDocument {
  if (!Number.isFinite(at))
    throw new StoreError('ERR_STORE_UNREADABLE', 'The store did not say what its clock says: "at" is no number.')
  return stored === undefined
    ? { document: undefined, version: 0, at }
    : { document: readDocument(stored), version: stored.version, at }
}

/** An answer that is none would be decided about for ever; so would a conflict at the very version that was asked for. */
function checked(written: Written, version: number): Written {
  const isConflict = written?.kind === 'conflict'
  if (isConflict ? (written.current?.version ?? 0) !== version : written?.kind === 'written') return written
  const found = isConflict ? `a conflict at version ${version}, which it has` : 'neither yes nor no'
  throw new StoreError('ERR_STORE_UNKNOWN', `The store answered a write with ${found}: its implementation is wrong.`)
}

/** Whether asking again at once does not help. */
const isLasting = (cause: unknown): boolean =>
  needsPeople(cause) || codeOf(cause) === 'ERR_STORE_REFUSED' || isClosed(cause)

function gaveUp(code: StoreError['code'], { key, cause, failures }: StoreTrouble): StoreError {
  const what =
    code === 'ERR_STORE_UNKNOWN'
      ? `It is not known whether the store wrote ${JSON.stringify(key)}`
      : `The store did not read ${JSON.stringify(key)}`
  const why = cause instanceof Error ? cause.message : String(cause)
  // Our own stores say what to do themselves.
  const cure = cause instanceof StoreError ? '' : ' Is the database up and reachable?'
  return new StoreError(code, `${what}: it failed ${failures} times, at last with: ${why}${cure}`, { cause })
}
