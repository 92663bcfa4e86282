import {
  type AwaitedAttempt,
  awaitedAttempt,
  describeValue,
  expectationOf,
  findOrder,
  type KnownOrder,
  type OutcomeQuestion,
} from '@tillkit/protocol'
import { scrubberOfKeys } from '../attempts/book.js'
import { settingsOf } from '../config/merchant.js'
import type { Settings } from '../config/settings.js'
import { NotSentError } from '../errors/errors.js'
import { describeCause, errorIds, invalidRequest, safeCause } from '../errors/messages.js'
import type { AwaitOutcomeOptions, StoredQuestion } from './types.js'

/** A question worked out of the store, and where to ask it. */
export interface FromStore {
  readonly question: OutcomeQuestion
  readonly options: AwaitOutcomeOptions
}

/** Whether a question leaves it to the store what is waited for. */
export const isStoredQuestion = (question: unknown): question is StoredQuestion =>
  typeof question === 'object' && question !== null && 'clientOrderId' in question && !('order' in question)

/**
 * Works out of its document what is waited for of an order. It is asked about where the request was sent to.
 *
 * @throws {@link InvalidRequestError} without a store, or where it has no request that may have arrived; {@link NotSentError} where it
 * does not answer.
 */
export async function questionFromStore(
  { clientOrderId }: StoredQuestion,
  { options, settings: ours }: { readonly options: AwaitOutcomeOptions; readonly settings: Settings },
): Promise<FromStore> {
  const wrong = (problem: string) =>
    invalidRequest({ name: 'status', clientOrderId, orderId: undefined }, { field: 'clientOrderId', problem })
  if (typeof clientOrderId !== 'string')
    throw wrong(`"clientOrderId" is ${describeValue(clientOrderId)}. Write it as text.`)
  const { merchant } = options
  const settings = merchant === undefined ? ours : settingsOf(merchant, ours).settings
  if (settings.book === undefined)
    throw wrong(
      'without a store it is not known what is waited for. Ask with "order" and "expected", or give the client a "store".',
    )
  const order = await orderInStore(clientOrderId.trim(), settings)
  const awaited = order === undefined ? undefined : awaitedAttempt(order)
  if (order === undefined || awaited === undefined) throw wrong(whyNothing(order))
  return { question: questionAbout(order, awaited), options: { ...endpointOf(awaited, options), ...options } }
}

async function orderInStore(clientOrderId: string, settings: Settings): Promise<KnownOrder | undefined> {
  const { book, login } = settings
  try {
    const read = await book?.read({ clientOrderId }, login)
    return read?.document === undefined ? undefined : findOrder(read.document, { clientOrderId, login })
  } catch (cause) {
    const scrubber = scrubberOfKeys(settings)
    throw new NotSentError(
      `Status was not asked about order ${JSON.stringify(clientOrderId)}: the store did not say what is waited for (${describeCause(cause, scrubber)}).`,
      { ...errorIds({ name: 'status', login, clientOrderId, orderId: undefined }), cause: safeCause(cause, scrubber) },
    )
  }
}

function questionAbout(
  { clientOrderId = '', orderId, stages }: KnownOrder,
  { attempt, isOnlyOneOfItsKind }: AwaitedAttempt,
): OutcomeQuestion {
  return {
    order: { clientOrderId, ...(orderId === undefined ? {} : { orderId }), stages },
    expected: expectationOf(attempt),
    ...(isOnlyOneOfItsKind ? { onlyOneOfItsKind: true } : {}),
  }
}

/** Another endpoint may never have seen the order. */
const endpointOf = (
  { attempt: { endpointId, endpointGroupId } }: AwaitedAttempt,
  options: AwaitOutcomeOptions,
): AwaitOutcomeOptions => {
  if (options.endpointId !== undefined || options.endpointGroupId !== undefined) return {}
  return endpointGroupId === undefined ? { endpointId } : { endpointGroupId }
}

function whyNothing(order: KnownOrder | undefined): string {
  const last = order?.attempts.at(-1)
  if (last === undefined)
    return 'the store knows no request of this order. Was it sent by a client with another store, login or "name"?'
  const ended = last.end === undefined ? 'has not ended' : `ended ${last.end.kind}`
  return `nothing is waited for: its last request, ${last.operation}, ${ended}, and status shows no stage of it.`
}
