import { createHash } from 'node:crypto'

/** What a client says about a request that it is about to send. All of it is safe to log. */
export interface SignedEvidence {
  readonly operation: string
  readonly scheme: string
  /** SHA-256, in hexadecimal, of the control value or the `oauth_signature` as it was sent. */
  readonly fingerprint: string
  /** Control items and the values they were signed with. Asterisks stand for what is masked. */
  readonly items?: readonly { readonly name: string; readonly value: string }[]
  /** The signature base string. Asterisks in its values stand for what is masked. */
  readonly baseString?: string
}

export type SignedEvidenceStore = ReturnType<typeof createSignedEvidence>

const mostEntries = 10_000

export function createSignedEvidence() {
  const entries = new Map<string, SignedEvidence>()
  return {
    record(evidence: SignedEvidence): void {
      const oldest = entries.keys().next()
      if (entries.size >= mostEntries && oldest.done !== true) entries.delete(oldest.value)
      entries.set(evidence.fingerprint, evidence)
    },
    /** @param received The control value or signature as it came, in every form that may have been announced. */
    find: (...received: readonly string[]) =>
      received.map(value => entries.get(fingerprint(value))).find(entry => entry !== undefined),
    clear: () => entries.clear(),
  }
}

/** The fingerprint a client gives a control value or a signature. */
export const fingerprint = (value: string): string => createHash('sha256').update(value, 'utf8').digest('hex')
