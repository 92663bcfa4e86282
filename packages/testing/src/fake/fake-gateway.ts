import type { Dispatcher } from 'undici'
import { type Callbacks, createCallbackSender } from '../callbacks/callback-sender.js'
import { createFaults, type Faults } from '../faults/faults.js'
import { readListeningHost } from '../http/addresses.js'
import { connectionRefused, GatewayDispatcher } from '../http/dispatcher.js'
import { type GatewayServers, startServers } from '../http/server.js'
import { type Call, createCallLog } from '../log/call-log.js'
import { createJournal } from '../log/journal.js'
import type { FakeGatewayOptions } from '../merchants/options.js'
import { readOptions } from '../merchants/settings.js'
import { createLags } from '../orders/lags.js'
import { createOrderBook } from '../orders/order-book.js'
import { createOutcomes, type Outcomes } from '../orders/outcomes.js'
import type { OrderAction } from '../rules/actions.js'
import type { GatewayState } from '../state/gateway-state.js'
import { createHandlerTable, type Handlers, type OwnHandler } from '../state/handlers.js'
import { act } from '../state/order-actions.js'
import { createGatewayOrders, type GatewayOrders, type OrderView, orderView } from '../state/order-view.js'
import { resetState, unhandled } from '../state/reset.js'
import { createIds, createRandom } from '../state/seed.js'
import { createSignedEvidence } from '../state/signed-evidence.js'
import { defaultClock, type FakeClock } from '../time/clock.js'
import { createSchedule } from '../time/schedule.js'
import { createNonces } from '../verification/replays.js'
import { createAnswer, createControlAnswer, type OtherPaths } from './answer.js'
import { type ClientOptions, clientOptionsOf, type GroupClientOptions, type MerchantChoice } from './client-options.js'
import { createPortKeeper, refusesConnection } from './refuse-connections.js'

/** Where a gateway is to listen. */
export interface ListenOptions {
  /** Default: any free one. */
  readonly port?: number
  /** Default: `127.0.0.1`. An address that other machines can reach is refused without `exposed`. */
  readonly host?: string
  /** Lets other machines use the gateway, which asks for no password. Default: false. */
  readonly exposed?: boolean
  /** Scheme and host that it is reached at, where that is not the host it listens on: written into redirects. */
  readonly publicOrigin?: string
}

/** Where a gateway listens. */
export interface ListeningAddress {
  readonly origin: string
  /** Base address for clients, path prefix included. */
  readonly baseUrl: URL
  readonly port: number
  /** Where the dashboard and the control API of the package `tillkit` answer under every fault. */
  readonly controlOrigin?: string
}

/** A fake gateway. */
export interface FakeGateway {
  /** Carries requests to the gateway without sockets. Any other origin is refused. */
  readonly dispatcher: Dispatcher
  /**
   * Listens on this machine.
   *
   * @throws An error with the code EADDRINUSE when the port is taken; the caller chooses another.
   * @throws {TypeError} when other machines could reach the host without `exposed`.
   */
  listen(options?: ListenOptions): Promise<ListeningAddress>
  /** Read it again after {@link listen}. */
  readonly clientOptions: ClientOptions
  /**
   * What a client of one of several merchants needs, for one of its endpoints or groups.
   *
   * @throws {TypeError} when no merchant has that login or that endpoint.
   */
  clientOptionsFor(merchant: MerchantChoice): ClientOptions | GroupClientOptions
  readonly clock: FakeClock
  /** The seed of its identifiers and its chance: it replays a run that failed. */
  readonly seed: string
  /**
   * Calls so far, oldest first, redacted.
   *
   * @throws {TypeError} for an operation that does not exist.
   */
  calls(operation?: string): readonly Call[]
  /**
   * Answers operations in the gateway's place.
   *
   * @param own Handlers of the operations you declared with the option `operations`.
   * @throws {TypeError} for an operation that does not exist.
   */
  handle(handlers: Handlers, own?: Readonly<Record<string, OwnHandler>>): void
  readonly callbacks: Callbacks
  readonly faults: Faults
  /** What the acquirer decides next. */
  readonly outcomes: Outcomes
  /** The orders, as they stand now. */
  readonly orders: GatewayOrders
  /**
   * Does what no request asks for: decides an order that is open, corrects a final word, reverses, charges back. The
   * callback about it is being sent when this returns; see `callbacks.idle()`.
   *
   * @throws {@link ImpossibleActionError} when the order does not allow it.
   */
  act(action: OrderAction): OrderView
  /** @throws An error that names every unknown path, every fault that never struck, and every handler that was never asked. */
  assertAllHandled(): void
  /**
   * Forgets orders, cards, calls, callbacks, handlers, faults and planned outcomes. The clock goes on, and so do identifiers
   * and chance, unless a seed is given: then they start again from it, and a test sees the same alone and among others.
   */
  reset(options?: { readonly seed?: string | number }): void
  /** Closes its port and its connections. */
  close(): Promise<void>
}

/**
 * Makes a fake gateway. It works at once through its dispatcher and opens no socket until `listen()`.
 *
 * @example
 * ```ts
 * const gateway = createFakeGateway({ endpointId: 39, login: 'merchant' })
 * const client = createClient(gateway.clientOptions)
 * ```
 *
 * @throws {TypeError} naming the option that cannot work.
 */
export function createFakeGateway(options: FakeGatewayOptions = {}): FakeGateway {
  return createExtendedGateway(options)
}

/**
 * Makes a fake gateway with further paths.
 *
 * @param others Answers the paths that the gateway itself does not serve. No fault strikes them.
 * @throws {TypeError} naming the option that cannot work.
 */
export function createExtendedGateway(options: FakeGatewayOptions, others?: OtherPaths): FakeGateway {
  const settings = readOptions(options)
  const clock = options.clock ?? defaultClock()
  const schedule = createSchedule(clock)
  const orders = createOrderBook({ size: settings.maxOrders, now: clock.now })
  const lags = createLags()
  const operations = Object.keys(settings.operations)
  const outcomes = createOutcomes({ operations, lasting: settings.outcomes, profile: settings.profile })
  let { seed } = settings
  let random = createRandom(seed)
  const faults = createFaults({
    random: () => random(),
    operations,
    lasting: settings.faults,
    onChange: () => void updatePort(),
  })
  const journal = createJournal({ size: settings.maxCalls, clock })
  let server: GatewayServers | undefined
  let starting: Promise<GatewayServers> | undefined
  const origin = (): string => server?.origin ?? settings.origin
  const state: GatewayState = {
    settings,
    clock,
    orders,
    lags,
    nonces: createNonces(),
    origin,
    ids: createIds(seed, settings),
    signedEvidence: createSignedEvidence(),
    log: createCallLog(settings.maxCalls),
    journal,
    handlers: createHandlerTable(),
    schedule,
    faults,
    outcomes,
    exposed: () => server?.exposed ?? false,
    isOpen: () => server?.isOpen() ?? true,
    controlOrigin: () => server?.controlOrigin,
    callbackSender: createCallbackSender({ settings, clock, schedule, orders, faults, journal, lags }),
  }
  const updatePort = createPortKeeper(state, () => server)
  const answer = createAnswer(state, others)
  const afterwards = state.callbackSender.flush
  const clientOptionsFor = (choice: MerchantChoice) =>
    clientOptionsOf(state, choice, server === undefined ? dispatcher : undefined)
  const dispatcher = new GatewayDispatcher({
    answer,
    maxBodyBytes: settings.maxBodyBytes,
    afterwards,
    origins: () => [settings.origin, ...(server === undefined ? [] : [server.origin])],
    refuses: ({ url }) =>
      others?.has(url.pathname) !== true && refusesConnection(url.pathname, state) ? connectionRefused(url) : undefined,
  })

  return {
    dispatcher,
    clock,
    callbacks: state.callbackSender,
    faults,
    outcomes,
    orders: createGatewayOrders(state),
    act(action) {
      const order = act(action, state)
      void afterwards()
      return orderView(order, state)
    },
    get clientOptions() {
      const options = clientOptionsFor({ login: settings.login })
      if ('endpointId' in options) return options
      throw new TypeError(
        `"${settings.login}" has groups only. Use gateway.clientOptionsFor({ login, endpointGroupId }).`,
      )
    },
    clientOptionsFor,
    async listen({ port = 0, host = '127.0.0.1', exposed = false, publicOrigin } = {}) {
      const listening = readListeningHost(host, exposed, publicOrigin)
      if (server !== undefined)
        throw new TypeError(`This gateway listens already, at ${server.origin}: clientOptions.baseUrl says where.`)
      if (starting !== undefined) throw new TypeError('This gateway is about to listen. Await the first listen().')
      const controlAnswer = createControlAnswer(state, others)
      starting = startServers({ answer, controlAnswer, afterwards, ...settings }, { listening, port })
      try {
        server = await starting
      } finally {
        starting = undefined
      }
      const { origin, port: bound, controlOrigin } = server
      await updatePort()
      const baseUrl = new URL(`${origin}${settings.prefix}`)
      return { origin, baseUrl, port: bound, ...(controlOrigin && { controlOrigin }) }
    },
    get seed() {
      return seed
    },
    calls(operation) {
      if (operation !== undefined && !operations.includes(operation)) {
        throw new TypeError(
          `There is no operation "${operation}" to list calls of. There are: ${operations.join(', ')}.`,
        )
      }
      return state.log.list(operation)
    },
    handle: (handlers, own) => state.handlers.set({ ...handlers, ...own }, operations),
    assertAllHandled() {
      const problems = unhandled(state)
      if (problems.length > 0) throw new Error(`Not everything was handled (seed "${seed}"):\n${problems.join('\n')}`)
    },
    reset(options = {}) {
      resetState(state)
      if (options.seed === undefined) return
      seed = String(options.seed)
      state.ids.restart(seed)
      random = createRandom(seed)
    },
    async close() {
      schedule.clear()
      if (options.clock === undefined) clock.clear()
      await starting?.catch(() => undefined)
      const closing = server?.close()
      server = undefined
      await Promise.all([closing, state.callbackSender.close()])
    },
  }
}
