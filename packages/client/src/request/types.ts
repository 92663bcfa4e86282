import type { AnyOperation, Attempt, fieldKind, ResolvedSigning, Scrubber, WireProfile } from '@tillkit/protocol'
import type { CheckedCallOptions, Settings } from '../config/settings.js'
import type { SignedRequest } from '../diagnostics/observer.js'
import type { RequestSubject } from '../errors/messages.js'
import type { Deadline } from '../transport/deadline.js'
import type { Connections, WireRequest } from '../transport/types.js'

/** One field of a form, as it is signed and sent. */
export interface FormField {
  /** Wire name. */
  readonly name: string
  readonly value: string
  /** Field of the request record; `undefined` for the control value and for what is in `extra`. */
  readonly field: string | undefined
  /**
   * The field that it is redacted as: its own, or that of card data where an operation of the user's own calls it something
   * else or where it is in `extra`. `undefined` is not shown.
   */
  readonly shownAs: string | undefined
}

/** The fields of a request in order: signed, encoded and redacted from this one list. */
export type Form = readonly FormField[]

/** What is known of a field of an operation, without its value. */
export interface FieldPlan extends Omit<FormField, 'value'> {
  readonly field: string
  readonly kind: ReturnType<typeof fieldKind>
  /** Whether the operation needs it, or an alternative of the operation. */
  readonly isNeeded: boolean
  /** Most characters it may have; undefined where no limit is known. */
  readonly maxLength: number | undefined
}

/** What is the same for every request of an operation under a profile. */
export interface OperationPlan {
  readonly row: AnyOperation
  readonly profile: WireProfile
  /** Name in this library of an operation of the table, the row's own name otherwise. */
  readonly name: string
  readonly signing: ResolvedSigning
  /** Path below the base address, without the endpoint, as a `URL` writes it. */
  readonly path: string
  /** Whether the body also carries the merchant login. */
  readonly carriesLogin: boolean
  /** What is known of a field; `undefined` for one that a request of the operation cannot have. */
  field(name: string): FieldPlan | undefined
}

/** A request as it will be sent: text, trimmed, in the caller's order. */
export interface ValidRequest {
  readonly subject: RequestSubject
  /** The record's fields. */
  readonly values: Form
  /** Other fields by wire name. */
  readonly extra: readonly (readonly [name: string, value: string])[]
  /** `amount` in minor units; `''` where there is none. */
  readonly minorUnits: string
}

/** Where a request goes and what its body says, before it is signed. */
export interface BuiltRequest extends Pick<WireRequest, 'origin' | 'path'> {
  readonly form: Form
}

/** A request that may be sent. */
export interface AuthenticatedRequest {
  /** What is sent, in order. */
  readonly form: Form
  /** Value of the `Authorization` header; absent for scheme `control`. */
  readonly authorization?: string
  readonly scheme: ResolvedSigning['scheme']
  /** Works out what may be seen of it. */
  readonly signed: () => SignedRequest
  /** Takes the secrets of this request out of text. */
  readonly scrubber: Scrubber
}

/** A call whose input was validated and built. */
export interface CheckedCall {
  readonly subject: RequestSubject
  readonly plan: OperationPlan
  readonly request: ValidRequest
  readonly built: BuiltRequest
  readonly options: CheckedCallOptions
  readonly settings: Settings
  readonly connections: Connections
}

/** A call that has begun: what the steps after that need. */
export interface CallContext extends CheckedCall {
  /** That of the whole call. */
  readonly deadline: Deadline
  /** The attempt as the caller's book has it, where the caller keeps one. */
  readonly kept?: Attempt | undefined
}
