/** docs/other-frameworks.md, run: a customer pays on the hosted form, and comes back, in a shop of each framework. */
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { payOnHostedPage } from './hosted-page.js'
import { freePort, type Started } from './listening.js'
import { rows } from './soak.js'
import { frameworks, type StartFramework } from './start-framework.js'

let gateway: FakeGateway
let printed: MockInstance
let warned: MockInstance
beforeEach(async () => {
  gateway = createFakeGateway()
  await gateway.listen()
  printed = vi.spyOn(console, 'log').mockReturnValue()
  warned = vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(async () => {
  await gateway.close()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Starts the shop of a framework on a port that it knows of beforehand. */
async function open(start: StartFramework): Promise<Started> {
  const port = await freePort()
  const { baseUrl, login, controlKey } = gateway.clientOptions
  vi.stubEnv('TILLKIT_BASE_URL', String(baseUrl))
  vi.stubEnv('TILLKIT_LOGIN', login)
  vi.stubEnv('TILLKIT_CONTROL_KEY', controlKey)
  vi.stubEnv('SHOP_URL', `http://127.0.0.1:${port}`)
  vi.stubEnv('STATE_SECRET', 'a secret of tests, 32 bytes long')
  return start({ port })
}

const see = ({ status, headers }: Response) => ({
  status,
  location: headers.get('location'),
  cache: headers.get('cache-control'),
  referrer: headers.get('referrer-policy'),
})
const page = (location: string) => ({ status: 303, location, cache: 'no-store', referrer: 'no-referrer' })
const press = (shop: Started, order: string) =>
  fetch(`${shop.origin}/orders/${order}/pay`, { method: 'POST', redirect: 'manual' })
const shipped = () => printed.mock.calls

/** One framework daily, all of them in soak. */
const some = rows({ daily: frameworks.slice(0, 1), soak: frameworks })

describe.each(some)('a shop under %s', (_framework, start) => {
  it('sends the customer to the hosted form, ships once though it is called back twice, and sends the customer on', async () => {
    await using shop = await open(start)
    const payment = await press(shop, 'order-1')
    const form = payment.headers.get('location') ?? ''
    expect(see(payment)).toEqual(page(form))
    expect(new URL(form).host).toBe(new URL(gateway.clientOptions.baseUrl).host)

    const { action, fields } = await payOnHostedPage(form, '123')
    await gateway.callbacks.idle()
    expect(gateway.callbacks.list().map(({ httpStatus }) => httpStatus)).toEqual([200])
    expect(shipped()).toEqual([['ship it:', 'order-1']])
    await gateway.callbacks.resend(gateway.orders.list()[0]?.orderId ?? '')
    await gateway.callbacks.idle()

    const back = await fetch(action, { method: 'POST', body: fields, redirect: 'manual' })
    expect(see(back)).toEqual(page('/orders/order-1?view=paid'))
    expect(warned).not.toHaveBeenCalled()
    // Reloaded, with what some link has appended.
    expect(see(await fetch(`${action}?from=a/link`, { redirect: 'manual' }))).toEqual(page('/orders/order-1?view=paid'))
    expect(shipped()).toHaveLength(1)
  })
})

describe.each(some)('a customer of a shop under %s', (_framework, start) => {
  it('believes no browser that says it has paid, and says what was wrong with it', async () => {
    await using shop = await open(start)
    const payment = await press(shop, 'order-1')
    const { action, fields } = await payOnHostedPage(payment.headers.get('location') ?? '', '101')
    fields.set('status', 'approved')
    const back = await fetch(action, { method: 'POST', body: fields, redirect: 'manual' })
    expect(see(back)).toEqual(page('/orders/order-1?view=declined'))
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ reason: 'control-mismatch' }))
    expect(shipped()).toEqual([])
  })

  it.each(['GET', 'POST'])('refuses a state that was edited, without a word: %s', async method => {
    await using shop = await open(start)
    const payment = await press(shop, 'order-1')
    const { action } = await payOnHostedPage(payment.headers.get('location') ?? '', '123')
    await gateway.callbacks.idle()
    const asked = gateway.calls('status').length
    const edited = action.replace(/.(?=.{20}$)/, letter => (letter === 'A' ? 'B' : 'A'))
    const refused = await fetch(edited, { method, redirect: 'manual' })
    expect(await refused.text()).toBe('')
    expect(see(refused)).toEqual({ status: 403, location: null, cache: 'no-store', referrer: 'no-referrer' })
    expect(gateway.calls('status')).toHaveLength(asked)
  })

  it('gives the first form again where the customer clicks twice', async () => {
    await using shop = await open(start)
    const [first, second] = [see(await press(shop, 'order-1')), see(await press(shop, 'order-1'))]
    expect(second).toEqual(first)
    expect(gateway.calls('saleForm')).toHaveLength(1)
  })

  it('answers 502 where the gateway gives no form', async () => {
    await using shop = await open(start)
    gateway.handle({ saleForm: () => ({ hangUp: true }) })
    const failed = await press(shop, 'order-1')
    expect([failed.status, await failed.text()]).toEqual([502, ''])
  })
})
