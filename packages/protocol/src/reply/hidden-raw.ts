/**
 * The raw reply behind a record: there for whoever asks for it, and printed by nobody.
 *
 * @module
 */
import type { RawReply } from '../operations/records/replies.js'

/** Lets a subclass add its private field to an object that is there already. */
class OfRecord {
  constructor(record: object) {
    // biome-ignore lint/correctness/noConstructorReturn: what a constructor returns is what its subclass adds a field to.
    return record
  }
}

/**
 * One getter for all records, and the reply in a private field: with a getter of its own each record would have a hidden class
 * of its own, see adr/0020.
 */
class RawOf extends OfRecord {
  readonly #raw: RawReply
  constructor(record: object, raw: RawReply) {
    super(record)
    this.#raw = raw
  }
  static readonly property: PropertyDescriptor = {
    get(this: object) {
      return #raw in this ? this.#raw : undefined
    },
    enumerable: false,
  }
}

/**
 * Adds `raw` to a record, not enumerable and behind a getter: whoever prints even what is hidden of a record prints no card
 * data that a host may have put there.
 */
export function withRaw<Given extends object>(record: Given, raw: RawReply): Given & { readonly raw: RawReply } {
  new RawOf(record, raw)
  return Object.defineProperty(record, 'raw', RawOf.property) as Given & { readonly raw: RawReply }
}
