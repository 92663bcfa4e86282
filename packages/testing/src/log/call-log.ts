import type { ResolvedSigning } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import type { FaultName } from '../faults/fault-table.js'
import { createRing } from './ring.js'

/** One request and what became of it. Holds no card number beyond 6 + 4, CVV, expiry, control value, signature or key. */
export interface Call {
  /** 1 for the gateway's first; it goes on after a reset. */
  readonly number: number
  /** Milliseconds since the epoch, on the gateway's clock. */
  readonly at: number
  /** Name of the operation; undefined when the path belongs to none. */
  readonly operation: string | undefined
  readonly path: string
  readonly scheme: ResolvedSigning['scheme'] | undefined
  /** Of an OAuth request: what its signature covers besides the body. */
  readonly oauth?: SentOAuth
  /** Body parameters, redacted, in the order they came. */
  readonly fields: readonly Parameter[]
  readonly verdict: 'accepted' | 'refused'
  /** Why it was refused. */
  readonly explanation?: string
  /** Fields that public documents call required and the request lacks, and a merchant order id that was used before. */
  readonly warnings?: readonly string[]
  /** The fault that struck it. */
  readonly fault?: FaultName
  /** Absent when the connection broke without an answer. */
  readonly httpStatus?: number
  /** Reply under wire names, redacted. */
  readonly reply?: Readonly<Record<string, string>>
}

/** What an OAuth request carries outside its body. */
export interface SentOAuth {
  /** Scheme and host it was sent to. */
  readonly origin: string
  /** Parameters of the `Authorization` header, the signature hidden. */
  readonly parameters: readonly Parameter[]
}

/** Keeps the latest calls. */
export interface CallLog {
  /** @param write Writes the call when somebody looks at it. It must hold nothing that may not be kept. */
  add(operation: string | undefined, write: () => Omit<Call, 'number'>): void
  /** Oldest first. */
  list(operation?: string): readonly Call[]
  clear(): void
}

interface Entry {
  readonly number: number
  readonly operation: string | undefined
  readonly write: () => Omit<Call, 'number'>
  call?: Call
}

/** Makes a log that keeps at most `size` calls. */
export function createCallLog(size: number): CallLog {
  const entries = createRing<Entry>(size)
  let count = 0
  return {
    add(operation, write) {
      count += 1
      entries.add({ number: count, operation, write })
    },
    list: operation =>
      entries
        .list()
        .filter(entry => operation === undefined || entry.operation === operation)
        .map(written),
    clear: entries.clear,
  }
}

/** Written once: whoever looks again sees the same. */
function written(entry: Entry): Call {
  entry.call ??= Object.freeze({ number: entry.number, ...entry.write() })
  return entry.call
}
