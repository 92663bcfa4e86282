import { isDeepStrictEqual } from 'node:util'
import { type Client, type ClientObserver, createClient, type EndedRequest } from '@tillkit/client'
import { pause, warningTeller } from '@tillkit/client/core'
import { defaultProfile, type WireProfile } from '@tillkit/protocol'
import { type AskAccount, type AskingPatience, createAsker } from '../engine/asker.js'
import type { Driving, Engine } from '../engine/engine.js'
import { type JournalledClient, journalled } from '../engine/journal.js'
import { type Described, type Sending, sendingOf } from '../engine/sending.js'
import { troubleTeller } from '../said/trouble.js'
import type { StoreTrouble } from '../store/persist.js'
import type { TillAccount } from './options.js'

/** An account that is in use. */
export interface Account {
  readonly login: string
  /** As it was given, so that it can be compared with what is given later. */
  readonly given: TillAccount
  readonly client: JournalledClient
  /** Whether it has a private key, so that RSA signatures can be made. */
  readonly signsByKey: boolean
  /** The current key first. */
  readonly controlKeys: readonly string[]
  readonly currencies: readonly string[] | undefined
  readonly redirectHosts: readonly string[] | undefined
  readonly profile: WireProfile
  /** Drives runs about its orders. */
  readonly runs: AccountRuns
  /** Makes what sends one prepared request of it, once, in a run. */
  sendingOf(prepared: Described): Sending
}

/** Everything that runs about the orders of an account are driven with. */
interface AccountRuns extends Pick<Driving<unknown>, 'profileOf' | 'clocks'> {
  readonly ask: AskAccount
  readonly onTrouble: (trouble: StoreTrouble) => void
}

/** Everything that accounts of one till have in common. */
export interface Kept {
  readonly serverCallbackUrl: string | undefined
  /** Told of each question about an order of a login. */
  asked(login: string): void
  /** Waits until the orders of a login may be asked about. @returns As `mayAsk` of an asker does. */
  mayAsk(login: string, patience: AskingPatience): Promise<number | undefined>
  /** Told of each request of a login that is over. */
  ended(login: string, request: EndedRequest): void
  /** Told before the first byte of each request of a login that creates or changes. */
  begins(login: string): void
}

/** An account as it was given, checked, and its client. */
export interface Made {
  readonly given: TillAccount
  readonly client: Client
  readonly observer: ClientObserver
}

/** Checks an account, and makes its client. @param caller Who is told of a mistake. @throws {TypeError} when an option is wrong. */
export function makeClient(
  given: TillAccount,
  { asked, ended, begins, mayAsk, serverCallbackUrl }: Kept,
  caller: string,
): Made {
  const { previousControlKeys: _old, currencies: _taken, redirectHosts: _hosts, ...options } = given
  const { login, controlKey } = options
  if (typeof controlKey !== 'string' || controlKey === '')
    throw new TypeError(
      `${caller}: account ${JSON.stringify(login)} has no "controlKey": callbacks are verified with it.`,
    )
  const observer = countingRequests(options.observer, {
    asked: () => asked(login),
    ended: request => ended(login, request),
    begins: () => begins(login),
  })
  // A reply that is read once more is read once the gateway is no longer too busy.
  const wait: typeof pause = async (milliseconds, signal) => {
    await (options.wait ?? pause)(milliseconds, signal)
    await mayAsk(login, { most: Number.POSITIVE_INFINITY, signal })
  }
  return { given, client: createClient({ ...options, serverCallbackUrl, observer, wait }), observer }
}

/** Opens an account whose client was made. */
export function openAccount(
  { given, client: made, observer }: Made,
  { engine, mayAsk }: { readonly engine: Engine } & Pick<Kept, 'mayAsk'>,
): Account {
  const { login, controlKey, profile = defaultProfile } = given
  // A clock that is given counts for both: nothing is measured by another one.
  const { clock = Date.now, clock: monotonic = () => performance.now() } = given
  const clocks = { system: clock, monotonic }
  const { wait = pause } = given
  const ask = createAsker({ client: made, engine, profile, clocks, wait, mayAsk: patience => mayAsk(login, patience) })
  const onTrouble = troubleTeller({ clock, controlKey }, warningTeller(observer))
  const runs: AccountRuns = { profileOf: () => profile, clocks, ask, onTrouble }
  const client = journalled({ client: made, engine, runs, controlKey, observer, wait })
  return {
    ...aroundClient(given),
    login,
    client,
    signsByKey: given.privateKey !== undefined,
    profile,
    runs,
    sendingOf: prepared => sendingOf(prepared, { controlKey, observer, clock }),
  }
}

/** The same account with the settings that its client has nothing to do with. */
export const withSettings = (account: Account, given: TillAccount): Account => ({ ...account, ...aroundClient(given) })

const aroundClient = (given: TillAccount) => {
  const { controlKey, previousControlKeys = [], currencies, redirectHosts } = given
  return { given, controlKeys: [controlKey, ...previousControlKeys], currencies, redirectHosts }
}

/** Settings of an account that its client is not made with. */
const around: ReadonlySet<string> = new Set<keyof TillAccount>(['previousControlKeys', 'currencies', 'redirectHosts'])

/** Says whether a client that was made with one account can stay for the other. */
export function haveOneClient(one: TillAccount, other: TillAccount): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every(name => around.has(name) || isSame(Reflect.get(one, name), Reflect.get(other, name)))
}

/** Says whether two settings are the same. Objects of a class are the same only if they are one: another key may look like the first. */
function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof URL && other instanceof URL) return one.href === other.href
  return Object.is(one, other) || (isPlain(one) && isPlain(other) && isDeepStrictEqual(one, other))
}

const isPlain = (value: unknown): boolean =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)

/** The merchant's observer, which may be of any class, and one that counts requests. */
function countingRequests(
  given: ClientObserver = {},
  { asked, ended, begins }: { asked(): void; begins(): void; ended(request: EndedRequest): void },
): ClientObserver {
  const counting: Pick<ClientObserver, 'requestStart' | 'requestEnd'> = {
    requestStart(request) {
      if (request.operation === 'status') asked()
      if (request.effect !== 'reads') begins()
      given.requestStart?.(request)
    },
    requestEnd(request) {
      ended(request)
      given.requestEnd?.(request)
    },
  }
  return new Proxy(given, {
    get(target, name) {
      const value: unknown = Reflect.get(Object.hasOwn(counting, name) ? counting : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
