import {
  type AnyOperation,
  describeValue,
  operations,
  type StatusRequest,
  type StatusResponse,
} from '@tillkit/protocol'
import { call } from './call/call.js'
import { prepare } from './call/prepare.js'
import { runCheck } from './check/run-check.js'
import type { CheckOptions } from './check/types.js'
import type { Client } from './client.js'
import {
  type EnvClientOptions,
  type EnvironmentVariables,
  messageOf,
  nameVariables,
  readVariables,
} from './config/env-options.js'
import type { CallOptions, ClientOptions, PrepareOptions } from './config/options.js'
import { readSettings, warningsOf } from './config/read-settings.js'
import { warningTeller } from './diagnostics/observer.js'
import type { FieldProblem } from './errors/messages.js'
import { awaitOutcome } from './outcomes/await-outcome.js'
import type { AwaitOutcomeOptions, OutcomeQuestion } from './outcomes/types.js'
import { createWaits } from './outcomes/waits.js'
import { checkedOperation } from './request/validate-request.js'
import { callersDispatcher, ownPool } from './transport/connections.js'

/**
 * Makes a client with a method for each operation.
 *
 * A call sends its request once, and never again where it may have arrived. The client keeps nothing, so it cannot know what another call
 * sent: a till of `@tillkit/till` does, across restarts and processes.
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
export function createClient(options: ClientOptions): Client {
  const settings = readSettings(options)
  const tell = warningTeller(settings.observer)
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
  const methods = Object.entries(operations).map(
    ([name, row]) => [name, (request: unknown, callOptions?: CallOptions) => run(row, request, callOptions)] as const,
  )
  const waits = createWaits()
  const status = (request: StatusRequest, callOptions: CallOptions) =>
    run(operations.status, request, callOptions) as Promise<StatusResponse>
  // Object.fromEntries cannot know that every name of the table is there with its own types.
  return Object.freeze({
    ...Object.fromEntries(methods),
    baseUrl: settings.baseUrl.address,
    login: settings.login,
    environment: settings.environment,
    awaitOutcome: (question: OutcomeQuestion, waitOptions: AwaitOutcomeOptions = {}) =>
      awaitOutcome({ question, options: waitOptions, status, settings, waits, warn: tell }),
    wake: (callback: { readonly clientOrderId: string }) => waits.wake(orderOf(callback)),
    send: async (row: AnyOperation, request: unknown, callOptions?: CallOptions) =>
      run(checkedOperation(row), request, callOptions),
    prepare: (row: AnyOperation, request: unknown, prepareOptions?: PrepareOptions) =>
      prepare({ row: checkedOperation(row), request, options: prepareOptions, settings, connections, doubt }),
    check: async (checkOptions: CheckOptions = {}) => runCheck(checkOptions, { settings, connections }),
    async close() {
      waits.close()
      await connections.close()
    },
  }) as unknown as Client
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
export function createClientFromEnv(env: EnvironmentVariables = process.env, options: EnvClientOptions = {}): Client {
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
