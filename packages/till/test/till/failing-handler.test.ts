/** A handler that throws is the merchant's trouble, and never the customer's: the merchant hears of it once, and the customer goes on. */
import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { passes, quiet } from './acts.js'
import { basket, openShop } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const failed =
  /^Your handler failed for payment "basket-7": Error: my mail server is away\. It is told again; a till lists it under "failing" of till\.report\(\)\./

/** A shop whose handler fails until it is mended. */
async function brokenShop(options: { readonly hasCallbacks: boolean }) {
  const warned = watchWarnings()
  const gateway = createFakeGateway()
  if (!options.hasCallbacks) gateway.faults.arm('callback-never')
  const desk = { isBroken: true }
  const shop = await openShop({
    gateway,
    onOutcome: () => {
      if (desk.isBroken) throw new Error('my mail server is away')
    },
  })
  return { shop, desk, warned }
}

it.each([
  ['who brings the outcome', false],
  ['whom a callback was faster than', true],
])('a customer %s is led to the page of the order, and the merchant is warned once', async (_, hasCallbacks) => {
  const { shop, desk, warned } = await brokenShop({ hasCallbacks })
  const { address } = await shop.till.pay(basket)
  const page = await shop.customerPays(address)
  expect([page.status, String(page.url)]).toEqual([200, `${shop.origin}/orders/basket-7`])
  await shop.gateway.callbacks.idle()
  expect(warned('WARN_HANDLER_FAILED')).toEqual([expect.stringMatching(failed)])
  const { failing } = await shop.till.report()
  expect(failing.items).toMatchObject([{ reference: 'basket-7', error: 'Error: my mail server is away' }])
  expect(shop.told).toEqual([])
  desk.isBroken = false
  await passes(shop, quiet)
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
})

it('a callback is answered with 503, and what the handler threw goes to no error page as well', async () => {
  const { shop } = await brokenShop({ hasCallbacks: true })
  const { address } = await shop.till.pay(basket)
  await shop.customerPays(address)
  await shop.gateway.callbacks.idle()
  // The shop's error page answers with 500.
  expect(shop.gateway.callbacks.list().map(({ httpStatus }) => httpStatus)).toContain(503)
  expect(shop.gateway.callbacks.list().map(({ httpStatus }) => httpStatus)).not.toContain(500)
})

it.each([
  [
    'an address',
    () => 'https://shop.example/orders/7',
    /till\.pay .* It returned "https:\/\/shop\.example\/orders\/7" for payment "basket-7", which is new\. Nothing was sent\.$/,
  ],
  ['nothing', () => undefined as unknown as string, /It returned undefined for payment "basket-7"/],
  ['a promise', (async () => '/orders/7') as unknown as () => string, /It returned a promise for/],
  [
    'an error',
    () => {
      throw new Error('no such order')
    },
    /It failed for payment "basket-7", which is new\. Nothing was sent\. It threw: Error: no such order/,
  ],
])('"returnTo" and "payAgain" that give %s are refused before a form is asked for', async (_, pathOf, message) => {
  for (const option of ['returnTo', 'payAgain']) {
    const shop = await openShop({ [option]: pathOf })
    const paying = shop.till.pay(basket)
    await expect(paying).rejects.toThrow(TypeError)
    await expect(paying).rejects.toThrow(message)
    expect([shop.books(), (await shop.till.payment('basket-7')).state]).toEqual([[], 'new'])
  }
})

it('a customer who has paid is led to the first page of the site where "returnTo" fails only then', async () => {
  const warned = watchWarnings()
  const shop = await openShop({
    returnTo: ({ state }) => {
      if (state === 'paid') throw new Error('no page for that')
      return '/orders/7'
    },
  })
  const page = await shop.customerPays((await shop.till.pay(basket)).address)
  expect([page.status, String(page.url)]).toEqual([200, `${shop.origin}/`])
  expect(warned('WARN_PATH_REFUSED')).toEqual([expect.stringMatching(/\(returnTo\): .*Error: no page for that/)])
})
