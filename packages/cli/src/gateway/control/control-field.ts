/**
 * Fields of the control API as data: routes read requests by them, tests check answers by them, documents are made of them.
 *
 * @module
 */

/** One field of an input or an output. */
export interface ControlField {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  /** What it means, units included, in one sentence. */
  readonly means: string
  /** Whether it may be left out. Default: false. */
  readonly optional?: true
  /** The only values it takes. */
  readonly oneOf?: readonly string[]
  /** Smallest number it takes. */
  readonly least?: number
  /** Largest number it takes. */
  readonly most?: number
  /** Of an object or the entries of an array: the name of their shape, or `string`. Default: any. */
  readonly of?: string
}

/** Fields by name. */
export type ControlFields = Readonly<Record<string, ControlField>>

type ValueOf<Field extends ControlField> = Field['type'] extends 'integer' | 'number' ? number : string

/** What a request says once it has been read by its fields. */
export type ControlInput<Fields extends ControlFields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly optional: true }
    ? ValueOf<Fields[Name]> | undefined
    : ValueOf<Fields[Name]>
}
