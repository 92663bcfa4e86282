import type {
  Attempt,
  AttemptEnd,
  DocumentIds,
  KeptPayments,
  Patience,
  PaymentDocument,
  ReadDocument,
  ReserveDecision,
  WireProfile,
} from '@tillkit/protocol'
import type { PrivateKey } from '@tillkit/signing'
import type { ClientObserver } from '../diagnostics/observer.js'
import type { Environment, Merchant } from './options.js'

/** A checked base address. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path prefix such as `/paynet`, without a trailing slash; may be empty. It is part of the signed address. */
  readonly prefix: string
  /** The two as one text, without a trailing slash. */
  readonly address: string
  /** Whether requests leave this machine without TLS, which the option `allowPlainHttp` permits in tests. */
  readonly isPlainHttp: boolean
}

/** An endpoint, its id as exact decimal digits. */
export interface Endpoint {
  readonly id: string
  readonly isGroup: boolean
}

/** An attempt that may be sent. */
export interface Reserved {
  readonly kind: 'reserved'
  /**
   * Notes how it ended, and goes on trying until that is written or the book is closed.
   *
   * @throws {StoreError} where it will not be written.
   */
  ended(end: AttemptEnd): Promise<void>
}

/** How long a reservation may take. A deadline is one. */
export interface ReserveLimit extends Patience {
  /** Milliseconds. */
  left(): number
  /** Why it is over. */
  reason(): unknown
}

/** What has to be so of a document for a request to be sent. */
export type OnlyWhile = (document: PaymentDocument) => boolean

/** The attempts that a client has made, in documents of a store. */
export interface AttemptBook {
  readonly payments: KeptPayments
  /** An id that no other call makes, in any process. */
  newId(): string
  /**
   * Notes that an attempt is about to be sent, unless its payment's document forbids it.
   *
   * @throws {StoreError} where the store failed, or the reason of the limit: nothing may be sent. What may have been written is
   * taken back.
   */
  reserve(
    attempt: Attempt,
    limit: ReserveLimit,
    onlyWhile?: OnlyWhile,
  ): Promise<Reserved | Exclude<ReserveDecision, { kind: 'reserved' }>>
  /**
   * Reads the document of a payment.
   *
   * @throws {StoreError} where the store does not answer within five seconds, or what it has is no document.
   */
  read(ids: DocumentIds, login: string): Promise<ReadDocument>
  /** Writes a fact. It goes on trying until that is written or the book is closed; of a reply only while that helps. */
  note(ids: DocumentIds, login: string, merge: MergeFact, kind?: 'fact' | 'reply'): Promise<ReadDocument>
  /**
   * Writes what a person decided, at the version that it was decided on.
   *
   * @throws {StoreError} `ERR_STORE_UNKNOWN` where it may have been written; after any other one it was not.
   */
  decide(ids: DocumentIds, login: string, merge: MergeFact, patience: Patience): Promise<void>
  /** Waits for facts that are not written yet, for five seconds at most, and gives up the others. */
  close(): Promise<void>
}

/** What a document becomes by a fact; undefined: the fact changes nothing. */
export type MergeFact = (read: ReadDocument) => PaymentDocument | undefined

/** Checked options. */
export interface Settings {
  readonly baseUrl: BaseUrl
  readonly endpoint: Endpoint
  readonly login: string
  readonly controlKey: string | undefined
  readonly privateKey: PrivateKey | undefined
  /** What the address and all keys are for; `undefined` where that was not said. */
  readonly environment: Environment | undefined
  /** A control key that a request is not signed with, and that is taken out of all text nevertheless. */
  readonly previousControlKey?: string | undefined
  /** Other merchants that calls were made for, by the object that was handed over. */
  readonly merchants: WeakMap<Merchant, KnownMerchant>
  readonly profile: WireProfile
  /** Where attempts are kept; undefined: this client cannot know what was sent before. */
  readonly book: AttemptBook | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly maxReplyBytes: number
  readonly freshConnection: boolean
  readonly retries: number
  readonly observer: ClientObserver
  readonly serverCallbackUrl: string | undefined
  readonly clock: () => number
  readonly nonce: () => string
  readonly attemptId: () => string
  /** From 0 to below 1. */
  readonly random: () => number
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** A merchant that a call was made for. */
export interface KnownMerchant {
  /** A copy of what it was read from. */
  readonly from: Merchant
  /** The client's settings with the merchant's login, keys and, where it names one, endpoint. */
  readonly settings: Settings
  /** Whether the endpoint is the client's although the login is not: the call must name one. */
  readonly lacksEndpoint: boolean
}

/** Checked options of a call. */
export interface CheckedCallOptions extends Pick<Settings, 'endpoint' | 'timeout' | 'freshConnection' | 'retries'> {
  /** The client's, or those of the merchant that the call is made for. */
  readonly settings: Settings
  readonly signal: AbortSignal | undefined
  readonly attemptId: string | undefined
  readonly person: Attempt['person'] | undefined
  readonly onlyWhile: OnlyWhile | undefined
}
