import {
  type Answer,
  type AnyRequest,
  CallbackError,
  causeText,
  customerReceiver,
  failureAnswer,
  type NodeHandler,
  type NodeRequest,
  nodeHandler,
  pathOf,
  queryOf,
  type RequestOrigin,
  readState,
  type StateSecrets,
  signState,
  type TellingEngine,
  threeDSecureReceiver,
  webResponse,
  withoutEndSlash,
} from '@tillkit/express-middleware/core'
import type { FindAccount } from '../http/account-of.js'
import type { Callbacks } from '../http/callbacks.js'
import type { TillPages } from '../pages/options.js'
import type { Account, AccountsThen } from '../payment/accounts.js'
import type { Teller } from '../payment/deliveries.js'
import type { PayContext } from '../payment/pay/pay-context.js'
import { basePath, onSite } from './addresses.js'
import { addressLifetime } from './forms.js'
import { asksWhoIsHere, hereAnswer } from './here-page.js'
import { createPaymentPage, type PageContext } from './payment-page.js'
import type { FetchOptions } from './till.js'

/** What the routes need of the till. */
export interface RouteContext<Transaction> extends PageContext {
  /** Secrets of return addresses, of accounts that are to be. */
  readonly secretsOf: (then: AccountsThen) => StateSecrets
  /** `engine` asks and delivers in place of the middleware. */
  readonly teller: Teller<Transaction> & { readonly engine: TellingEngine }
  readonly accountOf: FindAccount
  readonly callbacks: Callbacks
  readonly pages: TillPages
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

type Route = (request: AnyRequest, rest: string, origin: RequestOrigin) => Promise<Answer | undefined>

/** Makes what answers requests below the till's address. */
export function createRoutes<Transaction>(context: RouteContext<Transaction>) {
  const { accounts, accountOf, callbacks, teller, address, secrets, clock, pages, wait, warn } = context
  const base = basePath(address)
  const pagePath = async (clientOrderId: string): Promise<string> => {
    const subject = { clientOrderId, purpose: 'payment-page', lifetime: addressLifetime, now: clock() } as const
    return `${base}/payment/${await signState({ ...subject, secrets: secrets() })}`
  }

  const waitingPage: PayContext['waitingPage'] = async (clientOrderId, { goesOn, later }) => {
    const way = goesOn ? '?go=1' : later ? '?later=1' : ''
    return onSite(address, `${await pagePath(clientOrderId)}${way}`)
  }

  const visits = (account: Account) => ({
    ...teller,
    client: { ...account.client, payments: { ...accounts.engine.place, store: teller.store, login: account.login } },
    controlKeys: account.controlKeys,
    profile: account.profile,
    clock,
    polling: { wait },
    redirectTo: async ({ clientOrderId }: { readonly clientOrderId: string }) =>
      `${await pagePath(clientOrderId)}?back=1`,
  })
  const desks = accounts.derive(then => {
    const stateSecrets = context.secretsOf(then)
    const each = then.all.map(account => {
      const visiting = { ...visits(account), stateSecrets }
      const secure = { ...visiting, address: new URL(`${base}/3ds`, address), stateLifetime: addressLifetime, pages }
      return [account.login, { customers: customerReceiver(visiting), secure: threeDSecureReceiver(secure) }] as const
    })
    return new Map(each)
  })
  const deskOf = ({ login }: Account) => {
    const desk = desks().get(login)
    if (desk === undefined) throw new Error(`There is no account ${login}.`)
    return desk
  }

  /** Whose customer comes back, by the state that the address has. @throws {StateRejectedError} for one that is not ours. */
  const visitor = async (token: string, purpose: 'hosted-form' | '3d-secure') => {
    const state = await readState({ token, purpose, secrets: secrets(), now: clock() })
    const account = state.kind === 'refused' ? undefined : await accountOf(state.clientOrderId)
    return deskOf(account ?? accounts.all[0])
  }

  const paymentPage = createPaymentPage(context)
  // `onRejected` has already heard of a `CallbackError`.
  const warnOfPage = (cause: unknown) => {
    if (!(cause instanceof CallbackError)) warn('WARN_PAGE_FAILED', { explanation: causeText(cause), cause })
  }

  const routes: Readonly<Record<string, Route>> = {
    callback: (request, rest) => (rest === '' ? callbacks.answer(request) : Promise.resolve(undefined)),
    return: async (request, state) => {
      if (state === '' || state.includes('/')) return undefined
      return (await visitor(state, 'hosted-form')).customers.answer(request, { state })
    },
    '3ds': async (request, rest, origin) => {
      const [token = ''] = rest.split('/')
      return (await visitor(token, '3d-secure')).secure.answer(request, `/${rest}`, origin)
    },
    payment: async (request, token) => {
      if (request.method !== 'GET' || token === '' || token.includes('/')) return undefined
      return paymentPage(token, new URLSearchParams(queryOf(request)))
    },
  }

  /** @param path Path below the till's address. */
  const answerAt = async (
    path: string,
    request: AnyRequest,
    origin: RequestOrigin = {},
  ): Promise<Answer | undefined> => {
    if (asksWhoIsHere(request.method, path.slice(1), queryOf(request))) return hereAnswer
    const [, name = '', rest = ''] = /^\/([^/]+)(?:\/(.*))?$/.exec(path) ?? []
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined
    return route?.(request, rest, origin).catch(error => failureAnswer(error, 500))
  }
  const answer = async (request: AnyRequest, origin?: RequestOrigin): Promise<Answer | undefined> => {
    const path = pathOf(request)
    return path.startsWith(`${base}/`) ? answerAt(path.slice(base.length), request, origin) : undefined
  }

  return {
    /** Where paying sends customers. */
    addresses: {
      waitingPage,
      threeDSecureAddress: (account: Account, clientOrderId: string) => deskOf(account).secure.addressOf(clientOrderId),
    },
    express: (): NodeHandler =>
      nodeHandler<NodeRequest, unknown>('tillHandler', async request => {
        const [path = '/'] = (request.url ?? '/').split('?', 1)
        return (await answerAt(withoutEndSlash(path), request)) ?? 'next'
      }),
    /** @returns undefined where the till has no such page. */
    answer: (request: NodeRequest) => answer(request),
    async fetch(request: Request, { onError = warnOfPage, ...origin }: FetchOptions = {}) {
      const given = await answer(request, origin)
      return given === undefined ? undefined : webResponse(given, onError)
    },
  }
}
