/** A shop on a till, over real HTTP, beside a fake gateway in this process whose books count. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { onTestFinished } from 'vitest'
import {
  createTill,
  type PayRequest,
  type Till,
  type TillContext,
  type TillOptions,
  type TillOutcome,
} from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { expectAllSaid } from './timelines.js'

/** An outcome that the merchant was told, as one line. */
export const lineOf = ({ kind, payment, stage }: TillOutcome): string =>
  `${payment.reference} ${kind} ${stage.amount ?? ''}`.trim()

export interface ShopOptions<Transaction> extends Partial<Omit<TillOptions<Transaction>, 'account' | 'onOutcome'>> {
  readonly gateway?: ReturnType<typeof createFakeGateway>
  /** Whether the gateway is reached through a socket: by a browser, or by another process. Default: false. */
  readonly listens?: boolean
  /** Stands before the shop. It may answer. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => void
  readonly onOutcome?: (outcome: TillOutcome, context: TillContext<Transaction>) => void | Promise<void>
}

export type Shop = Awaited<ReturnType<typeof openShop>>

/** Starts a gateway, a shop on a port of its own, and a till in it. All are closed when the test has finished. */
export async function openShop<Transaction = never>({
  gateway = createFakeGateway(),
  store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never> as Store<Transaction>,
  onOutcome,
  listens = false,
  before = () => {},
  ...options
}: ShopOptions<Transaction> = {}) {
  if (listens && gateway.clientOptions.dispatcher !== undefined) await gateway.listen()
  const told: string[] = []
  let till: Till | undefined
  const asked: { customer: PayRequest } = { customer: basket }
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    before(request, response)
    if (response.writableEnded) return
    const end = (text: string, status = 200) => response.writeHead(status, { 'content-type': 'text/html' }).end(text)
    const url = request.url ?? '/'
    if (url.startsWith('/payments/')) {
      request.url = url.slice('/payments'.length)
      Reflect.set(request, 'originalUrl', url)
      void handler?.(request, response, error =>
        end(`no such page ${String(error ?? '')}`, error === undefined ? 404 : 500),
      )
      return
    }
    const pay = /^\/orders\/([^/]+)\/pay$/.exec(url)
    if (pay !== null && request.method === 'POST') {
      till?.pay({ ...asked.customer, reference: String(pay[1]) }).then(
        ({ address }) => response.writeHead(303, { location: address }).end(),
        error => end(String(error), 500),
      )
      return
    }
    end(orderPage(url.slice('/orders/'.length)))
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  till = createTill<Transaction>({
    store,
    address: `${origin}/payments`,
    returnTo: ({ reference }) => `/orders/${reference}`,
    payAgain: ({ reference }) => `/orders/${reference}/pay`,
    clock: gateway.clientOptions.clock,
    wait: quickWait,
    ...options,
    ...(options.accounts === undefined ? { account: { wait: quickWait, ...readyAccount(gateway) } } : {}),
    onOutcome: async (outcome, context) => {
      await onOutcome?.(outcome, context)
      told.push(lineOf(outcome))
    },
  })
  let handler = till.express()
  let isClosed = false
  const shop = {
    till,
    gateway,
    origin,
    told,
    asked,
    /** The orders that the gateway has, with what it took for each. */
    books: () =>
      gateway.orders
        .list()
        .map(
          ({ clientOrderId, stages }) =>
            `${clientOrderId} ${stages.map(({ stage, status }) => `${stage} ${status}`).join(', ')}`,
        ),
    customerPays: (address: string, cvv2 = '123') => payAsCustomer(new URL(address, origin), { gateway, cvv2 }),
    /** Another till answers from now on, as after a deployment. */
    serve(next: Till) {
      handler = next.express()
    },
    /** Closes it, and reads every timeline that is in its store. */
    async close() {
      if (isClosed) return
      isClosed = true
      await till.close()
      server.closeAllConnections()
      server.close()
      await expectAllSaid(store)
    },
  }
  onTestFinished(async () => {
    await shop.close()
    await gateway.close()
  })
  return shop
}

/** The merchant's page of an order: one button, which pays. */
const orderPage = (reference: string): string => `<!doctype html><html lang="en"><title>Order</title>
<h1>Order ${reference}</h1>
<form method="post" action="/orders/${reference}/pay"><button>Pay</button></form>`

/** The payment that a customer makes. */
export const basket: PayRequest = {
  reference: 'basket-7',
  amount: '10.00',
  currency: 'EUR',
  email: 'joan@customer.example',
}

/** A card that the gateway approves. */
export const card = {
  creditCardNumber: '4444444444444448',
  cardPrintedName: 'JOAN BAKER',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '123',
}

/** The basket, paid with that card. */
export const byCard = { ...basket, ...card }
