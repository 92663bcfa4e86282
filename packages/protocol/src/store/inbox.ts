/**
 * The inbox: what was received and still has to be worked on, and who works on it. A port; a store implements it.
 *
 * Every key is worked on by one at a time, under a lease, and completed once, in however many processes.
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
   * Fencing token: a whole number above that of every earlier claim of the key. Whoever works on after the lease is over has
   * the lower one; a store of yours that remembers the highest token it has seen can refuse what comes with a lower one.
   */
  readonly token: number
}

/** A claim, or why there is none. `held`: another worker has it. `completed`: nothing is left to do. */
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
   * Claims a key, also one that nobody put in; of several at the same time at most one gets it. A claim whose lease is over
   * holds nobody back.
   *
   * @param lease Milliseconds, above 0.
   */
  claim(key: string, options: { readonly lease: number }): Promise<Claiming>
  /**
   * Notes that a claim's work is done. Repeating it changes nothing.
   *
   * @returns false where somebody has claimed the key since: then it is that claim which decides.
   */
  complete(claim: InboxClaim): Promise<boolean>
  /**
   * Gives a claim back undone. Where somebody has claimed the key since, or it was completed, nothing happens.
   *
   * @param delay Milliseconds until `waiting` lists it again. Default: 0. It can be claimed at once.
   */
  release(claim: InboxClaim, options?: { readonly delay?: number }): Promise<void>
  /** What was put in, is not completed, and neither held nor delayed; oldest first, at most `limit`. */
  waiting(options: { readonly limit: number }): Promise<readonly InboxEntry[]>
}
