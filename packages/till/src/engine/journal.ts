import type { CallOptions, Client } from '@tillkit/client'
import { invalidRequest } from '@tillkit/client/core'
import {
  type AnyOperation,
  type Operation,
  type Operations,
  operations,
  type Person,
  type Reply,
  type RequestOf,
  type ResponseOf,
  type StatusRequest,
  type StatusResponse,
  type WireProfile,
} from '@tillkit/protocol'
import { askOnce as askAboutOnce } from '../intents/ask.js'
import { planned } from '../intents/next.js'
import { type SendResult, send } from '../intents/send.js'
import type { Answer, Question } from '../rules/answer.js'
import { changesPart, movesMoneyOfOrder } from '../state/attempt-rules.js'
import { documentKey, referenceProblem } from '../store/keys.js'
import type { AskAccount } from './asker.js'
import { briefly } from './effects.js'
import type { Driving, Engine } from './engine.js'
import type { Ended } from './run.js'
import { type Described, type Sending, type SendingOptions, sendingOf, tooLate } from './sending.js'

/** Options of a call that is written down. */
export interface JournalledOptions extends CallOptions {
  /**
   * Your own id of what a `capture` or `return` of a part of an order is for, e.g. of a parcel: the same one is never sent twice.
   * Required for these. What changes a whole order is identified by the order. Default: a fresh UUID.
   */
  readonly attemptId?: string | undefined
  /**
   * Who wants this request, and why, for requests that create or change. Both are kept for good, without card numbers.
   * `who` is the login of your session. Default: nobody is named.
   */
  readonly person?: Person | undefined
}

/** Requests that change a part of an order: they say an amount, and others of the same operation do not. */
type PartOf<Request> =
  Exclude<Request, { readonly amount: string }> extends never
    ? never
    : Extract<Request, { readonly orderId: string; readonly amount: string }>

type Method<Request, Response, More> = (request: Request, options?: JournalledOptions & More) => Promise<Response>

/** A part of an order has an `attemptId`: that is how it is known again. */
type JournalledMethod<Request, Response, More> = [PartOf<Request>] extends [never]
  ? Method<Request, Response, More>
  : Method<Exclude<Request, PartOf<Request>>, Response, More> &
      ((request: Request, options: JournalledOptions & More & { readonly attemptId: string }) => Promise<Response>)

/** A method for each operation. `capture` and `return` with an amount take an `attemptId`. `More`: more options of each. */
export type JournalledMethods<More = unknown> = {
  readonly [Name in keyof Operations]: JournalledMethod<RequestOf<Operations[Name]>, ResponseOf<Operations[Name]>, More>
}

/** Sends a request of an operation of your own, see `operation()` of `@tillkit/protocol`; written down as those of the methods are. */
export type JournalledSend<More = unknown> = <Request, Response extends Reply>(
  operation: Operation<Request, Response>,
  request: Request,
  options?: JournalledOptions & More,
) => Promise<Response>

/** A client whose requests are written down. */
export interface JournalledClient
  extends JournalledMethods,
    Pick<Client, 'baseUrl' | 'environment' | 'prepare' | 'check' | 'close'> {
  readonly send: JournalledSend
}

/** Everything that writing the requests of a client down needs. */
export interface JournalOptions extends Pick<SendingOptions, 'controlKey' | 'observer'> {
  readonly client: Client
  readonly engine: Engine
  readonly runs: Pick<Driving<SendResult>, 'profileOf' | 'clocks' | 'onTrouble'> & { readonly ask: AskAccount }
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

type Send = (row: AnyOperation, request: unknown, options?: JournalledOptions) => Promise<Reply>
type Prepare = (row: AnyOperation, request: unknown, options?: JournalledOptions) => ReturnType<Client['prepare']>

/** A question to status that names the order by the merchant's id. */
type NamedQuestion = Extract<StatusRequest, { readonly clientOrderId: string }>

/** How long a question of the caller's own waits for the store, in milliseconds: the gateway is asked without it then. */
const longestNoting = 5_000

/**
 * The same client, of which every request that creates or changes is written down before its first byte, and how it ended after its
 * last one; of a question to status, what its answer says of an order that is kept. Its methods throw what those of the client throw.
 */
export function journalled({ client, engine, runs, wait, controlKey, observer }: JournalOptions): JournalledClient {
  const { clocks, profileOf } = runs
  // Which operation it is, is not known here: each has its own types.
  const { prepare, send: read } = client as unknown as { readonly prepare: Prepare; readonly send: Send }

  const sendOnce = async (prepared: Described, row: AnyOperation, given: JournalledOptions): Promise<Reply> => {
    const { description, timeout } = prepared
    const { signal, merchant } = given
    const sending = sendingOf(prepared, { controlKey, observer, clock: clocks.system }, merchant?.controlKey)
    // It takes a third of the request's time at most.
    const asking = { ...briefly, timeout: Math.min(briefly.timeout, Math.ceil(timeout / 3)), merchant, signal }
    const driven = engine.drive<SendResult>({
      key: documentKey(description, engine.place),
      next: planned(
        'send',
        { attempt: description, timeout, before: questionBefore(description, row, profileOf) },
        send,
      ),
      ...runs,
      send: sending.send,
      ask: (question, now) => runs.ask(question, now, asking),
      patience: timeout,
      signal,
      wait,
    })
    // A rule may throw: before anything is sent, the caller hears that nothing was.
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
    if (result.kind === 'refused') return sending.forbidden(result.why)
    const late = signal?.aborted === true ? signal.reason : tooLate()
    return sending.notSent(refused === undefined ? late : refused.cause)
  }

  /** Asks status for the caller. A store that fails takes nothing from the answer: it can be asked for again. */
  const askOnce = async (request: NamedQuestion, given: JournalledOptions): Promise<StatusResponse> => {
    const prepared = client.prepare(operations.status, request, given)
    const question = questionOf(request, given.merchant?.login ?? client.login)
    let asking: Promise<Answer> | undefined
    const ask: AskAccount = (question, now) => {
      asking ??= runs.ask(question, now, { prepared, signal: given.signal })
      return asking
    }
    const next = planned('status', { question }, askAboutOnce)
    const key = documentKey(question, engine.place)
    const patience = longestNoting
    await engine
      .drive<undefined>({ ...runs, key, next, ask, patience, signal: given.signal, wait })
      .catch(() => undefined)
    const now = () => ({ earliest: clocks.system(), latest: clocks.system() })
    const said = await ask(question, now)
    if (said.kind === 'reply') return said.reply
    throw said.cause
  }

  const run: Send = async (row, request, options = {}) => {
    // The client refuses what is no question about an order.
    if (row === operations.status && isAboutOrder(request)) return askOnce(request, options)
    // The client refuses something that is no operation.
    if ((row as AnyOperation | undefined)?.effect === 'reads') return read(row, request, options)
    const prepared = prepare(row, request, options)
    checkKeepable(prepared, options)
    return sendOnce(prepared, row, options)
  }
  const methods = Object.entries(operations).map(([name, row]: [string, AnyOperation]) => [
    name,
    (request: unknown, options?: JournalledOptions) => run(row, request, options),
  ])
  const { baseUrl, environment, check, close } = client
  return Object.freeze({
    // Object.fromEntries cannot know that every name of the table is there with its own types.
    ...(Object.fromEntries(methods) as JournalledMethods),
    send: run as JournalledSend,
    prepare: client.prepare,
    baseUrl,
    environment,
    check,
    close,
  })
}

/** Says whether a request names the order by the merchant's id: by that its payment is found. */
function isAboutOrder(request: unknown): request is NamedQuestion {
  const { clientOrderId } = Object(request)
  return typeof clientOrderId === 'string' && clientOrderId.trim() !== ''
}

/** The question of a request to status, as rules read its answer. */
function questionOf(request: NamedQuestion, login: string): Question {
  const { orderId, byRequestSn: bySerialNumber } = request
  return {
    login,
    clientOrderId: request.clientOrderId.trim(),
    ...(orderId === undefined ? {} : { orderId: orderId.trim() }),
    ...(bySerialNumber === undefined ? {} : { bySerialNumber: bySerialNumber.trim() }),
  }
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
 * Checks what only keeping it asks of a request: a name that leads back to its payment, and an id of a part, of which two equal ones
 * are both legitimate.
 *
 * @throws An `InvalidRequestError` that says what to do.
 */
function checkKeepable(prepared: ReturnType<Prepare>, { attemptId }: JournalledOptions): asserts prepared is Described {
  const { description } = prepared
  if (description === undefined) throw new TypeError('A request that only reads is not written down.')
  const { operation: name, login, clientOrderId, orderId, effect } = description
  const subject = { name, login, clientOrderId, orderId }
  const wrong = effect === 'creates' && clientOrderId !== undefined ? referenceProblem(clientOrderId) : undefined
  if (wrong !== undefined)
    throw invalidRequest(subject, {
      field: 'clientOrderId',
      problem: `"clientOrderId" names the payment, and ${wrong}. The second order of payment "basket-7" is "basket-7.2r".`,
    })
  if (attemptId === undefined && changesPart(description))
    throw invalidRequest(subject, {
      field: 'attemptId',
      problem:
        'a request with an amount changes a part of the order, and such a part may be sent more than once. Say which one it is: ' +
        `till.client.${name}(request, { attemptId: 'parcel-2' }), with your own id of what it is for. The same id is never sent twice.`,
    })
}
