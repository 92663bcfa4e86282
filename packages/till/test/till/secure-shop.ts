/** A shop that takes cards itself: status shows whichever step of 3DS a test wants, and uploads are counted in the gateway's books. */
import type { StatusResponse } from '@tillkit/protocol'
import { createFakeClock, createFakeGateway, type HandlerReply } from '@tillkit/testing'
import { onTestFinished } from 'vitest'
import { createTill, type Till, type TillOptions } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { byCard, lineOf, openShop, type ShopOptions } from './shop.js'

export const method = {
  tdsStatus: 'MethodUrlFrame',
  tdsMethodUrl: 'https://acs.example/method',
  tdsServerTransId: 'trans-1',
}
export const challenge = {
  tdsStatus: 'CReqForm',
  tdsChallengeUrl: 'https://acs.example/challenge?a=1&b="2"',
  tdsCreq: 'eyJhIjoxfQ',
  tdsServerTransId: 'trans-1',
}
export const pares = {
  tdsStatus: 'PaReqForm',
  tdsParesUrl: 'https://acs.example/pareq',
  tdsPareq: 'eJw+Pa=',
  tdsMd: 'md-1',
}

/** The gateway's reply, as a test chooses it. */
type Says = HandlerReply<StatusResponse>

/** The address that the customer's connection comes from. */
const remoteAddress = '203.0.113.7'

/** A gateway whose sales stay under way, and whose clock stands still unless a test moves it. */
export const slowGateway = () =>
  createFakeGateway({ processingTime: 3_600_000, clock: createFakeClock({ base: () => Date.UTC(2026, 0, 5) }) })

/** Opens the shop, where a sale is under way. */
export async function openSecureShop({
  gateway = slowGateway(),
  store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>,
  ...options
}: ShopOptions<never> = {}) {
  const shop = await openShop({ ...options, gateway, store })
  const { till } = shop
  const { address } = await till.pay(byCard)
  let says: Says = {}
  const orderId = gateway.orders.find('basket-7')?.orderId ?? ''
  const order = { clientOrderId: 'basket-7', orderId, transactionType: 'sale', amount: '10.00', currency: 'EUR' }
  const taken = () => ({ type: 'async-response', serialNumber: '0-2db', clientOrderId: 'basket-7', orderId }) as const
  gateway.handle({
    status: () => ({ type: 'status-response', status: 'processing', ...order, ...says }),
    uploadMethodUrlResult: taken,
    uploadCresResult: taken,
    uploadParesResult: taken,
  })
  const go = async (page: string, init: RequestInit, at: Till) => {
    const answer = await at.fetch(new Request(`${address}${page}`, init), { remoteAddress, onError: () => undefined })
    return answer === undefined
      ? { status: 404, headers: new Headers(), text: '' }
      : { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  return {
    ...shop,
    store,
    address,
    orderId,
    /** The gateway's answer to an upload that it takes. */
    taken,
    /** Status says this from now on. */
    statusSays(reply: Says) {
      says = reply
    },
    later: (milliseconds: number) => gateway.clock.advance(milliseconds),
    get: (page = '', at: Till = till) => go(page, {}, at),
    post: (page: string, fields: Readonly<Record<string, string>> = {}, at: Till = till) =>
      go(page, { method: 'POST', body: new URLSearchParams(fields) }, at),
    /** The results of 3DS that the gateway was sent, in their order. */
    uploads: () =>
      gateway
        .calls()
        .filter(({ operation }) => operation?.startsWith('upload') === true)
        .map(({ operation, fields }) => ({ operation, ...Object.fromEntries(fields) })),
    /** Another process of the same merchant, on the same store unless it is given another one. @param dies Nobody closes it. */
    another(own: Partial<TillOptions<never>> = {}, dies = false): Till {
      const next = createTill<never>({
        store,
        account: { wait: quickWait, ...readyAccount(gateway) },
        address: `${shop.origin}/payments`,
        returnTo: ({ reference }) => `/orders/${reference}`,
        onOutcome: outcome => void shop.told.push(lineOf(outcome)),
        clock: gateway.clientOptions.clock,
        wait: quickWait,
        ...own,
      })
      if (!dies) onTestFinished(() => next.close())
      return next
    },
  }
}

/** An open shop of that kind. */
export type SecureShop = Awaited<ReturnType<typeof openSecureShop>>

type Answered = Awaited<ReturnType<SecureShop['get']>>

/** The place that an answer leads to: the till's page of the payment, or the address of 3DS. */
export const leadsTo = ({ status, headers }: Pick<Answered, 'status' | 'headers'>): string => {
  const location = headers.get('location') ?? ''
  const page = /^\/payments\/payment\/[^/?]+\?back=1$/.test(location) ? 'the page of the payment' : location
  return `${status} ${page}`
}

/** The title of a page. */
export const title = ({ text }: Pick<Answered, 'text'>): string | undefined => /<title>([^<]*)</.exec(text)?.[1]

/** The notice of a bank that its 3DS method is done. */
export const noticeOf = (id: string) => ({
  threeDSMethodData: Buffer.from(JSON.stringify({ threeDSServerTransID: id })).toString('base64url'),
})

/** How far the customers of the shop are with 3DS: the facts that its store has, without their order. */
export async function progressIn({ store }: Pick<SecureShop, 'store'>): Promise<readonly object[]> {
  const { items } = await store.list({ limit: 100 })
  const kept = items.filter(({ key }) => key.startsWith('payment/')).map(({ body }) => JSON.parse(body))
  const facts = kept.flatMap(({ facts }: { readonly facts: readonly { readonly kind: string }[] }) => facts)
  return facts.filter(({ kind }) => kind === 'three-d-secure').map(fact => ({ ...fact, order: undefined }))
}
