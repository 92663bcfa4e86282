import {
  type Documents,
  entryAfter,
  outcomeToTell,
  type Patience,
  type PaymentDocument,
  paymentOf,
  postponeTelling,
  type ReadDocument,
  StoreError,
  toldOutcome,
  type UntoldOutcome,
  type WireProfile,
} from '@tillkit/protocol'
import type { Tried } from './asked.js'
import type { OutcomeContext, Telling } from './telling.js'

/** An outcome that this process has claimed: nobody else tells of the payment meanwhile. */
export interface ClaimedOutcome {
  readonly key: string
  readonly document: PaymentDocument
  readonly untold: UntoldOutcome
  /** Of the claim. */
  readonly token: string
  readonly read: ReadDocument
  /** Aborts when the lease is over. */
  readonly signal: AbortSignal
}

/** What telling of it needs. */
export interface TellClaimedContext<Transaction>
  extends Pick<Telling<Transaction>, 'store' | 'onOutcome' | 'afterwards'> {
  readonly profile: WireProfile
  readonly documents: Documents
  readonly untilClosed: Patience
}

/** Runs the handler, and marks that it was told. */
export async function tellClaimed<Transaction>(
  { key, document, untold, token, read, signal }: ClaimedOutcome,
  { store, onOutcome, afterwards, profile, documents, untilClosed }: TellClaimedContext<Transaction>,
): Promise<Tried> {
  const outcome = outcomeToTell(document, untold, profile)
  const isApproval = outcome.kind === 'disputed' ? undefined : outcome.outcome === 'approved'
  const payment = paymentOf(read, { reference: outcome.reference, at: read.at, profile })
  const about = { idempotencyKey: untold.key, fencingToken: read.version, signal, payment }
  let context: OutcomeContext<Transaction> | undefined
  const tell = (transaction: Transaction) => {
    context = { ...about, transaction }
    return onOutcome(outcome, context)
  }
  const wanted = () => (context === undefined ? [] : (afterwards?.wantedOf(context) ?? []))
  const isTold = (): Tried => {
    afterwards?.told(key)
    // What fails of it is done by the work in the background.
    if (wanted().length > 0) void afterwards?.carryOut({ key, reference: document.reference }).catch(() => undefined)
    return { kind: 'told' }
  }
  const failed = async (cause: unknown): Promise<Tried> => {
    await giveBack(cause)
    return { kind: 'failed', cause, reference: document.reference }
  }
  const giveBack = (error: unknown) =>
    documents
      .change(
        key,
        ({ document, at }) => ({
          result: undefined,
          document: postponeTelling(document, token, at, { at, error }),
        }),
        { kind: 'fact', patience: untilClosed },
      )
      // Where that fails too, the lease ends it.
      .catch(() => undefined)
  if (store.commit === undefined) {
    try {
      await tell(undefined as Transaction)
    } catch (error) {
      return failed(error)
    }
    const { result } = await documents.change(
      key,
      ({ document }) => {
        const after = toldOutcome(document, token, wanted(), isApproval)
        return { result: after !== undefined, document: after }
      },
      { kind: 'fact', patience: untilClosed },
    )
    return result ? isTold() : { kind: 'busy' }
  }
  let thrown: { readonly error: unknown } | undefined
  try {
    const written = await store.commit(
      key,
      async transaction => {
        try {
          await tell(transaction)
        } catch (error) {
          thrown = { error }
          throw error
        }
      },
      current => entryAfter(current, document => toldOutcome(document, token, wanted(), isApproval), key),
    )
    return written.kind === 'written' ? isTold() : { kind: 'busy' }
  } catch (error) {
    // It may have been committed: the document says so once the lease is over.
    const isUnknown = !(error instanceof StoreError) || error.code === 'ERR_STORE_UNKNOWN'
    if (thrown !== undefined || !isUnknown) return failed(thrown === undefined ? error : thrown.error)
    throw error
  }
}
