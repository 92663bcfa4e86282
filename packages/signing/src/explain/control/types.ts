/** A control value as we made it. */
export interface ControlMade {
  readonly items: readonly { readonly name: string; readonly value: string }[]
  readonly controlKey: string
  /** Other values an item may have had, and values of items that this operation does not have. */
  readonly candidates: { readonly [item: string]: readonly string[] | undefined }
  /** Control keys that may have been used by mistake. */
  readonly otherKeys: readonly string[]
}

/**
 * A control string that the other side may have made, which holds the control key, and what the mistake was, without the
 * key: a function where most candidates never need it.
 */
export type ControlCandidate = readonly [
  controlString: string,
  text: string | (() => string),
  more?: {
    /** The item at fault, when it is one. */
    readonly item?: string
    /** Digests the text, to lower-case hexadecimal. Default: SHA-1 of its UTF-8 bytes. */
    readonly digest?: (controlString: string) => string
  },
]

/** The mistake that makes the other side's control value. */
export interface ControlMistake {
  /** Short name, for programs. */
  readonly mistake: string
  /** The item at fault, when it is one. */
  readonly item?: string
  /** One sentence, for people. */
  readonly text: string
}
