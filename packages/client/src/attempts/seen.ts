import { findOrder, observationOf, type StatusResponse, statusSeen } from '@tillkit/protocol'
import type { MergeFact } from '../config/settings.js'
import { textOf } from '../request/form.js'
import type { CallContext } from '../request/types.js'
import { withTimeLimit } from '../transport/deadline.js'
import { longestWait } from './book.js'

/**
 * Writes down what a status reply says of an order that the store has, so that every process goes by it. A store that fails takes
 * nothing from the reply: it can be asked for again.
 */
export async function noteStatus(
  { subject, request, settings }: Pick<CallContext, 'subject' | 'request' | 'settings'>,
  { reply, askedAt }: { readonly reply: StatusResponse; readonly askedAt: number },
): Promise<void> {
  const { book, login, profile, wait, clock } = settings
  const clientOrderId = subject.clientOrderId ?? reply.clientOrderId
  if (book === undefined || clientOrderId === undefined) return
  const bySerialNumber = textOf(request.values, 'byRequestSn')
  const about = { clientOrderId, login }
  const merge: MergeFact = ({ document, at }) => {
    const order = document === undefined ? undefined : findOrder(document, about)
    if (order === undefined) return undefined
    const observation = observationOf(order, { reply, age: clock() - askedAt, bySerialNumber }, at)
    return statusSeen(document, about, { observation, profile })
  }
  const noting = book.note(about, login, merge, 'reply')
  await withTimeLimit(noting, { most: longestWait, wait }).catch(() => {})
}
