/**
 * A hosted form that is asked for twice: the first one's address is given again.
 *
 * The client's attempts port has refused the second request. Errors are read by their code, for the client is handed in.
 *
 * @module
 */
import type { RememberedAttempt } from '@tillkit/protocol'

/** What is asked for now. */
export interface WantedForm {
  readonly operation: string
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}

/** What the attempts port remembers of the first request for a form. */
export type FormAgain =
  /** The form exists, and this is where. */
  | { readonly form: 'open'; readonly redirectUrl: string; readonly orderId?: string | undefined }
  /** The first request is not answered yet. */
  | { readonly form: 'under-way' }
  /** There is none that could be given: the error stands. */
  | { readonly form: 'none' }

/** Reads what an error says of an earlier request for the same form; `none` for any other error. */
export function formAgain(error: unknown, wanted: WantedForm): FormAgain {
  const earlier = earlierAttempt(error)
  // Another amount under the same order id is no double click: the customer must not pay what was asked for before.
  if (earlier === undefined || !isSame(earlier, wanted)) return { form: 'none' }
  const { end } = earlier
  if (end === undefined) return { form: 'under-way' }
  if (end.ending !== 'accepted' || end.redirectUrl === undefined) return { form: 'none' }
  return { form: 'open', redirectUrl: end.redirectUrl, orderId: end.orderId }
}

function earlierAttempt(error: unknown): RememberedAttempt | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, earlier } = error as { readonly code?: unknown; readonly earlier?: RememberedAttempt }
  return code === 'ERR_ALREADY_SENT' ? earlier : undefined
}

const isSame = (earlier: RememberedAttempt, { operation, amount, currency }: WantedForm): boolean =>
  earlier.operation === operation && earlier.amount === amount && earlier.currency === currency
