import { type CallOptions, type ClientMethods, type Merchant, NotSentError } from '@tillkit/client'
import {
  type AnyOperation,
  documentKey,
  type KnownOrder,
  type Operations,
  operations,
  type Reply,
} from '@tillkit/protocol'
import { type Account, type Accounts, takes } from '../accounts.js'
import { type PaymentBook, referenceOf } from '../book.js'
import { accountGone, codeOf } from '../errors.js'
import type { Of, OfAccount, TillClient } from './types.js'

/** The fields of a request by which its account can be found. */
interface About {
  readonly clientOrderId?: unknown
  readonly orderId?: unknown
  readonly currency?: unknown
}

interface Given extends OfAccount {
  readonly merchant?: Merchant | undefined
}

/** Makes the client of all accounts. Where there is one account, and never was another, nothing is read for a call. */
export function createTillClient({
  accounts,
  payments,
}: {
  readonly accounts: Accounts
  readonly payments: Pick<PaymentBook, 'read' | 'readKey' | 'place'>
}): TillClient {
  /** The account that is known at once. @throws {TypeError} for a login that no account has. */
  const namedBy = (what: string, { account, merchant }: Given): Account | undefined => {
    const [first] = accounts.all
    if (account !== undefined) {
      const named = accounts.ofLogin(account)
      if (named === undefined) throw noSuchAccount(what, account, accounts)
      return named
    }
    if (!accounts.areSeveral) return first
    return merchant === undefined ? undefined : (accounts.ofLogin(Object(merchant).login) ?? first)
  }

  const byCurrency = (currency: unknown): Account => {
    const [first] = accounts.all
    return accounts.all.find(each => takes(each, typeof currency === 'string' ? currency : undefined)) ?? first
  }

  /** @throws {NotSentError} where the store does not say it; {@link TillError} where the account of the order is not there. */
  const byOrder = async (what: string, about: About): Promise<Account> => {
    const order = await orderOf(about, payments).catch(cause => {
      throw new NotSentError(
        `${what} sent nothing: the store does not say which account the order is of (${codeOf(cause) ?? 'no code'}). Name it with "account", or try again.`,
        { operation: what.slice(what.lastIndexOf('.') + 1), cause },
      )
    })
    if (order === undefined) return byCurrency(about.currency)
    const account = accounts.ofLogin(order.login)
    if (account === undefined) throw accountGone({ login: order.login, clientOrderId: idOf(order) }, what)
    return account
  }

  const find = async (what: string, about: About, given: Given): Promise<Account> =>
    namedBy(what, given) ?? byOrder(what, about)

  const byAttempt = (what: string, attempt: unknown, given: Given): Account => {
    const named = namedBy(what, given)
    const { login, clientOrderId } = Object(attempt)
    // The client refuses what is no attempt.
    if (named !== undefined || typeof login !== 'string') return named ?? accounts.all[0]
    const account = accounts.ofLogin(login)
    if (account === undefined) throw accountGone({ login, clientOrderId: String(clientOrderId ?? '') }, what)
    return account
  }

  const run = async (name: string, row: AnyOperation | undefined, request: unknown, options: Of<CallOptions> = {}) => {
    const { client } = await find(`till.client.${name}`, Object(request), options)
    // Which operation it is, is not known here: each has its own types.
    const call = (row === undefined ? Reflect.get(client, name) : client.send.bind(client, row as never)) as Call
    return call(request, withoutAccount(options))
  }
  const methods = Object.keys(operations).map(name => [
    name,
    (request: unknown, options?: Of<CallOptions>) => run(name, undefined, request, options),
  ])

  const client: Omit<TillClient, keyof Operations> = {
    get baseUrl() {
      return accounts.all[0].client.baseUrl
    },
    get payments() {
      return accounts.all[0].client.payments
    },
    send: ((row: AnyOperation, request: unknown, options?: Of<CallOptions>) =>
      run('send', row, request, options)) as TillClient['send'],
    prepare(row, request, options = {}) {
      const what = 'till.client.prepare'
      const { effect } = Object(row) as Partial<AnyOperation>
      const account =
        namedBy(what, options) ?? (effect === 'creates' ? byCurrency(Object(request).currency) : undefined)
      if (account === undefined)
        throw new TypeError(
          `${what} reads nothing of the store: say with "account" which one the request is for. ${thereAre(accounts)}`,
        )
      return account.client.prepare(row, request, withoutAccount(options))
    },
    async order(question, options = {}) {
      const { client } = await find('till.client.order', question, options)
      return client.order(question, withoutAccount(options))
    },
    async awaitOutcome(question, options = {}) {
      const { client } = await find('till.client.awaitOutcome', orderIn(question), options)
      return client.awaitOutcome(question, withoutAccount(options))
    },
    watchOutcome(question, options = {}) {
      const what = 'till.client.watchOutcome'
      const begin = ({ client }: Account) => client.watchOutcome(question, withoutAccount(options))
      const named = namedBy(what, options)
      return named === undefined ? watchLater(byOrder(what, orderIn(question)).then(begin)) : begin(named)
    },
    wake: callback => accounts.all.reduce((woken, { client }) => woken + client.wake(callback), 0),
    resolve: async (attempt, options = {}) =>
      byAttempt('till.client.resolve', attempt, options).client.resolve(attempt, options),
    decide: async (attempt, decision, options = {}) =>
      byAttempt('till.client.decide', attempt, options).client.decide(attempt, decision, options),
    async check(options = {}) {
      const { client } = namedBy('till.client.check', options) ?? accounts.all[0]
      return client.check(withoutAccount(options))
    },
    close: () => accounts.close(),
  }
  // Object.fromEntries cannot know that every name of the table is there with its own types.
  return Object.freeze(Object.defineProperties(Object.fromEntries(methods), Object.getOwnPropertyDescriptors(client)))
}

type Call = (request: unknown, options: CallOptions) => Promise<Reply>

const withoutAccount = <Options extends OfAccount>({ account: _named, ...options }: Options) => options

/** An order that the store has: by the merchant's id, or by the gateway's where a request had no other one. */
async function orderOf(
  { clientOrderId, orderId }: About,
  payments: Pick<PaymentBook, 'read' | 'readKey' | 'place'>,
): Promise<KnownOrder | undefined> {
  const id = typeof clientOrderId === 'string' ? clientOrderId.trim() : ''
  // The client refuses what is longer.
  if (id.length > longestId) return undefined
  if (id === '' && typeof orderId !== 'string') return undefined
  const { document } =
    id === ''
      ? await payments.readKey(documentKey({ orderId: String(orderId) }, payments.place))
      : await payments.read(referenceOf(id))
  const { orders = [] } = document ?? {}
  const named = orders.filter(each => id === '' || each.clientOrderId === id)
  // Another order of the payment stays with its account.
  return named.find(each => each.orderId === orderId) ?? named[0] ?? orders.at(-1)
}

/** Most characters of an id of the merchant's. */
const longestId = 128

const idOf = ({ clientOrderId, orderId }: KnownOrder): string => clientOrderId ?? orderId ?? ''

const orderIn = (question: unknown): About => {
  const { order, clientOrderId } = Object(question)
  return order === undefined ? { clientOrderId } : Object(order)
}

const thereAre = ({ all }: Accounts): string =>
  `The accounts of this till: ${all.map(({ login }) => JSON.stringify(login)).join(', ')}. Nothing was sent.`

const noSuchAccount = (what: string, login: unknown, accounts: Accounts): TypeError =>
  new TypeError(`${what}: no account has the login ${JSON.stringify(login)}. ${thereAre(accounts)}`)

type Observations = ReturnType<ClientMethods['watchOutcome']>

/** Observations that begin once it is known where. Leaving them ends the wait at once, also in the middle of a pause. */
function watchLater(beginning: Promise<Observations>): Observations {
  let isLeft = false
  let begun: Observations | undefined
  async function* observe(): Observations {
    begun = await beginning
    if (!isLeft) yield* begun
  }
  // A caller that never asks for the first one hears of no error.
  beginning.catch(() => undefined)
  const observations = observe()
  const [end, fail] = [observations.return.bind(observations), observations.throw.bind(observations)]
  return Object.assign(observations, {
    return(value: Parameters<Observations['return']>[0]) {
      isLeft = true
      void begun?.return(value)
      return end(value)
    },
    throw(error: unknown) {
      isLeft = true
      void begun?.return()
      return fail(error)
    },
  })
}
