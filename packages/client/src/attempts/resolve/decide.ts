import { type AttemptEnd, attemptEnded, type RememberedAttempt } from '@tillkit/protocol'
import { settingsOf } from '../../config/merchant.js'
import type { CallOptions } from '../../config/options.js'
import type { Settings } from '../../config/settings.js'
import { invalidRequest } from '../../errors/messages.js'
import { asKnown, keptOf } from './page.js'

/** What a person has found out about an attempt. */
export interface Decision {
  /** `accepted`: the gateway took it. `refused`, `not-sent` and `no-trace`: it did nothing, and may be sent again. */
  readonly kind: Exclude<AttemptEnd['kind'], 'unknown'>
  /** Why, e.g. the number of a ticket. No card data. */
  readonly note: string
}

/** Options of `client.decide`. */
export type DecideOptions = Pick<CallOptions, 'merchant'>

/**
 * Writes down what a person has found out about an attempt.
 *
 * @throws {@link InvalidRequestError} without a store or a note.
 */
export async function decideAttempt(
  attempt: RememberedAttempt,
  { kind, note }: Decision,
  { settings: ours, options }: { readonly settings: Settings; readonly options: DecideOptions },
): Promise<void> {
  const { merchant } = options
  const { book, login } = merchant === undefined ? ours : settingsOf(merchant, ours).settings
  const subject = { name: attempt.operation, clientOrderId: attempt.clientOrderId, orderId: attempt.orderId }
  const wrong = (field: string, problem: string) => invalidRequest(subject, { field, problem })
  if (book === undefined) throw wrong('store', 'this client has no store in which to write what was decided.')
  if (!['accepted', 'refused', 'not-sent', 'no-trace'].includes(kind))
    throw wrong('kind', '"kind" must be accepted, refused, not-sent or no-trace.')
  if (typeof note !== 'string' || note.trim() === '')
    throw wrong('note', 'say why in "note", e.g. the number of a ticket.')
  await book.note(attempt, login, read =>
    attemptEnded(read.document, keptOf(attempt, read) ?? asKnown(attempt), {
      kind,
      basis: 'person',
      note,
      at: read.at,
    }),
  )
}
