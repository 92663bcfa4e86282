import { type Merchant, NotSentError } from '@tillkit/client'
import { type AnyOperation, operations, type Reply } from '@tillkit/protocol'
import type { JournalledMethods, JournalledOptions, JournalledSend } from '../../engine/journal.js'
import type { KnownOrder } from '../../state/known.js'
import { documentKey } from '../../store/keys.js'
import { type Account, type Accounts, takes } from '../accounts.js'
import { type PaymentBook, referenceOf } from '../book.js'
import { accountGone, codeOf } from '../errors.js'
import type { OfAccount, TillClient } from './types.js'

/** The fields of a request by which its account can be found. */
interface About {
  readonly clientOrderId?: unknown
  readonly orderId?: unknown
  readonly currency?: unknown
}

interface Given extends OfAccount {
  readonly merchant?: Merchant | undefined
}

type Options = JournalledOptions & OfAccount
type Call = (request: unknown, options: JournalledOptions) => Promise<Reply>

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
        `${what} sent nothing: the store does not say which account the order is of (${codeOf(cause) ?? 'no code'}). ` +
          'Name it with "account", or try again.',
        { operation: what.slice(what.lastIndexOf('.') + 1), cause },
      )
    })
    if (order === undefined) return byCurrency(about.currency)
    const account = accounts.ofLogin(order.login)
    if (account === undefined) throw accountGone({ login: order.login, clientOrderId: idOf(order) }, what)
    return account
  }

  const run = async (name: string, row: AnyOperation | undefined, request: unknown, options: Options = {}) => {
    const { account: _named, ...given } = options
    const what = `till.client.${name}`
    const { client } = namedBy(what, options) ?? (await byOrder(what, Object(request)))
    // Which operation it is, is not known here: each has its own types.
    const call = (row === undefined ? Reflect.get(client, name) : client.send.bind(client, row as never)) as Call
    return call(request, given)
  }
  const methods = Object.keys(operations).map(name => [
    name,
    (request: unknown, options?: Options) => run(name, undefined, request, options),
  ])
  const client: Omit<TillClient, keyof JournalledMethods> = {
    get baseUrl() {
      return accounts.all[0].client.baseUrl
    },
    send: ((row: AnyOperation, request: unknown, options?: Options) =>
      run('send', row, request, options)) as JournalledSend<OfAccount>,
  }
  // Object.fromEntries cannot know that every name of the table is there with its own types.
  return Object.freeze(Object.defineProperties(Object.fromEntries(methods), Object.getOwnPropertyDescriptors(client)))
}

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

const thereAre = ({ all }: Accounts): string =>
  `The accounts of this till: ${all.map(({ login }) => JSON.stringify(login)).join(', ')}. Nothing was sent.`

const noSuchAccount = (what: string, login: unknown, accounts: Accounts): TypeError =>
  new TypeError(`${what}: no account has the login ${JSON.stringify(login)}. ${thereAre(accounts)}`)
