import {
  claimTelling,
  findOrder,
  observationOf,
  type Patience,
  type PaymentDocument,
  StoreError,
  statusSeen,
} from '@tillkit/protocol'
import { systemId, type Wait, withDeadline } from '../config/time.js'
import type { Answered, Told, Tried } from './asked.js'
import type { Patiently } from './patience.js'
import { type TellClaimedContext, tellClaimed } from './tell-claimed.js'

/** An order of a payment, and what status said of it. */
export interface Untold {
  /** Of the payment's document. */
  readonly key: string
  readonly about: { readonly clientOrderId: string; readonly login: string }
  readonly replies: readonly Answered[]
  /** `callbackAt` of the order before status was asked: that callback has its answer then. */
  readonly callbackAt: number | undefined
}

/** What telling a payment's outcomes needs. */
export interface TellUntoldContext<Transaction> extends TellClaimedContext<Transaction> {
  /** In milliseconds. */
  readonly lease: number
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly wait: Wait
  readonly patiently: Patiently
}

/** Pause before another look at a payment that somebody else tells of, in milliseconds. */
const lookAgain = 250

/** Writes down what status said, and tells every outcome of the payment that was not told, one after the other. */
export async function tellUntold<Transaction>(untold: Untold, context: TellUntoldContext<Transaction>): Promise<Told> {
  const { lease, wait, untilClosed } = context
  let isTold = false
  for (let waited = 0; waited <= lease; ) {
    const next = await tellNext(untold, context).catch(cause => {
      // Nothing failed: it is told by the next process.
      if (isClosing(cause, untilClosed)) return { kind: 'busy', order: undefined } as const
      throw cause
    })
    if (next.kind === 'nothing') return { kind: isTold ? 'told' : 'nothing', order: next.order }
    if (next.kind === 'busy' || next.kind === 'failed') return next
    if (next.kind === 'told') {
      isTold = true
      continue
    }
    await wait(lookAgain, untilClosed.signal())
    waited += lookAgain
  }
  return { kind: 'busy', order: undefined }
}

/** Whether the store was not asked since this was closed. */
const isClosing = (thrown: unknown, { isOver, signal }: Patience): boolean =>
  isOver() && thrown instanceof StoreError && thrown.cause === signal().reason

/** Claims the next outcome and tells it. `held`: somebody else tells one of the payment now. */
async function tellNext<Transaction>(
  untold: Untold,
  context: TellUntoldContext<Transaction>,
): Promise<Told | (Pick<Told, 'order'> & { kind: 'held' })> {
  const { documents, lease, wait, patiently } = context
  const { key, about } = untold
  const token = systemId()
  const { result: claim, read } = await patiently(patience =>
    documents.change(
      key,
      ({ document, at }) => {
        const after = merged(document, at, { ...untold, ...context })
        if (after === undefined) return { result: undefined }
        const decision = claimTelling(after, { token, at, lease })
        return { result: decision, document: decision.kind === 'claimed' ? decision.document : after }
      },
      { kind: 'gate', patience },
    ),
  )
  const order = read.document === undefined ? undefined : findOrder(read.document, about)
  if (claim?.kind !== 'claimed') return { kind: claim?.kind === 'busy' ? 'held' : 'nothing', order }
  const overstayed = new AbortController()
  const late = (): Tried => {
    overstayed.abort(new Error(`The lease of ${lease} ms on this outcome is over; it may be told again.`))
    return { kind: 'busy' }
  }
  const claimed = { key: read.key ?? key, document: claim.document, untold: claim.untold, token, read }
  const telling = tellClaimed({ ...claimed, signal: overstayed.signal }, context)
  return { ...(await withDeadline(telling, { milliseconds: lease, wait, late })), order }
}

/** The document with what status said. */
function merged(
  document: PaymentDocument | undefined,
  at: number,
  {
    about,
    replies,
    callbackAt,
    clock,
    profile,
  }: Omit<Untold, 'key'> & Pick<TellUntoldContext<never>, 'clock' | 'profile'>,
): PaymentDocument | undefined {
  let after = document
  for (const { askedAt, ...asked } of replies) {
    const order = after === undefined ? undefined : findOrder(after, about)
    if (order === undefined) break
    const observation = observationOf(order, { ...asked, age: clock() - askedAt }, at)
    after = statusSeen(after, about, { observation, profile, callbackAt })
  }
  return after
}
