/** Requests of outsiders, and what they may change nothing of. */
import { request as httpRequest } from 'node:http'
import type { signedCallback } from '@tillkit/testing'
import { expect } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { openShop, type Shop } from './shop.js'

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a path byte for byte: `fetch` would tidy it up. */
export function send(shop: Pick<Shop, 'origin'>, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const { hostname, port } = new URL(shop.origin)
  return new Promise<{ readonly status: number; readonly location: string | undefined; readonly text: string }>(
    (resolve, reject) => {
      const sent = httpRequest({ hostname, port, path, method, headers }, response => {
        let text = ''
        response.on('data', chunk => {
          text += String(chunk)
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, location: response.headers.location, text }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    },
  )
}

/** A shop with a store that the test looks into. */
export async function openedShop() {
  const { gateway } = await openShop()
  const store = memoryStore({ clock: gateway.clientOptions.clock })
  const shop = await openShop({ store: store as Store<never> })
  return { ...shop, store }
}

/** The payments that a store has, byte for byte. */
export async function paymentsOf(store: Store): Promise<readonly string[]> {
  const { items } = await store.list({ limit: 100 })
  return items
    .filter(({ key }) => key.startsWith('payment/'))
    .map(({ key, version, body }) => `${key} ${version} ${body}`)
}

/** Everything that an attack must leave as it is. */
export const everything = async (shop: Awaited<ReturnType<typeof openedShop>>) => ({
  payments: await paymentsOf(shop.store),
  told: [...shop.told],
  books: shop.books(),
  calls: shop.gateway.calls().filter(({ operation }) => operation !== 'status').length,
})

/** The order of the basket, as the gateway has it. */
export function orderOf(shop: Shop, clientOrderId = 'basket-7') {
  const { orderId = '' } = shop.gateway.orders.find(clientOrderId) ?? {}
  return { clientOrderId, orderId }
}

export const callbackPath = (callback: ReturnType<typeof signedCallback>): string => {
  const { pathname, search } = callback.url('https://shop.example/payments/callback')
  return `${pathname}${search}`
}

/** The path of the page that waits: where a customer is led who comes back from the form of the basket without having paid. */
export async function waitingPath(shop: Shop): Promise<string> {
  const { location = '' } = await send(shop, `/payments/return/${returnTokenOf(shop)}`)
  expect(location).toMatch(/^\/payments\/payment\//)
  return location.replace(/\?.*$/, '')
}

export const tokenOf = (path: string): string => path.split('/').at(-1) ?? ''

/** The token of the address that the gateway sends the customer back to. */
export const returnTokenOf = (shop: Shop): string => tokenOf(shop.gateway.orders.find('basket-7')?.redirectUrl ?? '')
