import { encodeForm } from '@tillkit/signing'
import { createFakeClock, type FakeGateway } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MerchantSite, startMerchantSite } from '../../testing/test/merchant-site.js'
import { call, pay } from '../../testing/test/signed-request.js'
import { createGateway } from '../src/index.js'

const start = Date.UTC(2027, 0, 15, 8)
const second = 1_000

const createStoryGateway = () =>
  createGateway({
    clock: createFakeClock({ base: () => start }),
    processingTime: 3 * second,
    orderPage: 'https://shop.test/admin/{clientOrderId}?gateway={orderId}',
  })

let gateway: FakeGateway
let shop: MerchantSite
let origin: string
beforeEach(async () => {
  shop = await startMerchantSite()
  gateway = createStoryGateway()
  origin = (await gateway.listen()).origin
})
afterEach(() => Promise.all([gateway.close(), shop.close()]))

const page = async (orderId: string): Promise<string> =>
  (await request(`${origin}/__gateway/orders/${orderId}`)).body.text()

/** What a reader sees of a piece of HTML. */
const textOf = (html: string): string =>
  html
    .replace(/<details[\s\S]*?<\/details>/g, '')
    .replace(/<span class="sign"[\s\S]*?<\/span>/g, '')
    .replace(/<\/?(?:p|dt|dd|div|li)\b[^>]*>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .replace(shop.origin, 'SHOP')
    .trim()

/** The lines of the story. */
const storyOf = async (orderId: string): Promise<readonly string[]> =>
  [
    ...(await page(orderId)).matchAll(/<li class="(?:request|page|action|ended|fault|callback|clock)">[\s\S]*?<\/li>/g),
  ].map(([line]) => textOf(line))

const sectionOf = async (orderId: string, id: string): Promise<string> =>
  textOf(
    new RegExp(`<section aria-labelledby="${id}-heading">([\\s\\S]*?)</section>`).exec(await page(orderId))?.[1] ?? '',
  )

it('tells in one list what the shop asked, what was answered, what the shop was told, and what was done to the order', async () => {
  const { reply } = await pay(gateway, 'sale', {
    clientOrderId: 'o-1',
    amount: '86.00',
    notifyUrl: `${shop.origin}/callback`,
  })
  const orderId = reply['paynet-order-id'] ?? ''
  const ids = { clientOrderId: 'o-1', orderId }
  for (let asked = 0; asked < 3; asked += 1) await call(gateway, 'status', ids)
  await gateway.clock.advance(5 * second)
  await gateway.callbacks.idle()
  gateway.faults.arm('status-lags')
  await call(gateway, 'status', ids)
  gateway.faults.arm('commit-then-drop')
  await call(gateway, 'return', { ...ids, amount: '20.00', currency: 'EUR', comment: 'Broken lid' }).catch(
    () => undefined,
  )
  gateway.faults.arm('callback-never')
  await gateway.clock.advance(86_400 * second)
  gateway.act({ action: 'charge-back', orderId, amount: '6.00' })
  await gateway.callbacks.idle()

  expect(await storyOf(orderId)).toEqual([
    '0 1 sale of 86.00 EUR in 0 ms ✓ HTTP 200',
    '0 4 status, 3 times, always the same answer in 0 ms ✓ HTTP 200 processing',
    '0 The clock was moved forward by 5 s.',
    '+ 3 s sale ✓ approved 86.00 EUR',
    '+ 3 s Callback sale approved to SHOP/callback ✓ HTTP 200',
    '+ 5 s 5 status in 0 ms ✓ HTTP 200 processing ⚡ status-lags Status shows the order as it was before its latest stage, or its only stage as processing.',
    '+ 5 s 6 return of 20.00 EUR in 0 ms ✗ hung up ⚡ commit-then-drop Carries the operation out, then breaks the connection without an answer.',
    '+ 5 s The clock was moved forward by 1 d.',
    '+ 8 s reversal ✓ approved 20.00 EUR Broken lid',
    '+ 8 s ⚡ callback-never The callback is never sent.',
    '+ 1 d 5 s Charged back by hand.',
    '+ 1 d 5 s chargeback ↩ approved 6.00 EUR',
    '+ 1 d 5 s Callback chargeback approved to SHOP/callback ✓ HTTP 200',
  ])
  expect(await sectionOf(orderId, 'money')).toBe(
    'Money taken 86.00 EUR given back 20.00 EUR charged back 6.00 EUR left 60.00 EUR',
  )
})

it('has the pages that the customer saw', async () => {
  const { reply } = await call(gateway, 'saleForm', {
    ...{ clientOrderId: 'form-1', amount: '10.00', currency: 'EUR', ipAddress: '203.0.113.7' },
    ...{ email: 'ada@shop.test', redirectUrl: 'https://shop.test/back' },
  })
  const orderId = reply['paynet-order-id'] ?? ''
  const form = reply['redirect-url'] ?? ''
  const send = (fields: Record<string, string>) =>
    request(form, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encodeForm(Object.entries(fields)),
    })
  await request(form)
  await send({ credit_card_number: '1' })
  expect(await sectionOf(orderId, 'actions')).toContain('Open the page that waits for the customer')
  await send({ cancel: '1' })
  await request(form)
  expect(await storyOf(orderId)).toEqual([
    '0 1 saleForm of 10.00 EUR in 0 ms ✓ HTTP 200',
    '0 The customer opened the card form.',
    '0 The customer sent the card form with a mistake in it.',
    '0 The customer cancelled at the card form.',
    '0 The customer opened the card form, which was no longer open.',
  ])
})

it('says what happens by itself, and that a fault did it once it happened', async () => {
  gateway.faults.arm({ fault: 'reversed-later', delay: 60 * second })
  const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-2', notifyUrl: 'http://127.0.0.1:1/callback' })
  const orderId = reply['paynet-order-id'] ?? ''
  expect(await sectionOf(orderId, 'actions')).toContain('The sale is approved in 3 s.')
  expect(await sectionOf(orderId, 'money')).toBe('Money No money moved. 10.00 EUR were asked for.')
  await gateway.clock.advance(4 * second)
  await gateway.callbacks.idle()
  // The first repetition comes a minute after the first delivery.
  expect(await sectionOf(orderId, 'actions')).toContain('The callback is sent again in 59 s: nobody took it.')
  await gateway.clock.advance(60 * second)
  gateway.act({ action: 'correct', orderId, status: 'declined' })
  const told = await storyOf(orderId)
  expect(told).toContain('+ 1 min 3 s Reversed by the fault reversed-later.')
  expect(told).toContain('+ 1 min 4 s Corrected by hand: the reversal was approved.')
})

it('offers to send the callback again only where that works, and says who hears of an action', async () => {
  const forgotten = (await pay(gateway, 'sale', { clientOrderId: 'o-3' })).reply['paynet-order-id'] ?? ''
  const first = await pay(gateway, 'sale', { clientOrderId: 'o-4', serverCallbackUrl: `${shop.origin}/callback` })
  const told = first.reply['paynet-order-id'] ?? ''
  expect(await sectionOf(told, 'actions')).toContain(
    'Ends the stage that is open as approved. A callback tells the shop.',
  )
  expect(await sectionOf(forgotten, 'actions')).toContain(
    'The order names no address for callbacks: the shop hears of nothing that is done here.',
  )
  await gateway.clock.advance(3 * second)
  await gateway.callbacks.idle()
  expect(await sectionOf(told, 'actions')).toContain('Resend the callback Sends approved once more to SHOP/callback.')
  expect(await sectionOf(forgotten, 'actions')).not.toContain('Resend')
  // server_callback_url is for the sale; notify_url, which would hear of this one, is not there.
  gateway.act({ action: 'reverse', orderId: told })
  expect(await sectionOf(told, 'actions')).not.toContain('Resend')
})

it("leads to the shop's page of the order", async () => {
  const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o/5 &' })
  const orderId = reply['paynet-order-id'] ?? ''
  expect(await page(orderId)).toContain(`<a href="https://shop.test/admin/o%2F5%20%26?gateway=${orderId}">`)
})

it('makes one line of moves of the clock between which nothing happened, and says what is still held', async () => {
  const { reply } = await pay(gateway, 'preauth', { clientOrderId: 'o-6', amount: '100.00' })
  const orderId = reply['paynet-order-id'] ?? ''
  await gateway.clock.advance(4 * second)
  await call(gateway, 'capture', { clientOrderId: 'o-6', orderId, amount: '80.00', currency: 'EUR' })
  await gateway.clock.advance(2 * second)
  await gateway.clock.advance(2 * second)
  await call(gateway, 'status', { clientOrderId: 'o-6', orderId })
  expect((await storyOf(orderId)).filter(line => line.includes('clock'))).toEqual([
    '0 The clock was moved forward by 4 s.',
    '+ 4 s The clock was moved forward by 4 s.',
  ])
  expect(await sectionOf(orderId, 'money')).toBe('Money held 20.00 EUR taken 80.00 EUR')
})

it('says where the requests of an order went that the log has dropped', async () => {
  await gateway.close()
  gateway = createGateway({ maxCalls: 2 })
  origin = (await gateway.listen()).origin
  const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-7' })
  for (const clientOrderId of ['o-8', 'o-9']) await pay(gateway, 'sale', { clientOrderId })
  const said = await sectionOf(reply['paynet-order-id'] ?? '', 'story')
  expect(said).toContain('Its first requests are no longer in the log, which begins with number 2.')
})

it('shows the latest three hundred events of an order that is asked about without end', async () => {
  await gateway.close()
  // Asked without sockets, which take most of the time.
  gateway = createStoryGateway()
  const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-10' })
  const ids = { clientOrderId: 'o-10', orderId: reply['paynet-order-id'] ?? '' }
  for (let asked = 0; asked < 160; asked += 1) {
    await call(gateway, 'status', ids)
    await call(gateway, 'status', { ...ids, byRequestSn: reply['serial-number'] ?? '' })
  }
  origin = (await gateway.listen()).origin
  expect(await storyOf(ids.orderId)).toHaveLength(300)
  expect(await sectionOf(ids.orderId, 'story')).toContain('These are the latest 300 of 321.')
})
