import {
  type AnyOperation,
  type DocumentStore,
  describeValue,
  type OutcomeQuestion,
  operations,
  type RememberedAttempt,
  type StatusRequest,
  type StatusResponse,
  type WaitState,
} from '@tillkit/protocol'
import { openBook } from './attempts/book.js'
import { type DecideOptions, type Decision, decideAttempt } from './attempts/resolve/decide.js'
import { FirstAnswers } from './attempts/resolve/first-answers.js'
import { resolveAttempt } from './attempts/resolve/resolve-attempt.js'
import type { ResolveOptions } from './attempts/resolve/types.js'
import { troubleTeller } from './attempts/store-trouble.js'
import { call } from './call/call.js'
import { type PrepareOptions, prepare } from './call/prepare.js'
import { runCheck } from './check/run-check.js'
import type { CheckOptions } from './check/types.js'
import type { ClientWithoutAttempts, ClientWithStore } from './client.js'
import {
  type EnvClientOptions,
  type EnvironmentVariables,
  messageOf,
  nameVariables,
  readVariables,
} from './config/env-options.js'
import type { CallOptions, ClientOptions } from './config/options.js'
import { readSettings, warningsOf } from './config/read-settings.js'
import type { Settings } from './config/settings.js'
import { type ClientWarning, warningTeller } from './diagnostics/observer.js'
import type { FieldProblem } from './errors/messages.js'
import { askOrder } from './outcomes/order.js'
import { isStoredQuestion, questionFromStore } from './outcomes/stored-question.js'
import type { AwaitOutcomeOptions, OrderQuestion, StoredQuestion } from './outcomes/types.js'
import { createWaits } from './outcomes/waits.js'
import { awaitOutcome, watchOutcome } from './outcomes/watch-outcome.js'
import { checkedOperation } from './request/validate-request.js'
import { callersDispatcher, ownPool } from './transport/connections.js'

type Question = OutcomeQuestion | WaitState | StoredQuestion

/**
 * Makes a client with a method for each operation.
 *
 * It never sends a request twice that may have arrived. Without `store` it cannot know what was sent before, by this process or
 * another one: hand over `sqliteStore(file)` or `postgresStore(pool)` of `@tillkit/till`.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey })
 * const hold = await client.preauth({ clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', email, ...card })
 * await client.capture({ clientOrderId: 'o-1', orderId: hold.orderId })
 * ```
 *
 * @throws {TypeError} naming the option in quotes, when an option is wrong.
 * @see Interface specification, sections 4 and 5
 */
export function createClient(options: ClientOptions & { readonly store: DocumentStore }): ClientWithStore
export function createClient(options: ClientOptions): ClientWithoutAttempts
export function createClient(options: ClientOptions): ClientWithoutAttempts | ClientWithStore {
  const read = readSettings(options)
  const tell = warningTeller(read.observer)
  const settings = withBook(read, options, tell)
  for (const warning of warningsOf(settings)) tell(warning)
  const { dispatcher } = options
  const connections = dispatcher === undefined ? ownPool(settings.baseUrl.origin) : callersDispatcher(dispatcher)
  const doubted = new Set<string>()
  const doubt = {
    known: doubted,
    tell({ field, problem }: FieldProblem): void {
      doubted.add(field)
      tell({ code: 'WARN_FIELD_DOUBTFUL', message: `${problem} The request is not changed for that.` })
    },
  }
  const run = (row: AnyOperation, request: unknown, callOptions: CallOptions | undefined) =>
    call({ row, request, options: callOptions, settings, connections, doubt })
  // Other merchants are known by their settings, which would have the store.
  const storeless: Settings = { ...settings, book: undefined, merchants: new WeakMap() }
  const methods = Object.entries(operations).map(
    ([name, row]) => [name, (request: unknown, callOptions?: CallOptions) => run(row, request, callOptions)] as const,
  )
  const waits = createWaits()
  const firstAnswers = new FirstAnswers(options.clock ?? (() => performance.now()))
  const status = (request: StatusRequest, callOptions: CallOptions) =>
    run(operations.status, request, callOptions) as Promise<StatusResponse>
  const asked = (question: Question, options: AwaitOutcomeOptions) =>
    isStoredQuestion(question) ? () => questionFromStore(question, { options, settings }) : question
  const watching = { status, settings, waits, warn: tell }
  // Object.fromEntries cannot know that every name of the table is there with its own types.
  return Object.freeze({
    ...Object.fromEntries(methods),
    baseUrl: settings.baseUrl.address,
    login: settings.login,
    environment: settings.environment,
    ...(settings.book === undefined ? {} : { payments: settings.book.payments }),
    order: async (question: OrderQuestion, callOptions: CallOptions = {}) =>
      askOrder(question, callOptions, { status, settings }),
    awaitOutcome: async (question: Question, waitOptions: AwaitOutcomeOptions = {}) =>
      awaitOutcome({ question: asked(question, waitOptions), options: waitOptions, ...watching }),
    watchOutcome: (question: Question, waitOptions: AwaitOutcomeOptions = {}) =>
      watchOutcome({ question: asked(question, waitOptions), options: waitOptions, ...watching }),
    wake: (callback: { readonly clientOrderId: string }) => waits.wake(orderOf(callback)),
    send: async (row: AnyOperation, request: unknown, callOptions?: CallOptions) =>
      run(checkedOperation(row), request, callOptions),
    prepare: (row: AnyOperation, request: unknown, prepareOptions?: PrepareOptions) =>
      prepare({
        row: checkedOperation(row),
        request,
        options: prepareOptions,
        settings: storeless,
        connections,
        doubt,
      }),
    resolve: (attempt: RememberedAttempt, resolveOptions: ResolveOptions = {}) =>
      resolveAttempt(attempt, { options: resolveOptions, settings, askStatus: status, firstAnswers }),
    decide: (attempt: RememberedAttempt, decision: Decision, decideOptions: DecideOptions = {}) =>
      decideAttempt(attempt, decision, { settings, options: decideOptions }),
    check: async (checkOptions: CheckOptions = {}) => runCheck(checkOptions, { settings, connections }),
    async close() {
      waits.close()
      await connections.close()
      await settings.book?.close()
    },
  }) as unknown as ClientWithoutAttempts
}

/** An address that is not this machine, and that no option calls a test, counts as production: its money may be real. */
function withBook(
  settings: Settings,
  { store, name }: ClientOptions,
  tell: (warning: ClientWarning) => void,
): Settings {
  if (store === undefined) return settings
  const { environment = 'production' } = settings
  const onTrouble = troubleTeller(settings, tell)
  return { ...settings, book: openBook({ ...settings, store, name, environment, onTrouble }) }
}

/**
 * Makes a client from environment variables: `TILLKIT_BASE_URL`, `TILLKIT_ENDPOINT_ID` or `TILLKIT_ENDPOINT_GROUP_ID`,
 * `TILLKIT_LOGIN`, and at least one of `TILLKIT_CONTROL_KEY` and `TILLKIT_PRIVATE_KEY` (or their `_FILE`, the path of a
 * file); if need be `TILLKIT_PRIVATE_KEY_PASSPHRASE`, `TILLKIT_ENVIRONMENT`, `TILLKIT_ALLOW_PLAIN_HTTP` (`true` or
 * `false`), `TILLKIT_SERVER_CALLBACK_URL`, `TILLKIT_TIMEOUT` (milliseconds) and `TILLKIT_PROFILE_FILE` (JSON with what
 * `defineProfile` takes).
 *
 * @param env Default: the environment of the process.
 * @param options Everything else a client takes; what is given here counts before a variable.
 * @throws {TypeError} that lists every variable that is missing, misspelt or damaged. It never holds the value of a key.
 */
export function createClientFromEnv(
  env: EnvironmentVariables | undefined,
  options: EnvClientOptions & { readonly store: DocumentStore },
): ClientWithStore
export function createClientFromEnv(env?: EnvironmentVariables, options?: EnvClientOptions): ClientWithoutAttempts
export function createClientFromEnv(
  env: EnvironmentVariables = process.env,
  options: EnvClientOptions = {},
): ClientWithoutAttempts | ClientWithStore {
  const read = readVariables(env, options)
  try {
    return createClient({ ...read, ...options })
  } catch (cause) {
    throw new TypeError(nameVariables(messageOf(cause), Object.keys(options)), { cause })
  }
}

function orderOf(callback: { readonly clientOrderId: string } | undefined): string {
  const clientOrderId: unknown = callback?.clientOrderId
  if (typeof clientOrderId === 'string') return clientOrderId
  throw new TypeError(
    `"clientOrderId" of the callback is ${describeValue(clientOrderId)}. Say which order it is about: wake({ clientOrderId }).`,
  )
}
