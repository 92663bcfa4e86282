import { isDeepStrictEqual } from 'node:util'
import type { Client, Environment } from '@tillkit/client'
import { defaultProfile } from '@tillkit/protocol'
import { createEngine, type Engine } from '../engine/engine.js'
import { defaultName } from '../store/keys.js'
import type { DocumentStore } from '../store/store.js'
import { type Account, haveOneClient, type Kept, type Made, makeClient, openAccount, withSettings } from './account.js'
import { openPaymentsOf } from './accounts-in-use.js'
import { accountsInUse, TillClosed } from './errors.js'
import type { TillAccount, TillAccounts, TillOptions } from './options.js'

export type { Account } from './account.js'

type All = readonly [Account, ...Account[]]

/** Accounts as they are at one moment, the first one first. */
export interface AccountsThen {
  readonly all: All
  /** The control keys that return addresses may have been made with: those in use first, then those of accounts that have gone. */
  readonly keys: readonly string[]
}

/** The accounts of a till. They may change while it runs: a caller that keeps `all` across a wait has the old ones. */
export interface Accounts extends TillAccounts, AccountsThen {
  /** Drives the runs of their payments. */
  readonly engine: Engine
  /** Whether there are, or were, several: an order may then be of another one than the first. */
  readonly areSeveral: boolean
  /**
   * Makes something out of the accounts: now, and again before they are changed. Where that throws they are not.
   *
   * @returns What gives what was made of those that there are.
   */
  derive<Result>(make: (accounts: AccountsThen) => Result): () => Result
  /** @returns undefined where no account has this login. */
  ofLogin(login: string): Account | undefined
  /** The account for a new payment. @throws {TypeError} where none takes the currency, or none has the login. */
  choose(wanted: { readonly currency?: string | undefined; readonly login?: string | undefined }): Account
  /** Closes the clients of all that there are and were. */
  close(): Promise<void>
}

/** Opens the accounts of a till: a client each, all with the till's store and name. */
export function openAccounts(
  {
    account,
    accounts,
    store,
    name = defaultName,
  }: Pick<TillOptions<never>, 'account' | 'accounts' | 'name'> & {
    readonly store: DocumentStore
  },
  toldOf: Omit<Kept, 'begins'>,
): Accounts {
  const given = accounts ?? (account === undefined ? [] : [account])
  const [first] = given
  if (first === undefined || (account !== undefined && accounts !== undefined))
    throw new TypeError('createTill: give "account", or several of them as "accounts".')
  const traffic = createTraffic()
  const kept = { ...toldOf, begins: traffic.begins }
  const made = makeAll(given, kept, 'createTill')
  const environment = environmentOf(made[0])
  const engine = createEngine({ store, place: { name, environment } })
  const opening = { engine, mayAsk: kept.mayAsk }
  let all = made.map(each => openAccount(each, opening)) as unknown as All
  let areSeveral = all.length > 1
  let gone: ReadonlyMap<string, readonly string[]> = new Map()
  const derived = new Set<(then: AccountsThen) => () => void>()
  /** Clients of accounts that were changed, as long as somebody holds them: what they have under way ends as it began. */
  let retired: readonly WeakRef<Pick<Client, 'close'>>[] = []
  let isClosed = false

  const replace = async (given: readonly TillAccount[]): Promise<void> => {
    if (isClosed) throw new TillClosed()
    const before = new Map(all.map(each => [each.login, each]))
    const settled = new Map<string, Account>()
    for (const each of given) {
      const known = before.get(each?.login)
      if (known !== undefined && haveOneClient(known.given, each)) settled.set(each.login, withSettings(known, each))
    }
    const made = makeAll(given, kept, 'till.accounts.set', { settled, environment, profile: all[0].profile })
    const opened = made.map(each => openAccount(each, opening))
    const next = given.map(
      ({ login }) => settled.get(login) ?? opened.find(each => each.login === login),
    ) as unknown as All
    const going = all.filter(({ login }) => !next.some(each => each.login === login))
    const left = new Map(gone)
    for (const { login, controlKeys } of going) left.set(login, controlKeys)
    for (const { login } of opened) left.delete(login)
    let put: readonly (() => void)[]
    try {
      await expectUnused(going)
      if (isClosed) throw new TillClosed()
      put = [...derived].map(derive => derive(accountsThen(next, left)))
    } catch (error) {
      await Promise.all(opened.map(({ client }) => client.close()))
      throw error
    }
    // Nothing is awaited since the last look, and nothing throws any more: nobody sees half of it.
    for (const each of put) each()
    const changed = opened.flatMap(({ login }) => before.get(login)?.client ?? [])
    retired = [...retired.filter(each => each.deref() !== undefined), ...changed.map(each => new WeakRef(each))]
    areSeveral ||= next.length > 1 || going.length > 0
    gone = left
    all = next
    // They send nothing any more, though a run may still hold one.
    for (const { client } of going) void client.close().catch(() => undefined)
  }

  /** A request is in the store before its first byte. One that began while that was read may stand on a page that was read before. */
  const expectUnused = async (going: readonly Account[]): Promise<void> => {
    const logins = going.map(({ login }) => login)
    for (let begun = -1; logins.length > 0 && begun !== traffic.begun(logins); ) {
      begun = traffic.begun(logins)
      const open = await openPaymentsOf(logins, engine)
      if (open.size > 0) throw accountsInUse(open)
    }
  }

  let line: Promise<unknown> = Promise.resolve()
  const accountsNow: Accounts = {
    engine,
    get all() {
      return all
    },
    get areSeveral() {
      return areSeveral
    },
    get keys() {
      return accountsThen(all, gone).keys
    },
    derive(make) {
      let made = make(accountsThen(all, gone))
      derived.add(then => {
        const next = make(then)
        return () => {
          made = next
        }
      })
      return () => made
    },
    ofLogin: login => all.find(each => each.login === login),
    choose({ currency, login }) {
      const found = all.find(each => (login === undefined ? takes(each, currency) : each.login === login))
      if (found !== undefined) return found
      throw new TypeError(
        login === undefined
          ? `No account takes ${currency}. Add it to "currencies" of one of them.`
          : `No account has the login ${JSON.stringify(login)}.`,
      )
    },
    list: () => all.map(({ login, currencies }) => ({ login, currencies: currencies && [...currencies] })),
    async set(given) {
      const list = listOf(given)
      const set = line.then(() => replace(list))
      line = set.catch(() => undefined)
      return set
    },
    async close() {
      isClosed = true
      const held = retired.flatMap(each => each.deref() ?? [])
      await Promise.all([...all.map(({ client }) => client), ...held].map(client => client.close()))
    },
  }
  return accountsNow
}

const accountsThen = (all: All, gone: ReadonlyMap<string, readonly string[]>): AccountsThen => ({
  all,
  keys: [...all.flatMap(({ controlKeys }) => controlKeys), ...[...gone.values()].flat()],
})

/** Says whether an account takes a currency, by its settings. */
export const takes = ({ currencies }: Account, currency: string | undefined): boolean =>
  currency === undefined || currencies === undefined || currencies.includes(currency)

/** As they are at this moment: the caller may change its list meanwhile. @throws {TypeError} for what is no list of accounts. */
function listOf(given: readonly TillAccount[]): readonly TillAccount[] {
  if (!Array.isArray(given) || given.length === 0 || given.some(each => typeof each !== 'object' || each === null))
    throw new TypeError('till.accounts.set: give all accounts that there are from now on, as a list of at least one.')
  return given.map(each => ({ ...each }))
}

/** Everything that stays, where accounts are changed. */
interface Staying {
  /** Accounts whose client stays. */
  readonly settled: ReadonlyMap<string, Account>
  readonly environment: string
  readonly profile: Account['profile']
}

/** Makes the clients that are not there yet: all, or none. @throws {TypeError} when an option of an account is wrong. */
function makeAll(
  given: readonly TillAccount[],
  kept: Kept,
  caller: string,
  staying?: Staying,
): readonly [Made, ...Made[]] {
  const { settled, profile } = staying ?? {}
  if (new Set(given.map(({ login }) => login)).size < given.length)
    throw new TypeError(`${caller}: two of "accounts" have the same login.`)
  if (profile !== undefined && !isDeepStrictEqual(given[0]?.profile ?? defaultProfile, profile))
    throw new TypeError(
      `${caller}: the first account has another "profile" than the first one had. The till reads its payments by that: make another till.`,
    )
  const made: Made[] = []
  try {
    for (const each of given) if (settled?.has(each.login) !== true) made.push(makeClient({ ...each }, kept, caller))
    const environment = staying?.environment ?? (made[0] && environmentOf(made[0]))
    for (const each of made)
      if (environmentOf(each) !== environment)
        throw new TypeError(
          `${caller}: account ${JSON.stringify(each.given.login)} is of the environment "${environmentOf(each)}", ` +
            `and the till is of "${environment}". Make a till of its own for it.`,
        )
  } catch (error) {
    // Nothing was sent by them: there is nothing to wait for.
    for (const { client } of made) void client.close().catch(() => undefined)
    throw error
  }
  return made as unknown as readonly [Made, ...Made[]]
}

/** An address that is not this machine, and that no option calls a test, counts as production: its money may be real. */
const environmentOf = ({ client: { environment = 'production' } }: Made): Environment => environment

/** Counts the requests of each login that create or change. */
function createTraffic() {
  const counts = new Map<string, number>()
  return {
    begins: (login: string): void => void counts.set(login, (counts.get(login) ?? 0) + 1),
    /** How many were begun of some logins, ever. */
    begun: (logins: readonly string[]): number => logins.reduce((sum, login) => sum + (counts.get(login) ?? 0), 0),
  }
}
