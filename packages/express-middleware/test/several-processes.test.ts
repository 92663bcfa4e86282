/** A shop of two processes on one store: each request of a customer goes to the other one. */
import { createClient } from '@tillkit/client'
import type { Store } from '@tillkit/protocol'
import { payAsCustomer, testCard } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { type CardShop, openCardShop } from './card-shop.js'
import { rows } from './soak.js'

const hour = 3_600_000
const press = (address: string, fields: Record<string, string> = {}) =>
  fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
const payByCard = (shop: CardShop) => press(`${shop.origin}/pay`, { card: testCard, cvv: '321' })

type Addresses = 'signed' | 'short'

/** Two processes: how their clocks differ, how far each is before that of the store, and which addresses they make. */
const equal = ['of equal clocks', [0, 0]] as const
const ahead = ['of which one is an hour ahead', [0, hour]] as const
const behind = ['of which one is an hour behind', [0, -hour]] as const
const pairs = [equal, ahead, behind].flatMap(pair =>
  (['signed', 'short'] as const).map(addresses => [...pair, addresses] as const),
)

describe('two processes', () => {
  it.each(
    rows<readonly [string, readonly number[], Addresses]>({
      daily: [
        [...ahead, 'signed'],
        [...behind, 'short'],
      ],
      soak: pairs,
    }),
  )('%s lead a customer through 3DS and tell once: %j, %s addresses', async (_case, processes, addresses) => {
    const shortAddresses = addresses === 'short'
    await using shop = await openCardShop({ processes, shortAddresses })
    const page = await payAsCustomer(await payByCard(shop), { gateway: shop.gateway })
    await shop.gateway.callbacks.idle()
    expect(page.url.href).toBe(`${shop.origin}/orders/order-1?view=paid`)
    expect([shop.told, shop.problems, shop.rejections]).toEqual([['paid'], [], []])
    const [method, ...more] = shop.gateway.calls('uploadMethodUrlResult')
    expect([Object.fromEntries(method?.fields ?? []).threeDSCompInd, more]).toEqual(['Y', []])
    expect(shop.gateway.calls('uploadCresResult')).toHaveLength(1)
    expect(shop.gateway.calls('sale')).toHaveLength(1)
  })

  it.each(
    rows<readonly [string, readonly number[], Addresses]>({
      daily: [
        [...ahead, 'short'],
        [...behind, 'signed'],
      ],
      soak: pairs,
    }),
  )('%s take a customer to a hosted form and back: %j, %s addresses', async (_case, processes, addresses) => {
    const shortAddresses = addresses === 'short'
    const address = shortAddresses ? /\/return\/[\w-]{22}$/ : /\/return\/[^/]{100,}$/
    await using shop = await openCardShop({ processes, shortAddresses })
    const [first, second] = [await press(`${shop.origin}/hosted`), await press(`${shop.origin}/hosted`)]
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    const page = await payAsCustomer(second, { gateway: shop.gateway })
    await shop.gateway.callbacks.idle()
    expect(page.url.href).toBe(`${shop.origin}/orders/order-1?view=paid`)
    expect([shop.told, shop.rejections]).toEqual([['paid'], []])
    const [form, ...more] = shop.gateway.calls('saleForm')
    expect(more).toEqual([])
    // And once more, in whichever process.
    const back = Object.fromEntries(form?.fields ?? []).redirect_url ?? ''
    expect(back).toMatch(address)
    for (const _process of processes) {
      const again = await fetch(back, { redirect: 'manual' })
      expect(again.headers.get('location')).toBe('/orders/order-1?view=paid')
    }
    expect(shop.told).toEqual(['paid'])
  })
})

/** A store under which a process dies at its nth write from a moment on: from then on nothing of it happens any more. */
function deadly(write: number) {
  const seen = {
    isArmed: false,
    writes: 0,
    dead: undefined as number | undefined,
    onDeath: (_process: number): void => undefined,
  }
  const storeOf = (store: Store, process: number): Store => ({
    ...store,
    read: key => (seen.dead === process ? new Promise(() => undefined) : store.read(key)),
    write: (key, entry, options) => {
      if (seen.isArmed && seen.dead === undefined) {
        seen.writes += 1
        if (seen.writes === write) {
          seen.dead = process
          seen.onDeath(process)
        }
      }
      return seen.dead === process ? new Promise(() => undefined) : store.write(key, entry, options)
    },
  })
  return { seen, storeOf }
}

describe('a process that dies with the result of a challenge', () => {
  it.each([
    ['that it was answered', 1],
    ['that the step is done', 2],
  ])(
    'before it has written %s leaves the rest to another one, which uploads it no second time',
    async (_when, write) => {
      const { seen, storeOf } = deadly(write)
      await using shop = await openCardShop({ processes: [0, 0], storeOf })
      const { gateway } = shop
      const sent = await payByCard(shop)
      const address = sent.headers.get('location') ?? ''
      const asker = createClient(gateway.clientOptions)
      await using _asker = { [Symbol.asyncDispose]: () => asker.close() }
      // Status lags behind: it goes on asking for the challenge.
      let said: object | undefined
      let brought = ''
      gateway.handle({
        status: () => said,
        uploadCresResult: async ({ clientOrderId = '', orderId = '', cres = '' }) => {
          const { raw: _raw, ...before } = await asker.status({ clientOrderId, orderId })
          said = before
          brought = cres
          seen.isArmed = true
          return undefined
        },
      })
      seen.onDeath = shop.end
      await expect(payAsCustomer(sent, { gateway })).rejects.toThrow()
      expect(said).toMatchObject({ tdsStatus: expect.any(String), tdsCreq: expect.any(String) })
      // The browser posts again what it got no answer to.
      await press(address, { cres: brought })
      expect(await (await fetch(address)).text()).toContain('Checking your payment')
      gateway.handle({ status: () => undefined })
      expect((await payAsCustomer(address, { gateway })).url.search).toBe('?view=paid')
      await gateway.callbacks.idle()
      expect(gateway.calls('uploadCresResult')).toHaveLength(1)
      expect([shop.told, shop.problems]).toEqual([['paid'], []])
    },
  )
})
