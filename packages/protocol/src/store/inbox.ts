/**
 * The inbox: what was received and still has to be worked on, and which worker has it. A port; a store implements it.
 *
 * One worker at a time works on a key, under a lease, and completes it once, in however many processes.
 *
 * @module
 */

/** Something received that must not be lost. Plain data, without card data. */
export interface InboxEntry {
  /** What it is about. There is one entry of a key. */
  readonly key: string
  /** What is needed to work on it again, in another process too. */
  readonly payload: Readonly<Record<string, string>>
}

/** The right to work on a key until the lease is over. */
export interface InboxClaim {
  readonly key: string
  /**
   * Fencing token: a whole number above that of every earlier claim of the key. A worker that goes on after its lease is over
   * has a lower one; a store of yours that remembers the highest token it has seen can refuse a lower one.
   */
  readonly token: number
}

/** A claim, or why it was not given. `held`: another worker has it. `completed`: nothing is left to do. */
export type Claiming =
  | { readonly kind: 'claimed'; readonly claim: InboxClaim }
  | { readonly kind: 'held' | 'completed' }

/**
 * Remembers what was received until it was worked on, and that it was.
 *
 * `memoryInbox` of `@tillkit/express-middleware` is one; `inboxConformance` of `@tillkit/testing` checks an implementation.
 */
export interface Inbox {
  /** Whether it still knows everything after the process has crashed. Only then may a callback be answered before it is handled. */
  readonly durable: boolean
  /**
   * Keeps an entry until it is completed. One that was completed is open again, and one that is being worked on stays open
   * when that is completed: what was put in may be newer than what is worked on. The later payload stays.
   */
  put(entry: InboxEntry): Promise<void>
  /**
   * Claims a key, also one that was never put in; of several claims at the same time at most one gets it. A claim whose lease is
   * over holds no other back.
   *
   * @param lease Milliseconds, above 0.
   */
  claim(key: string, options: { readonly lease: number }): Promise<Claiming>
  /**
   * Notes that a claim's work is done. Repeating it changes nothing.
   *
   * @returns false where the key was claimed since: then that claim decides.
   */
  complete(claim: InboxClaim): Promise<boolean>
  /**
   * Gives a claim back undone. Where the key was claimed since, or completed, nothing happens.
   *
   * @param delay Milliseconds until `waiting` lists it again. Default: 0. It can be claimed at once.
   */
  release(claim: InboxClaim, options?: { readonly delay?: number }): Promise<void>
  /** What was put in, is not completed, and neither held nor delayed; oldest first, at most `limit`. */
  waiting(options: { readonly limit: number }): Promise<readonly InboxEntry[]>
}
