/** A shop whose attempts have unknown outcomes, and what asks what became of them. */

import { defineProfile, type RememberedAttempt } from '@tillkit/protocol'
import { createFakeClock, createFakeGateway, type FakeGateway, type FakeGatewayOptions } from '@tillkit/testing'
import { afterEach, expect } from 'vitest'
import {
  type AnyGatewayError,
  type Client,
  type ClientOptions,
  createClient,
  type OutcomeUnknownError,
  type ResolvePosition,
} from '../src/index.js'
import { saleRequest } from './sample-requests.js'
import { testKey } from './test-key.js'
import { type WatchedStore, watchedStore } from './watched-store.js'

export const minute = 60_000
export const sale = { ...saleRequest, cvv2: '123' }
export const never = defineProfile({ orderNeverSeen: '4711' })
export const part = { amount: '3.00', currency: 'EUR' }
const opened: { close(): Promise<void> }[] = []

/** Closes after each test what it has opened. */
export function closeShops(): void {
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close()
  })
}

export interface Shop {
  readonly gateway: FakeGateway
  readonly store: WatchedStore
  readonly client: Client
  /** Changes what the store has. */
  rewrite(change: (body: string) => string): Promise<void>
  /** Another client of the same shop. */
  another(options: Partial<ClientOptions>): Client
}

export async function openShop(options: FakeGatewayOptions = {}, own: Partial<ClientOptions> = {}): Promise<Shop> {
  const clock = createFakeClock({ base: () => Date.UTC(2026, 0, 5) })
  const gateway = createFakeGateway({ profile: never, ...options, clock })
  await gateway.listen()
  const store = watchedStore({ clock: () => clock.now() })
  const another = (others: Partial<ClientOptions>) => {
    const made = createClient({ ...gateway.clientOptions, privateKey: testKey, store, retries: 0, ...own, ...others })
    opened.push(made)
    return made
  }
  opened.push(gateway)
  const rewrite = async (change: (body: string) => string) => {
    const { items } = await store.list({ limit: 100 })
    for (const { key, version, writeId: after, body } of items) {
      const changed = change(body)
      if (changed !== body)
        await store.write(key, { body: changed, due: null, list: null }, { after, id: `rewrite-${version}` })
    }
  }
  return { gateway, store, rewrite, client: another({}), another }
}

/** The attempt of a call whose outcome is unknown. */
export async function unknown(call: Promise<unknown>): Promise<RememberedAttempt> {
  const error = await call.then(
    () => undefined,
    (thrown: AnyGatewayError) => thrown,
  )
  expect(error).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
  // What is stored comes back from JSON.
  return JSON.parse(JSON.stringify((error as OutcomeUnknownError).attempt)) as RememberedAttempt
}

export async function preauthorized(shop: Shop) {
  const { orderId } = await shop.client.preauth(sale)
  return { clientOrderId: 'o-1', orderId }
}

export async function sold(shop: Shop) {
  const { orderId } = await shop.client.sale(sale)
  return { clientOrderId: 'o-1', orderId }
}

export function positionOf(resolution: object): { readonly position: ResolvePosition } {
  expect(resolution).toHaveProperty('position')
  return JSON.parse(JSON.stringify({ position: (resolution as { readonly position: ResolvePosition }).position }))
}

export async function lagWith(
  { gateway }: Shop,
  ids: { readonly clientOrderId: string; readonly orderId: string },
  reply: Readonly<Record<string, string>> & { readonly status: string },
): Promise<void> {
  gateway.handle({ status: () => ({ ...reply, ...ids }) })
}
