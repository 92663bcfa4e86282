/**
 * Rows of the table of operations, by their names.
 *
 * @module
 */
import { type AnyOperation, operations } from '@tillkit/protocol'
import { whenNeeded } from '../words/when-needed.js'

/** Finds the rows with these names, when they are first asked for. */
export const namedRows = (names: Readonly<Record<string, true>>): (() => ReadonlySet<AnyOperation>) =>
  whenNeeded(
    () => new Set(Object.entries(operations).flatMap(([name, row]) => (Object.hasOwn(names, name) ? [row] : []))),
  )
