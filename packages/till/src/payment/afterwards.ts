import type { Person } from '@tillkit/protocol'

/** A part of a payment. */
export interface Part {
  /** Major units with exactly the currency's digits. */
  readonly amount: string
  /** Your name of what it is for, such as a parcel: a part with the same key is sent once. Captures and returns have keys of their own. */
  readonly key: string
}

/** The amount that a capture or a return asks for: all that is left, or a part. The till keeps `who` and `why` for good. */
export type Wanted = (Part | { readonly [Field in keyof Part]?: never }) & Partial<Person>

/**
 * The wishes that a handler may have for the order that it is told of. A wish is written down together with the mark that you were
 * told, or not at all, and sent after that: at once, or by whatever process works next, once. You are told of its outcome. The till
 * gives up a wish that is not possible any more, and says so by a process warning, `WARN_WISH_GONE`.
 */
export interface Afterwards {
  /** Captures a hold: all of it, or a part. @throws {TypeError} for a part without a key. */
  capture(part?: Part): void
  /** Gives money back: all that is left, or a part. @throws {TypeError} for a part without a key. */
  return(part?: Part): void
  /** Releases a hold. */
  void(): void
}
