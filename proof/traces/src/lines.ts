/**
 * The lines of a trace, in the order in which they were written. `t` orders the lines of all processes: of two lines the one with the
 * lower number was written first.
 *
 * @module
 */
import type { WireProfile } from '@tillkit/protocol'

/** A question that an intent asked its plan, and the answer. */
export interface Asked {
  /** The place of the function in the plan. */
  readonly path: string
  /** A digest of what it was given. */
  readonly given: string
  readonly gave?: unknown
  readonly threw?: unknown
}

interface Placed {
  readonly t: number
  /** The process. */
  readonly process: string
  /** Milliseconds by the gateway's clock. */
  readonly now: number
}

/** A run began. */
export interface RunLine extends Placed {
  readonly line: 'run'
  readonly run: string
  readonly key: string
  readonly intent: string
  readonly plan: unknown
  readonly patience: number
  readonly staged: unknown
}

/** An event was heard, and an effect starts: the line stands before its first byte. */
export interface StepLine extends Placed {
  readonly line: 'step'
  readonly run: string
  /** From 1 on. */
  readonly nth: number
  readonly at: unknown
  readonly event: unknown
  /** The effect that came back: its kind, and a digest of all of it. */
  readonly effect: string
  readonly digest: string
  readonly asked: readonly Asked[]
  /** The answers that advancing got to its questions for a profile. */
  readonly profiles: readonly (readonly [login: string, name: string])[]
}

/** A call of the store begins. */
export interface CallLine extends Placed {
  readonly line: 'call'
  readonly call: string
  readonly does: 'read' | 'write' | 'commit'
  readonly key: string
  /** For a write: its name, the one that it follows, and a digest of its body. */
  readonly id?: string
  readonly after?: string
  readonly body?: string
}

/** A commit is about to be made after that write, with that body. */
export interface FinishLine extends Placed {
  readonly line: 'finish'
  readonly call: string
  readonly after?: string
  /** Absent: everything is rolled back. */
  readonly body?: string
}

/** A document as the store gave it. */
export interface SeenDocument {
  readonly writeId: string
  readonly version: number
  readonly body: string
}

/** A call of the store was answered. `threw`: it may have been done, or not. */
export interface AnswerLine extends Placed {
  readonly line: 'answer'
  readonly call: string
  readonly came: 'read' | 'written' | 'conflict' | 'not-done' | 'threw'
  readonly version?: number
  /** The digest of the document that was read, or is in the way. Absent: there is none. */
  readonly seen?: SeenDocument
}

/** A body, before the first line that names its digest. */
export interface BodyLine {
  readonly line: 'body'
  readonly digest: string
  readonly body: string
}

/** A profile, before the first line that names it. */
export interface ProfileLine {
  readonly line: 'profile'
  readonly name: string
  readonly profile: WireProfile
}

/** A stage of an order, by the gateway's books. */
export interface BookedStage {
  readonly stage: string
  readonly status: string
  readonly serialNumbers: readonly string[]
  readonly amount?: string
}

/** The gateway's books say this of an order from now on. */
export interface BookedLine extends Pick<Placed, 't' | 'now'> {
  readonly line: 'booked'
  readonly orderId: string
  readonly clientOrderId: string
  readonly stages: readonly BookedStage[]
}

/** A request as the gateway has logged it. */
export interface LoggedLine {
  readonly line: 'logged'
  readonly number: number
  /** By the gateway's clock. */
  readonly at: number
  readonly operation: string
  readonly clientOrderId?: string
  readonly orderId?: string
  readonly amount?: string
  readonly bySerialNumber?: string
  readonly httpStatus?: number
  readonly reply?: Readonly<Record<string, string>>
}

/** A document as the store has it at the very end. */
export interface KeptLine extends Omit<SeenDocument, 'body'> {
  readonly line: 'kept'
  readonly key: string
  readonly body: string
}

export type Line =
  | RunLine
  | StepLine
  | CallLine
  | FinishLine
  | AnswerLine
  | BodyLine
  | ProfileLine
  | BookedLine
  | LoggedLine
  | KeptLine
