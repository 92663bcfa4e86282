/** A document as a store keeps it. */
export interface Stored {
  readonly key: string
  /** 1 after the first write, and one more with each write since. A number that was there may come again once a store was restored. */
  readonly version: number
  /** Identifies the write that left it so: its `id`, or one that the store made for a `commit`. It never comes again. */
  readonly writeId: string
  readonly body: string
}

/** The content that is written under a key. */
export interface Entry {
  /** JSON, kept byte for byte: no raw NUL, no half of a surrogate pair, at most 262,144 bytes as UTF-8. */
  readonly body: string
  /** When `take` hands it out, in milliseconds of the store's clock; null: never. */
  readonly due: number | null
  /** The list that it stands on, such as `unknown`; null: none. A document that stays on its list keeps its place. */
  readonly list: string | null
}

/** The result of a write. `at` is what the store's clock says, in milliseconds since the epoch. */
export type Written =
  | { readonly kind: 'written'; readonly version: number; readonly at: number }
  /** Nothing was written: another write left the document as it is. `current` is the document as it is; undefined: there is none. */
  | { readonly kind: 'conflict'; readonly current: Stored | undefined; readonly at: number }

/** The ids that a write goes by. */
export interface WriteOptions {
  /** The `writeId` of the document that it was decided on; undefined: there is none yet. */
  readonly after?: string | undefined
  /** Identifies this write: 1 to 128 printable ASCII characters, never used for another one. */
  readonly id: string
}

/** Which documents are taken, and for how long. */
export interface TakeOptions {
  /** How many documents at most, from 1 on. */
  readonly limit: number
  /** For how long no other call gets them, in whole milliseconds from 1 on. */
  readonly hold: number
  /** Beginnings of keys: documents whose key has none of them are left alone. Default: all are taken. */
  readonly prefixes?: readonly string[] | undefined
  /** Whether those whose date came last are handed out first. Default: false, those whose date came first. */
  readonly latest?: boolean | undefined
}

/** One page of a list. */
export interface Page {
  readonly items: readonly Stored[]
  /** How many documents there are on the list, or in the store. */
  readonly total: number
  /** To hand over as `after` for the next page; undefined: this is the last one. Opaque text. */
  readonly next: string | undefined
}

/**
 * Keeps documents, and knows nothing about payments: what may be written is decided by pure functions of this package, and a
 * write goes through only after the write that it was decided on.
 *
 * `memoryStore` is one for tests; `@tillkit/till` has SQLite and PostgreSQL. `storeConformance` of `@tillkit/testing` checks an
 * implementation.
 *
 * A method that rejects leaves the old document or the new one, never a mix. A {@link StoreError} with any code but
 * `ERR_STORE_UNKNOWN` says that nothing was written; after that one, and after an error that is no `StoreError`, a write may have
 * happened, now or a moment later: repeat it with the same `id` to learn which.
 */
export interface Store<Transaction = never> {
  /**
   * Reads one document, and the store's clock: one clock for every process, which never goes back. What was `written` before
   * the read began, anywhere, is seen.
   */
  read(key: string): Promise<{ readonly at: number; readonly stored: Stored | undefined }>
  /**
   * Writes a document if it is as the write `after` left it. Of several writers after one write, in however many processes, one wins; the
   * others get the document as it is. Resolves once it would survive a crash. Repeated with the same `id` while nothing was written on
   * top, it answers as the first time, and changes nothing: neither the date nor the list.
   *
   * @throws {StoreError} `ERR_STORE_REFUSED` for a key or an entry that cannot be kept.
   */
  write(key: string, entry: Entry, options: WriteOptions): Promise<Written>
  /**
   * Moves the date of a document that is as the write `after` left it; its version stays. Of another one nothing changes.
   *
   * @throws {StoreError} `ERR_STORE_REFUSED` for a key, an id or a date that `write` would refuse.
   */
  postpone(key: string, after: string, due: number): Promise<void>
  /**
   * Hands out documents whose date has come, the earliest or the latest first, and moves their date by `hold` milliseconds from now:
   * no other call gets them until then. Their version stays; a write or `postpone` sets the date anew. Where others are at work on the
   * documents that are due, it may hand out fewer than there are.
   *
   * @throws {StoreError} `ERR_STORE_REFUSED` for other options.
   */
  take(options: TakeOptions): Promise<{
    readonly at: number
    readonly items: readonly Stored[]
  }>
  /**
   * One page of a list, by the time of entering it, or of all documents by their keys. A document that is on the list from the
   * first page to the last is on exactly one of them.
   *
   * @param options `after` is `next` of the page before; `limit` is a whole number from 1 to 1000.
   * @throws {StoreError} `ERR_STORE_REFUSED` for another limit.
   */
  list(options: { readonly list?: string; readonly after?: string; readonly limit: number }): Promise<Page>
  /**
   * Runs the merchant's `work`, and commits it together with our document, or neither. Stores whose engine has transactions have it.
   * `finish` gets the document as it is by then; where it gives undefined, everything is rolled back and the answer is a
   * conflict. `work` runs once; `finish` may run again. No other call is held up while `work` runs, and what others write
   * survives a rollback. What `work` or `finish` throws rolls everything back and is passed on, as it is or as the cause.
   *
   * It has no id to repeat it with: after a rejection the document tells what became of it, so `finish` leaves a mark in it.
   *
   * @param known The document as the caller knows it. A store may give it to `finish` first, and look for itself only where another write
   * came meanwhile, or `finish` gives undefined for it.
   */
  commit?(
    key: string,
    work: (transaction: Transaction) => Promise<void>,
    finish: (current: Stored | undefined) => Entry | undefined,
    known?: Stored,
  ): Promise<Written>
  /** Looks for settings under which something may be lost that was `written`, such as a standby that lags. Empty: none is known. */
  risks?(): Promise<readonly StoreRisk[]>
  /**
   * Finishes what was begun, and ends the use of the engine. A call afterwards rejects with `ERR_STORE_CLOSED`, except for
   * another `close`, which does nothing.
   */
  close(): Promise<void>
}

/** A setting of an engine under which something may be lost that was acknowledged. */
export interface StoreRisk {
  /** Words with hyphens: the same for the same risk. */
  readonly reason: string
  /** For people. */
  readonly explanation: string
}

/** A store of any engine, for code that runs nobody's work in its transactions. */
export type DocumentStore = Omit<Store, 'commit'>

/**
 * The error that a store fails with.
 *
 * `ERR_STORE_REFUSED`: nothing was written: the key or entry cannot be kept, the file is read-only, the disk is full.
 * `ERR_STORE_UNKNOWN`: a write may have happened. `ERR_STORE_UNREADABLE`: nothing could be read. `ERR_STORE_SCHEMA`: its tables
 * are of an older or newer release, or missing, or its file was replaced while it was open. `ERR_STORE_CLOSED`: it was closed;
 * nothing was read or written. `ERR_STORE_DOCUMENT`: what is kept under a key is no document of this library, or one of a newer release.
 * `ERR_STORE_CLOCK`: its clock and that of the process are an hour apart, so that nobody knows how old anything is: nothing was deleted.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Codes of {@link StoreError}. */
export type StoreErrorCode =
  | 'ERR_STORE_REFUSED'
  | 'ERR_STORE_UNKNOWN'
  | 'ERR_STORE_UNREADABLE'
  | 'ERR_STORE_SCHEMA'
  | 'ERR_STORE_CLOSED'
  | 'ERR_STORE_DOCUMENT'
  | 'ERR_STORE_CLOCK'

/** Longest key, in bytes of UTF-8. */
export const longestKey = 512

/** Largest body, in bytes of UTF-8. */
export const largestBody = 262_144

/**
 * Checks what is to be written, for a store's `write`: engines differ in what they silently cut or change.
 *
 * @throws {StoreError} `ERR_STORE_REFUSED`, naming what cannot be kept; never with a body in it.
 */
export function checkWrite(key: string, { body, due, list }: Entry, { after, id }: WriteOptions): void {
  checkKey(key)
  const size = keptBytes(body)
  if (size === undefined)
    throw refused(`The body for ${JSON.stringify(key)} is no text that can be kept: it must be JSON.`)
  if (size > largestBody) {
    throw refused(`The body for ${JSON.stringify(key)} has ${size} bytes; at most ${largestBody} are kept.`)
  }
  if (due !== null && !Number.isSafeInteger(due))
    throw refused(`The date for ${JSON.stringify(key)} is ${due}; it must be whole milliseconds or null.`)
  if (list !== null && !(typeof list === 'string' && /^[\x21-\x7e]{1,64}$/.test(list)))
    throw refused('The list must be 1 to 64 printable ASCII characters, or null.')
  if (after !== undefined) checkId(after)
  checkId(id)
  if (after === id) throw refused('A write was to go after itself: "after" and "id" are the same.')
}

function checkId(id: string): void {
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(id))
    throw refused('The id of a write must be 1 to 128 printable ASCII characters.')
}

/** Checks a call of a store's `postpone`. @throws {StoreError} `ERR_STORE_REFUSED`, naming what is wrong. */
export function checkPostpone(key: string, after: string, due: number): void {
  checkKey(key)
  checkId(after)
  if (!Number.isSafeInteger(due))
    throw refused(`The date for ${JSON.stringify(key)} is ${due}; it must be whole milliseconds.`)
}

/** Checks a call of a store's `take`. @throws {StoreError} `ERR_STORE_REFUSED`, naming what is wrong. */
export function checkTake({ limit, hold, prefixes }: TakeOptions): void {
  checkCount('limit', limit)
  checkCount('hold', hold)
  for (const prefix of prefixes ?? []) checkKey(prefix)
  if (prefixes?.length === 0)
    throw refused('"prefixes" is empty, so that nothing could be taken. Leave it out to take all.')
}

/**
 * Checks a number of a store's `take` or `list`.
 *
 * @param name Its name, for the message.
 * @throws {StoreError} `ERR_STORE_REFUSED` for anything but a whole number from `least` to `most`.
 */
export function checkCount(name: string, value: number, least = 1, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  throw refused(`"${name}" is ${value}; it must be a whole number from ${least} to ${most}.`)
}

/** @throws {StoreError} `ERR_STORE_REFUSED` for a key that cannot be kept. */
export function checkKey(key: string): void {
  const size = keptBytes(key)
  if (size !== undefined && size > 0 && size <= longestKey) return
  throw refused(
    `A key must be text of 1 to ${longestKey} bytes without NUL. Found: ${JSON.stringify(key)?.slice(0, 80)}.`,
  )
}

const refused = (message: string): StoreError => new StoreError('ERR_STORE_REFUSED', message)

/** Bytes of UTF-8, or undefined for what no engine keeps as it is. */
function keptBytes(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.includes('\0') || !isWellFormed(text)) return undefined
  return Buffer.byteLength(text)
}

/** Every supported Node.js has the method; the types of ES2023 do not. */
const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()
