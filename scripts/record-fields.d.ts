/** Types of record-fields.js, for the test that uses it. */

/** A field of a record. */
export interface RecordField {
  readonly name: string
  /** `choice`: one of a few words. `other`: `extra` and `raw`. */
  readonly kind: 'text' | 'boolean' | 'choice' | 'other'
  /** The words, of a choice. */
  readonly choices?: readonly string[]
  /** Its docstring, on one line. */
  readonly doc: string
  readonly isRequired: boolean
}

export declare function readRecords(): ReadonlyMap<string, readonly RecordField[]>
