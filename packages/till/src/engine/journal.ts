import type { CallOptions, ClientWithStore, PreparedRequest } from '@tillkit/client'
import { invalidRequest } from '@tillkit/client/core'
import {
  type AnyOperation,
  changesPart,
  documentKey,
  movesMoneyOfOrder,
  operations,
  type Reply,
  referenceProblem,
  type WireProfile,
} from '@tillkit/protocol'
import { type SendResult, send } from '../intents/send.js'
import type { Question } from '../rules/answer.js'
import type { AskAccount } from './asker.js'
import { briefly } from './effects.js'
import type { Driving, Engine } from './engine.js'
import type { Ended } from './run.js'
import { type Described, type Sending, type SendingOptions, sendingOf, tooLate, unwanted } from './sending.js'

/** Everything that writing the requests of a client down needs. */
export interface JournalOptions extends Pick<SendingOptions, 'controlKey' | 'observer'> {
  readonly client: ClientWithStore
  readonly engine: Engine
  readonly runs: Pick<Driving<SendResult>, 'profileOf' | 'clocks' | 'onTrouble'> & { readonly ask: AskAccount }
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

type Send = (row: AnyOperation, request: unknown, options?: CallOptions) => Promise<Reply>
type Prepare = (row: AnyOperation, request: unknown, options?: CallOptions) => Prepared
type Prepared = PreparedRequest<Reply>

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
    const sending = sendingOf(prepared, { controlKey, observer, clock: clocks.system }, merchant?.controlKey)
    // It takes a third of the request's time at most.
    const asking = { ...briefly, timeout: Math.min(briefly.timeout, Math.ceil(timeout / 3)), merchant, signal }
    const driven = engine.drive<SendResult>({
      key: documentKey(description, engine.place),
      next: send({ attempt: description, timeout, before: questionBefore(description, row, profileOf), onlyWhile }),
      ...runs,
      send: sending.send,
      ask: (question, now) => runs.ask(question, now, asking),
      patience: timeout,
      signal,
      wait,
    })
    // Whatever a rule throws, before anything is sent: nothing was.
    const ended = await driven.catch((cause: unknown) => ({ kind: 'failed', cause }) as const)
    if (ended.kind === 'done' && ended.unwritten !== undefined) sending.tellUnwritten(ended.unwritten.cause)
    const sent = sending.sent()
    if (sent !== undefined) {
      if ('error' in sent) throw sent.error
      return sent.reply
    }
    throw errorOf(ended, sending, given)
  }

  /** Why nothing was sent. */
  const errorOf = (ended: Ended<SendResult>, sending: Sending, { signal }: CallOptions): Error => {
    if (ended.kind === 'failed') return sending.notSent(ended.cause)
    const { result, refused } = ended
    switch (result.kind) {
      case 'refused':
        return sending.forbidden(result.why)
      case 'unwanted':
        return sending.notSent(unwanted())
      default: {
        const late = signal?.aborted === true ? signal.reason : tooLate()
        return sending.notSent(refused === undefined ? late : refused.cause)
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
