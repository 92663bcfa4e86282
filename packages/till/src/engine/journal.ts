import type { CallOptions, ClientObserver, ClientWithStore, PreparedRequest, SentRequest } from '@tillkit/client'
import { invalidRequest, notReserved, reservationError, safeCause, scrubberOfKeys } from '@tillkit/client/core'
import {
  type AnyOperation,
  type Attempt,
  changesPart,
  documentKey,
  movesMoneyOfOrder,
  notify,
  operations,
  type Reply,
  referenceProblem,
  type WireProfile,
} from '@tillkit/protocol'
import { type SendResult, send } from '../intents/send.js'
import type { Question } from '../rules/answer.js'
import type { AskAccount } from './asker.js'
import type { Driving, Engine } from './engine.js'
import type { Ended } from './run.js'

/** Everything that writing the requests of a client down needs. */
export interface JournalOptions {
  readonly client: ClientWithStore
  readonly engine: Engine
  readonly runs: Pick<Driving<SendResult>, 'profileOf' | 'clocks' | 'onTrouble'> & { readonly ask: AskAccount }
  /** Taken out of what a store says. */
  readonly controlKey: string
  readonly observer: Pick<ClientObserver, 'unsettled'>
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** The most that asking before a change may take, in milliseconds; and never more than a third of the request's time. */
const longestAsking = 5_000

type Send = (row: AnyOperation, request: unknown, options?: CallOptions) => Promise<Reply>
type Prepare = (row: AnyOperation, request: unknown, options?: CallOptions) => Prepared
type Prepared = PreparedRequest<Reply>
type Described = Prepared & Required<Pick<Prepared, 'description'>>

/**
 * The same client, of which every request that creates or changes is written down before its first byte, and how it ended after its last one.
 * Its methods throw what those of the client throw.
 */
export function journalled({ client, engine, runs, wait, controlKey, observer }: JournalOptions): ClientWithStore {
  const { clocks, profileOf } = runs
  // Which operation it is, is not known here: each has its own types.
  const { prepare, send: read } = client as unknown as { readonly prepare: Prepare; readonly send: Send }

  const sendOnce = async (prepared: Described, row: AnyOperation, given: CallOptions): Promise<Reply> => {
    const { description, timeout } = prepared
    const { onlyWhile, signal, merchant } = given
    let sent: SentRequest<Reply> | undefined
    let kept: Attempt | undefined
    const asking = { timeout: Math.min(longestAsking, Math.ceil(timeout / 3)), retries: 0, merchant, signal }
    const driven = engine.drive<SendResult>({
      key: documentKey(description, engine.place),
      next: send({ attempt: description, timeout, before: questionBefore(description, row, profileOf), onlyWhile }),
      ...runs,
      async send({ reservation, reservedAt, baseline }, startWithin) {
        kept = Object.freeze({
          ...description,
          reservation,
          reservedAt,
          ...(baseline === undefined ? {} : { baseline }),
        })
        sent = await prepared.send({ startWithin, timeout: startWithin, kept })
        // It is of a request that creates or changes.
        return sent.end ?? { kind: 'unknown', at: reservedAt }
      },
      ask: (question, now) => runs.ask(question, now, asking),
      patience: timeout,
      signal,
      wait,
    })
    // Whatever a rule throws, before anything is sent: nothing was.
    const ended = await driven.catch((cause: unknown) => ({ kind: 'failed', cause }) as const)
    if (kept !== undefined && ended.kind === 'done' && ended.unwritten !== undefined)
      tellUnwritten(kept, ended.unwritten.cause)
    if (sent !== undefined) {
      if ('error' in sent) throw sent.error
      return sent.reply
    }
    throw errorOf(ended, prepared, given)
  }

  const tellUnwritten = (attempt: Attempt, cause: unknown): void =>
    notify(() => observer.unsettled?.(attempt, safeCause(cause, scrubberOfKeys({ controlKey }))))

  /** Why nothing was sent. */
  const errorOf = (ended: Ended<SendResult>, { description }: Described, { signal, merchant }: CallOptions) => {
    const { operation, login, clientOrderId, orderId } = description
    const scrubber = scrubberOfKeys({ controlKey, previousControlKey: merchant?.controlKey })
    const subject = { subject: { name: operation, login, clientOrderId, orderId }, scrubber }
    if (ended.kind === 'failed') return notReserved(ended.cause, subject)
    const { result, refused } = ended
    switch (result.kind) {
      case 'refused':
        return reservationError({ ...description, reservedAt: clocks.system() }, result.why)
      case 'unwanted':
        return notReserved(new Error('what it was to be sent for is not so any more'), subject)
      default: {
        const late = signal?.aborted === true ? signal.reason : new Error('its time was over before it could be sent')
        return notReserved(refused === undefined ? late : refused.cause, subject)
      }
    }
  }

  const run: Send = async (row, request, options = {}) => {
    // The client refuses something that is no operation.
    if ((row as AnyOperation | undefined)?.effect === 'reads') return read(row, request, options)
    const prepared = prepare(row, request, options)
    checkKeepable(prepared, options)
    return sendOnce(prepared, row, options)
  }
  const methods = Object.entries(operations).map(([name, row]: [string, AnyOperation]) => [
    name,
    (request: unknown, options?: CallOptions) => run(row, request, options),
  ])
  return Object.freeze({
    ...client,
    // Object.fromEntries cannot know that every name of the table is there with its own types.
    ...(Object.fromEntries(methods) as ClientWithStore),
    send: run as ClientWithStore['send'],
  })
}

/** The question to status before a change that moves money. */
function questionBefore(
  { login, clientOrderId, orderId, endpointId, endpointGroupId }: Described['description'],
  row: AnyOperation,
  profileOf: (login: string) => WireProfile,
): { readonly question: Question; readonly profile: WireProfile } | undefined {
  const endpoint =
    endpointGroupId === undefined ? (endpointId === undefined ? {} : { endpointId }) : { endpointGroupId }
  return movesMoneyOfOrder(row) && clientOrderId !== undefined && orderId !== undefined
    ? { question: { login, clientOrderId, orderId, ...endpoint }, profile: profileOf(login) }
    : undefined
}

/**
 * Checks what only a store asks of a request: a name that leads back to its payment, and an id of a part, of which two equal ones are both
 * legitimate.
 *
 * @throws An `InvalidRequestError` that says what to do.
 */
function checkKeepable(prepared: Prepared, { attemptId }: CallOptions): asserts prepared is Described {
  const { description } = prepared
  if (description === undefined) throw new TypeError('A request that only reads is not written down.')
  const { operation: name, login, clientOrderId, orderId, effect } = description
  const subject = { name, login, clientOrderId, orderId }
  const wrong = effect === 'creates' && clientOrderId !== undefined ? referenceProblem(clientOrderId) : undefined
  if (wrong !== undefined)
    throw invalidRequest(subject, {
      field: 'clientOrderId',
      problem: `where a store is, "clientOrderId" names the payment, and ${wrong}. The second order of payment "basket-7" is "basket-7.2r".`,
    })
  if (attemptId === undefined && changesPart(description))
    throw invalidRequest(subject, {
      field: 'attemptId',
      problem:
        'a request with an amount changes a part of the order, and such a part may be sent more than once. Say which one it is: ' +
        `client.${name}(request, { attemptId: 'parcel-2' }), with your own id of what it is for. The same id is never sent twice.`,
    })
}
