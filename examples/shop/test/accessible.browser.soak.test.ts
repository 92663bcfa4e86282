/** Every page of the shop and of its till, looked at by axe-core. */
import { createFakeGateway, type FakeGateway, silentMethodCard, threeDSecure1Card } from '@tillkit/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest'
import { expectAccessible } from '../../../packages/testing/test/accessible.js'
import { launch } from '../../../packages/testing/test/browser.js'
import { type Running, start } from '../src/start.js'
import { openPage } from './open-page.js'
import { typeCard } from './type-card.js'

describe('axe-core finds nothing in the shop', () => {
  let gateway: FakeGateway
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    gateway = createFakeGateway({ processingTime: 0 })
    running = await start({ gateway })
    page = await openPage(browser)
  })
  afterEach(async () => {
    await page.context().close()
    await running.close()
    await gateway.close()
  })

  /** The page before reloads itself when its order changes. Where that ends this, the page is opened once more. */
  const open = async (path: string) => {
    const { href } = new URL(path, running.shop)
    await page.goto(href).catch((error: Error) => {
      if (!error.message.includes('ERR_ABORTED')) throw error
      return page.goto(href)
    })
  }
  const latestId = async () => (await running.orders.latest(1))[0]?.id ?? ''

  /** Pays with the shop's own form. */
  async function payHere(cvv2 = '111', number?: string, product = 'rice-bowl') {
    await open(`/pay-here/${product}`)
    await typeCard(page, cvv2, number)
  }

  /** Reserves something on the gateway's page. */
  async function reserve() {
    await open('/')
    await page.getByRole('button', { name: 'Reserve Teapot' }).click()
    await typeCard(page, '123')
    await says('Reserved')
  }

  const says = (label: string) => page.getByRole('status').getByText(label, { exact: true }).waitFor()

  /** Presses a button of the merchant's page. */
  async function press(button: string, amount?: string) {
    await open(`/merchant/orders/${await latestId()}`)
    if (amount !== undefined) await page.getByLabel(`Amount to ${button.toLowerCase()}`).fill(amount)
    await page.getByRole('button', { name: button, exact: true }).click()
  }

  /** Both pages of the latest order. */
  async function look(name: string, label: string) {
    const id = await latestId()
    await open(`/orders/${id}`)
    await says(label)
    await expectAccessible(page, `order-${name}`)
    await open(`/merchant/orders/${id}`)
    await says(label)
    await expectAccessible(page, `merchant-${name}`)
  }

  /** Opens the address that the gateway's page leads back to. */
  async function comeBack(heading: string) {
    const { fields = [] } = gateway.calls('saleForm').at(-1) ?? {}
    await page.goto(new Map(fields).get('redirect_url') ?? '')
    await page.getByRole('heading', { name: heading }).waitFor()
  }

  /** Lets the gateway's status say something else about the latest order. */
  async function statusSays(says: { readonly status: string; readonly amount: string }) {
    const id = await latestId()
    const { orderId = '' } = (await running.till.payment(id)).orders[0] ?? {}
    const reply = {
      type: 'status-response',
      currency: 'EUR',
      transactionType: 'sale',
      clientOrderId: id,
      orderId,
      ...says,
    }
    gateway.handle({ status: ({ clientOrderId }) => (clientOrderId === id ? reply : undefined) })
  }

  it('the shelf, empty and with orders', async () => {
    await open('/')
    await expectAccessible(page, 'shelf-empty')
    await payHere()
    await says('Paid')
    await payHere('116')
    await payHere('111', '4444 4444 4444')
    await open('/')
    await expectAccessible(page, 'shelf')
  })

  it('the card form: as it opens, with mistakes, and after the gateway refused the card', async () => {
    await open('/pay-here/rice-bowl')
    await expectAccessible(page, 'card')
    await page.locator('form').evaluate((form: { noValidate: boolean }) => {
      form.noValidate = true
    })
    await typeCard(page, '1', '4444 4444 4444 4449')
    await page.getByText('Three or four digits.').waitFor()
    await expectAccessible(page, 'card-mistakes')
    await typeCard(page, '111', '4444 4444 4444')
    await page.getByRole('alert').waitFor()
    await expectAccessible(page, 'card-refused')
  })

  it('an order that is open', async () => {
    await open('/')
    await page.getByRole('button', { name: 'Buy Teapot' }).click()
    await look('open', 'Checking')
  })

  it('an order that is paid, and returned in parts', async () => {
    await payHere()
    await says('Paid')
    await look('paid', 'Paid')
    await press('Return', '5.00')
    await says('Partly returned')
    await press('Return', '100')
    await page.getByRole('alert').waitFor()
    await expectAccessible(page, 'merchant-notice')
    await press('Return')
    await look('returned', 'Returned')
  })

  it('an order that is reserved, captured in part, and released', async () => {
    await reserve()
    await look('reserved', 'Reserved')
    await press('Capture', '80')
    await look('partly-captured', 'Partly captured')
    await reserve()
    await press('Void')
    await look('released', 'Released')
  })

  it('a payment that is declined, that is refused, and that never reached the gateway', async () => {
    await payHere('116')
    await page.getByRole('heading', { name: 'The payment was declined' }).waitFor()
    await expectAccessible(page, 'till-declined')
    await look('declined', 'Declined')
    await payHere('111', '4444 4444 4444')
    await look('refused', 'Refused')
  })

  it('a payment whose answer is lost', async () => {
    gateway.faults.arm({ fault: 'delayed-commit', operation: 'sale' })
    await payHere()
    await page.getByRole('heading', { name: 'Checking your payment' }).waitFor()
    await expectAccessible(page, 'till-waiting')
    await look('unknown', 'Not known')
  })

  it('a payment page that does not open', async () => {
    gateway.faults.arm({ fault: 'drop', operation: 'saleForm' })
    await open('/')
    await page.getByRole('button', { name: 'Buy Morning cup' }).click()
    await page.getByRole('heading', { name: 'Checking your payment' }).waitFor()
    const address = page.url()
    await gateway.clock.advance(120_000)
    await page.goto(address)
    await page.getByRole('heading', { name: 'The payment page did not open' }).waitFor()
    await expectAccessible(page, 'till-again')
    await look('no-trace', 'Not known')
  })

  it('a capture whose answer is lost, and a return that a person has to decide about', async () => {
    await reserve()
    gateway.faults.arm({ fault: 'delayed-commit', operation: 'capture' })
    await press('Capture')
    await look('unknown-capture', 'Not known')
    await payHere()
    await says('Paid')
    await press('Return', '2.00')
    await page.getByRole('status').getByText('Partly returned').waitFor()
    gateway.faults.arm({ fault: 'drop', operation: 'return' })
    await press('Return', '2.00')
    await gateway.clock.advance(120_000)
    await running.till.tick()
    await look('unknown-return', 'Not known')
    await gateway.clock.advance(900_000)
    await open(`/merchant/orders/${await latestId()}`)
    await page.getByRole('heading', { name: 'A person has to decide' }).waitFor()
    await expectAccessible(page, 'merchant-decide')
  })

  it('a chargeback', async () => {
    await payHere()
    await says('Paid')
    const orderId = (await running.till.payment(await latestId())).orders[0]?.orderId ?? ''
    gateway.act({ orderId, action: 'charge-back' })
    await gateway.callbacks.idle()
    await look('charged-back', 'Charged back')
  })

  it('an order that a person has to look at', async () => {
    await open('/')
    await page.getByRole('button', { name: 'Buy Rice bowl' }).click()
    await typeCard(page, '123')
    await says('Paid')
    await statusSays({ status: 'declined', amount: '24.50' })
    await press('Ask the gateway')
    await look('disputed', 'To be looked at')
    await comeBack('We are looking into your payment')
    await expectAccessible(page, 'till-problem')
  })

  it('the pages of 3DS', async () => {
    await payHere('123', silentMethodCard)
    await page.getByRole('heading', { name: 'Preparing your payment' }).waitFor()
    await expectAccessible(page, '3ds-method')
    await payHere('123', threeDSecure1Card)
    await page.getByLabel('Code from your bank').waitFor()
    await expectAccessible(page, '3ds-bank')
  })

  it.each([
    ['no-order', '/orders/T1'],
    ['no-page', '/nothing'],
    ['not-our-return', '/payments/return/not-our-state'],
  ])('the page for an error: %s', async (name, path) => {
    await open(path)
    await expectAccessible(page, `error-${name}`)
  })
})
