import {
  type AttemptEnd,
  attemptDecided,
  maskCardNumbers,
  type RememberedAttempt,
  readAttempt,
  StoreError,
} from '@tillkit/protocol'
import { settingsOf } from '../../config/merchant.js'
import type { CallOptions } from '../../config/options.js'
import type { Settings } from '../../config/settings.js'
import { invalidRequest } from '../../errors/messages.js'
import { Deadline, withDeadline } from '../../transport/deadline.js'
import { asKnown, keptOf } from './page.js'
import { checkOwner } from './resolve-attempt.js'

/** What a person has found out about an attempt. */
export interface Decision {
  /** `accepted`: the gateway took it. `refused`, `not-sent` and `no-trace`: it did nothing, and may be sent again. */
  readonly kind: Exclude<AttemptEnd['kind'], 'unknown'>
  /** Why, e.g. the number of a ticket. No card data. */
  readonly note: string
}

/** Options of `client.decide`. */
export type DecideOptions = Pick<CallOptions, 'merchant' | 'timeout' | 'signal'>

/** The longest note, in characters. */
const longestNote = 500

/** What is no attempt would make the document unreadable. */
function readChecked(attempt: RememberedAttempt, wrong: (field: string, problem: string) => Error): RememberedAttempt {
  try {
    const read = readAttempt(attempt)
    if (Number.isSafeInteger(read.reservedAt)) return read
  } catch (cause) {
    throw wrong('attempt', `it is no attempt. ${cause instanceof Error ? cause.message : ''}`)
  }
  throw wrong(
    'attempt',
    '"reservedAt" of it is no whole number of milliseconds. Keep every field of an attempt as it was.',
  )
}

/**
 * Writes down what a person has found out about an attempt.
 *
 * @throws {@link InvalidRequestError} without a store or a note, for what is no attempt of this merchant, and for an attempt that is to be
 * freed while its call may still wait for an answer; {@link StoreError} where the store has not taken it within `timeout` milliseconds.
 */
export async function decideAttempt(
  attempt: RememberedAttempt,
  { kind, note }: Decision,
  { settings: ours, options }: { readonly settings: Settings; readonly options: DecideOptions },
): Promise<void> {
  const { merchant, timeout, signal } = options
  const settings = merchant === undefined ? ours : settingsOf(merchant, ours).settings
  const { book, login } = settings
  const subject = { name: attempt.operation, clientOrderId: attempt.clientOrderId, orderId: attempt.orderId }
  const wrong = (field: string, problem: string) => invalidRequest(subject, { field, problem })
  if (book === undefined) throw wrong('store', 'this client has no store in which to write what was decided.')
  if (!['accepted', 'refused', 'not-sent', 'no-trace'].includes(kind))
    throw wrong('kind', '"kind" must be accepted, refused, not-sent or no-trace.')
  if (typeof note !== 'string' || note.trim() === '' || note.length > longestNote)
    throw wrong('note', `say why in "note", in at most ${longestNote} characters, e.g. the number of a ticket.`)
  const checked = readChecked(attempt, wrong)
  checkOwner(checked, settings, attempt.operation)
  const deadline = new Deadline({ timeout: timeout ?? settings.timeout, signal, clock: settings.clock })
  const said = { kind, note: maskCardNumbers(note) }
  const decision = book.decide(
    checked,
    login,
    read => {
      const decided = attemptDecided(read.document, keptOf(checked, read) ?? asKnown(checked), { ...said, at: read.at })
      if (decided !== undefined) return decided
      throw wrong(
        'attempt',
        'the process that sent it may still wait for its answer. Decide once that time is over, at the latest in a minute or two.',
      )
    },
    deadline,
  )
  try {
    const written = await withDeadline(decision, deadline)
    if (written.kind === 'kept') return
    throw new StoreError(
      'ERR_STORE_UNKNOWN',
      'The store has not said in time whether it wrote down what was decided. Decide the same again: that changes nothing where it did.',
      { cause: deadline.reason() },
    )
  } finally {
    deadline.clear()
  }
}
