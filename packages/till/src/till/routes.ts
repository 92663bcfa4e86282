import {
  type Answer,
  type AnyRequest,
  CallbackError,
  causeText,
  failureAnswer,
  type NodeHandler,
  type NodeRequest,
  nodeHandler,
  pathOf,
  queryOf,
  type RequestOrigin,
  type StateSecrets,
  signState,
  webResponse,
  withoutEndSlash,
} from '@tillkit/express-middleware/core'
import type { createCallbacks, FindAccount } from '../http/callbacks.js'
import { createCustomerReturn } from '../http/customer-return.js'
import { createThreeDSecure } from '../http/three-d-secure/three-d-secure.js'
import type { ThreeDSecureContext } from '../http/three-d-secure/visit.js'
import { checkVisits } from '../http/visitors.js'
import type { TillPages } from '../pages/options.js'
import type { Account, AccountsThen } from '../payment/accounts.js'
import type { Deliveries } from '../payment/deliveries.js'
import type { PayContext } from '../payment/pay/pay-context.js'
import { basePath, below, onSite } from './addresses.js'
import { addressLifetime } from './forms.js'
import { asksWhoIsHere, hereAnswer } from './here-page.js'
import { createPaymentPage, type PageContext } from './payment-page.js'
import type { FetchOptions } from './till.js'

/** Everything that the routes need of the till. */
export interface RouteContext extends PageContext {
  /** Secrets of return addresses, of accounts that are to be. */
  readonly secretsOf: (then: AccountsThen) => StateSecrets
  readonly deliveries: Pick<Deliveries, 'visit' | 'drive'>
  readonly accountOf: FindAccount
  readonly callbacks: ReturnType<typeof createCallbacks>
  readonly pages: TillPages
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

type Route = (request: AnyRequest, rest: string, origin: RequestOrigin) => Promise<Answer | undefined>

/** Makes what answers requests below the till's address. */
export function createRoutes(context: RouteContext) {
  const { accounts, accountOf, callbacks, deliveries, payments, address, secrets, clock, pages, wait, warn } = context
  const base = basePath(address)
  const pagePath = async (clientOrderId: string, lifetime = addressLifetime): Promise<string> => {
    const subject = { clientOrderId, purpose: 'payment-page', lifetime, now: clock() } as const
    return `${base}/payment/${await signState({ ...subject, secrets: secrets() })}`
  }

  const waitingPage: PayContext['waitingPage'] = async (clientOrderId, { goesOn, later }) => {
    const way = goesOn ? '?go=1' : later ? '?later=1' : ''
    return onSite(address, `${await pagePath(clientOrderId)}${way}`)
  }

  accounts.derive(then => checkVisits(then, context.secretsOf(then)))
  const visiting: ThreeDSecureContext = {
    visit: deliveries.visit,
    drive: deliveries.drive,
    accountOf: async clientOrderId => (await accountOf(clientOrderId)) ?? accounts.all[0],
    keyOf: payments.keyOf,
    address: below(address, '3ds'),
    secrets,
    clock,
    wait,
    warn,
    // An address that is no longer fresh shows nothing of the payment: it leads to a page that is not fresh either.
    pagePath: async ({ clientOrderId, isExpired }) =>
      `${await pagePath(clientOrderId, isExpired ? 0 : undefined)}?back=1`,
  }
  const receiveCustomer = createCustomerReturn(visiting)
  const answerThreeDSecure = createThreeDSecure(visiting, pages)

  const paymentPage = createPaymentPage(context)
  // `onRejected` has already heard of a `CallbackError`.
  const warnOfPage = (cause: unknown) => {
    if (!(cause instanceof CallbackError)) warn('WARN_PAGE_FAILED', { explanation: causeText(cause), cause })
  }

  const routes: Readonly<Record<string, Route>> = {
    callback: (request, rest) => (rest === '' ? callbacks.answer(request) : Promise.resolve(undefined)),
    return: async (request, state) => {
      if (state === '' || state.includes('/')) return undefined
      return receiveCustomer(request, state)
    },
    '3ds': (request, rest, origin) => answerThreeDSecure(request, `/${rest}`, origin),
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
    /** Paying sends customers there. */
    addresses: {
      waitingPage,
      threeDSecureAddress: async (account: Account, clientOrderId: string) =>
        String(context.comesBackTo(account, { operation: 'sale', clientOrderId })),
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
