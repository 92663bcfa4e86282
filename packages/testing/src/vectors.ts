/**
 * Published vectors: worked examples of others, to prove a signer with. They guard what the fake cannot, because the
 * fake shares code with `@tillkit/signing`.
 *
 * @module
 */
import published from './vectors.json' with { type: 'json' }

/** One published example. */
export interface PublishedVector {
  readonly id: string
  /** What it is about: `control`, `oauth-encode`, … */
  readonly group: string
  readonly scheme: string
  /** Where it was published. */
  readonly source: string
  readonly operation?: string
  readonly note?: string
  /** Its shape depends on the group. */
  readonly inputs: Readonly<Record<string, unknown>>
  /** Text, or named parts of it; what it covers depends on the group. */
  readonly expected: unknown
}

/** Every published example. */
export const vectors: readonly PublishedVector[] = published.vectors
