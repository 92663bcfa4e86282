import { createHash, hkdfSync } from 'node:crypto'
import { type ClientObserver, type ClientWithStore, createClient } from '@tillkit/client'
import { pause, troubleTeller, warningTeller } from '@tillkit/client/core'
import type { StateSecrets } from '@tillkit/express-middleware/core'
import { type DocumentStore, defaultProfile, type StoreTrouble, type WireProfile } from '@tillkit/protocol'
import { type AskAccount, createAsker } from '../engine/asker.js'
import { createEngine, type Driving, type Engine } from '../engine/engine.js'
import { journalled } from '../engine/journal.js'
import { type Described, type Sending, sendingOf } from '../engine/sending.js'
import type { Who } from '../engine/who.js'
import type { TillAccount, TillOptions } from './options.js'

/** An account that is in use. */
export interface Account {
  readonly login: string
  readonly client: ClientWithStore
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

/** The accounts of a till. */
export interface Accounts {
  /** Drives the runs of their payments. */
  readonly engine: Engine
  readonly all: readonly [Account, ...Account[]]
  /** @returns undefined where no account has this login. */
  ofLogin(login: string): Account | undefined
  /** The account for a new payment. @throws {TypeError} where none takes the currency, or none has the login. */
  choose(wanted: { readonly currency?: string | undefined; readonly login?: string | undefined }): Account
}

/** Opens the accounts of a till: a client each, all with the till's store and name. */
export function openAccounts(
  {
    account,
    accounts,
    store,
    name,
  }: Pick<TillOptions<never>, 'account' | 'accounts' | 'name'> & {
    readonly store: DocumentStore
  },
  { serverCallbackUrl, asked, ended, who }: Pick<Kept, 'serverCallbackUrl' | 'asked' | 'ended' | 'who'>,
): Accounts {
  const given = accounts ?? (account === undefined ? [] : [account])
  const [first] = given
  if (first === undefined || (account !== undefined && accounts !== undefined))
    throw new TypeError('createTill: give "account", or several of them as "accounts".')
  const kept = { store, name: name ?? first.login, serverCallbackUrl, asked, ended, who }
  const firstMade = makeClient(first, kept)
  const { environment } = firstMade.client.payments
  const engine = createEngine({ store, place: { name: kept.name, environment } })
  const made = [firstMade, ...given.slice(1).map(each => makeClient(each, kept))]
  const opened = made.map(each => openAccount(each, { engine, who }))
  const logins = new Set(opened.map(({ login }) => login))
  if (logins.size < opened.length) throw new TypeError('createTill: two of "accounts" have the same login.')
  const all = opened as unknown as Accounts['all']
  return {
    engine,
    all,
    ofLogin: login => all.find(each => each.login === login),
    choose({ currency, login }) {
      const found = all.find(each =>
        login === undefined
          ? currency === undefined || each.currencies === undefined || each.currencies.includes(currency)
          : each.login === login,
      )
      if (found !== undefined) return found
      throw new TypeError(
        login === undefined
          ? `No account takes ${currency}. Add it to "currencies" of one of them.`
          : `No account has the login ${JSON.stringify(login)}.`,
      )
    },
  }
}

interface Kept {
  readonly store: DocumentStore
  readonly name: string
  readonly serverCallbackUrl: string | undefined
  /** Told of each question about an order of a login. */
  asked(login: string): void
  /** Told of each request that is over. */
  ended(operation: string, ending: string): void
  readonly who: Who
}

/** An account as it was given, checked, and its client. */
interface Made {
  readonly given: TillAccount
  readonly client: ClientWithStore
  readonly observer: ClientObserver
}

function makeClient(given: TillAccount, { asked, ended, who: _who, ...kept }: Kept): Made {
  const { previousControlKeys: _old, currencies: _taken, redirectHosts: _hosts, ...options } = given
  if (typeof options.controlKey !== 'string' || options.controlKey === '')
    throw new TypeError(
      `createTill: account ${JSON.stringify(options.login)} has no "controlKey": callbacks are verified with it.`,
    )
  const observer = countingRequests(options.observer, { asked: () => asked(options.login), ended })
  return { given, client: createClient({ ...options, ...kept, observer }), observer }
}

function openAccount(
  { given, client: made, observer }: Made,
  { engine, who }: { readonly engine: Engine; readonly who: Who },
): Account {
  const { login, controlKey, previousControlKeys = [], currencies, redirectHosts, profile = defaultProfile } = given
  // A clock that is given counts for both: nothing is measured by another one.
  const { clock = Date.now, clock: monotonic = () => performance.now() } = given
  const clocks = { system: clock, monotonic }
  const { wait = pause } = given
  const ask = createAsker({ client: made, engine, profile, clocks, wait })
  const onTrouble = troubleTeller({ clock, controlKey }, warningTeller(observer))
  const runs: AccountRuns = { profileOf: () => profile, clocks, ask, onTrouble }
  const client = who.send === 'old' ? made : journalled({ client: made, engine, runs, controlKey, observer, wait })
  const controlKeys = [controlKey, ...previousControlKeys]
  const signsByKey = given.privateKey !== undefined
  return {
    login,
    client,
    signsByKey,
    controlKeys,
    currencies,
    redirectHosts,
    profile,
    runs,
    sendingOf: prepared => sendingOf(prepared, { controlKey, observer, clock }),
  }
}

/** The merchant's observer, which may be of any class, and one that counts requests. */
function countingRequests(
  given: ClientObserver = {},
  { asked, ended }: { asked(): void } & Pick<Kept, 'ended'>,
): ClientObserver {
  const counting: Pick<ClientObserver, 'requestStart' | 'requestEnd'> = {
    requestStart(request) {
      if (request.operation === 'status') asked()
      given.requestStart?.(request)
    },
    requestEnd(request) {
      ended(request.operation, request.ending)
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

/**
 * Secrets of return addresses, derived from the control keys: who knows one of them does not know the keys. A replaced key goes on
 * reading the addresses that it made.
 *
 * @see RFC 5869
 */
export function derivedSecrets({ all }: Accounts): StateSecrets {
  return all
    .flatMap(({ controlKeys }) => controlKeys)
    .map(key => {
      const secret = new Uint8Array(hkdfSync('sha256', key, '', 'tillkit return state', 32))
      return { id: createHash('sha256').update(secret).digest('hex').slice(0, 12), secret }
    })
}
