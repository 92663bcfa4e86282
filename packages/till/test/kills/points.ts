/**
 * The named points at which a process is killed.
 *
 * @module
 */
import type { Kind, Payment } from './payments.js'

/** Points at which the process kills itself. */
export type OwnPoint =
  | 'store.read.before'
  | 'store.read.after'
  | 'store.write.before'
  | 'store.write.after'
  | 'dispatch.before'
  | 'answer.after'
  | 'report.before'
  | 'report.after'
  | 'commit.before'
  | 'handler.before'
  | 'handler.after'
  | 'commit.after'

/** Points at which it is killed from outside: by what has come over the wire, and what becomes of the bytes. */
export const wirePoints = [
  'wire.request-lost',
  'wire.request-half',
  'wire.request-forwarded',
  'wire.request-late',
  'wire.answer-lost',
  'wire.answer-half',
] as const
export type WirePoint = (typeof wirePoints)[number]

/** Points at which it is killed from outside: a callback comes, or is answered. */
export const doorPoints = ['door.request-lost', 'door.answer-lost'] as const
export type DoorPoint = (typeof doorPoints)[number]

/**
 * An event at a point: the process dies; it stands still while something happens to the database; or it is stopped, and goes on
 * when another one has brought everything to its end.
 */
export type Act =
  | 'kill'
  | 'stop'
  | 'server'
  | 'server-soon'
  | 'cut-before'
  | 'cut-after'
  | 'cut-late'
  | 'cut-commit-before'
  | 'cut-commit-after'
  | 'cut-commit-late'

/** One blow. */
export interface Blow {
  /** Such as `sale`, `status`, `resolve`: what the process is doing. */
  readonly context: string
  readonly point: OwnPoint | WirePoint | DoorPoint
  /** Which passage of the point within one step, from 1 on. */
  readonly nth: number
  /** How many steps that pass it are let go first. */
  readonly skip?: number
  readonly act?: Act
  /** The name that it is counted under. */
  readonly label: string
}

/** A payment, and the blows that it gets, one for each life of the process. */
export interface Case {
  readonly kind: Kind
  /** See {@link Payment}. Default: `status`. */
  readonly by?: Payment['by']
  readonly blows: readonly Blow[]
  /** Whether calls take so long that the next life begins, on any machine, while a request may still be on its way. Default: no. */
  readonly isSlow?: boolean
}
