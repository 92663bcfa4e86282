/** Where people once did not get on in the shop: each with the fault that leads there, in Chromium. */
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launch } from '../../../packages/testing/test/browser.js'
import { type Running, start } from '../src/start.js'
import { openPage } from './open-page.js'
import { typeCard } from './type-card.js'

describe('the shop leads on', () => {
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
    await browse()
  })
  afterEach(async () => {
    await page.context().close()
    await running.close()
    await gateway.close()
  })

  async function browse(options: BrowserContextOptions = {}) {
    await page?.context().close()
    page = await openPage(browser, options)
  }

  const open = (path: string) => page.goto(new URL(path, running.shop).href)
  const latestId = async () => (await running.orders.latest(1))[0]?.id ?? ''
  const toMerchant = async () => open(`/merchant/orders/${await latestId()}`)
  const says = (label: string) => page.getByRole('status').getByText(label, { exact: true }).waitFor()
  /** Looks again until the page says so: without scripts it shows what was known when it was asked for. */
  const looksAgainUntil = async (label: string) => {
    const isSaid = async () => page.getByRole('status').getByText(label, { exact: true }).isVisible()
    while (!(await isSaid())) await page.reload()
  }
  const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click()

  async function payHere(cvv2 = '111', number?: string) {
    await open('/pay-here/rice-bowl')
    await typeCard(page, cvv2, number)
  }

  async function paid() {
    await payHere()
    await says('Paid')
    await toMerchant()
  }

  async function reserved() {
    await open('/')
    await press('Reserve Teapot')
    await typeCard(page, '123')
    await says('Reserved')
    await toMerchant()
  }

  it('from a mistyped card: beside its field, and before anything is sent', async () => {
    await open('/pay-here/rice-bowl')
    await typeCard(page, '111', '4444 4444 4444 4449')
    const number = page.getByLabel('Card number')
    await page.getByText('This is not the number of a card.').waitFor()
    expect(await number.getAttribute('aria-describedby')).toBe(
      await page.getByText('This is not the number of a card.').getAttribute('id'),
    )
    expect(await number.evaluate('document.activeElement.id')).toBe('number')
    expect(gateway.calls()).toEqual([])
    await typeCard(page, '111')
    await says('Paid')
  })

  it('from a card that the gateway refused: the order is refused and not asked about, and the form takes another', async () => {
    await payHere('111', '4444 4444 4444')
    await page.getByRole('alert').getByText('The gateway refused this and did nothing with it.').waitFor()
    await open(`/orders/${await latestId()}`)
    await says('Refused')
    expect(await page.getByText('asking').count()).toBe(0)
    await page.getByRole('link', { name: 'Pay here, by card' }).click()
    await typeCard(page, '111')
    await says('Paid')
    expect(await running.orders.latest(9)).toHaveLength(1)
  })

  it('from a declined card to another one for the same thing', async () => {
    await payHere('116')
    await page.getByRole('heading', { name: 'The payment was declined' }).waitFor()
    const id = await latestId()
    await press('Try another card')
    expect(new URL(page.url()).host).toBe(running.gatewayBaseUrl.host)
    await typeCard(page, '123')
    await says('Paid')
    expect(new URL(page.url()).pathname).toBe(`/orders/${id}`)
  })

  it('from a capture whose answer is lost: the merchant asks again, and sees it once status shows it', async () => {
    await reserved()
    gateway.faults.arm({ fault: 'delayed-commit', operation: 'capture' })
    await press('Capture')
    await says('Not known')
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Ask again'])
    await press('Ask again')
    await page.getByRole('alert').getByText('The gateway was asked just now, and nothing is new.').waitFor()
    await gateway.clock.advance(60_000)
    // The work in the background asks by then too, and may be first: there is nothing to press any more.
    await Promise.race([press('Ask again').catch(() => undefined), says('Paid')])
    await says('Paid')
    expect(gateway.calls('capture')).toHaveLength(1)
  })

  it('from a capture whose answer is lost, without a click of anybody', async () => {
    await reserved()
    gateway.faults.arm({ fault: 'delayed-commit', operation: 'capture' })
    await press('Capture')
    await says('Not known')
    await gateway.clock.advance(120_000)
    await says('Paid')
  })

  it.each([
    ['It did nothing', 'drop', '€2.00'],
    ['It has it', 'commit-then-drop', '€4.00'],
  ] as const)(
    'from a return that nobody can tell from an equal one: a person says "%s"',
    async (answer, fault, returned) => {
      await paid()
      await page.getByLabel('Amount to return').fill('2.00')
      await press('Return')
      await says('Partly returned')
      gateway.faults.arm({ fault, operation: 'return' })
      await page.getByLabel('Amount to return').fill('2.00')
      await press('Return')
      await says('Not known')
      expect(await page.getByText('A person has to decide').count()).toBe(0)
      await gateway.clock.advance(1_000_000)
      await page.getByRole('heading', { name: 'A person has to decide' }).waitFor()
      await page.getByLabel('Who says so').fill('support, ticket 4711')
      if (answer === 'It has it') {
        await press(answer)
        await page.getByRole('alert').getByText('Write the number under which the gateway has it.').waitFor()
        await page.getByLabel('Who says so').fill('support, ticket 4711')
        const number = gateway.orders.list()[0]?.stages.at(-1)?.serialNumbers[0] ?? ''
        await page.getByLabel('Its number at the gateway').fill(number)
      }
      await press(answer)
      await says('Partly returned')
      expect(await page.locator('dl.totals').innerText()).toContain(returned)
      await page.getByText('ticket 4711').first().waitFor()
    },
  )

  it('from a word that the gateway took back: a person says which one is so', async () => {
    await paid()
    const orderId = gateway.orders.list()[0]?.orderId ?? ''
    gateway.act({ orderId, action: 'correct', status: 'declined' })
    await gateway.callbacks.idle()
    await press('Ask the gateway')
    await says('To be looked at')
    await page.getByLabel('Who says so').fill('support, ticket 4711')
    await press('It is declined')
    await says('Declined')
  })

  it.each(['its callback came', 'its callback was lost'])('to a chargeback: %s', async how => {
    await paid()
    const orderId = gateway.orders.list()[0]?.orderId ?? ''
    if (how === 'its callback was lost') gateway.faults.arm({ fault: 'callback-never' })
    gateway.act({ orderId, action: 'charge-back' })
    await gateway.callbacks.idle()
    await press('Ask the gateway')
    await says('Charged back')
    await page.getByText('took €24.50 back').first().waitFor()
  })

  it('without scripts: every page that waits can be looked at again', async () => {
    await browse({ javaScriptEnabled: false })
    gateway.faults.arm({ fault: 'delayed-commit', operation: 'sale' })
    await payHere()
    const waits = page.getByRole('heading', { name: 'Checking your payment' })
    await waits.waitFor()
    // A page that reloads by itself is read aloud anew every time: meta-refresh of axe-core, WCAG 2.2.1.
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(0)
    await page.getByRole('link', { name: 'Look again' }).click()
    await waits.waitFor()
    await page.getByRole('link', { name: 'Back to your order' }).click()
    await looksAgainUntil('Not known')
    await gateway.clock.advance(120_000)
    await press('See how it stands')
    await page.waitForURL(`${running.shop.origin}/**`)
    await looksAgainUntil('Paid')

    await open('/')
    await press('Buy Teapot')
    // The form opens once the order is made: the latest one was another before.
    await page.getByLabel('Card number').waitFor()
    await open(`/orders/${await latestId()}`)
    await says('Checking')
    gateway.act({ orderId: gateway.orders.list().at(-1)?.orderId ?? '', action: 'approve' })
    await gateway.callbacks.idle()
    await page.getByRole('link', { name: 'Look again' }).click()
    await looksAgainUntil('Paid')
  })

  it('from the merchant’s page of an order to the gateway’s, and back', async () => {
    await running.close()
    running = await start({ processingTime: 0 })
    await paid()
    const shop = page.url()
    await page.getByRole('link', { name: 'At the gateway' }).click()
    expect(new URL(page.url()).host).toBe(running.gatewayBaseUrl.host)
    await page.getByRole('link', { name: `Order ${await latestId()}` }).click()
    expect(page.url()).toBe(shop)
  })

  it('with amounts that can be read at a glance', async () => {
    await open('/')
    await page.getByText('€1,240.00').waitFor()
    await press('Buy Garden jar')
    await page.getByText('1,240.00 EUR').first().waitFor()
    await typeCard(page, '123')
    await says('Paid')
    await page.getByText('€1,240.00').first().waitFor()
  })

  it('with keys alone: buys, returns a part, and asks again about a return that was not answered', async () => {
    /** Goes on to what has this name, as a person does who has no mouse. */
    async function tabTo(name: string) {
      const named = `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent).trim()`
      for (let tabs = 0; tabs < 60; tabs += 1) {
        await page.keyboard.press('Tab')
        // A page that waits looks again by itself, at any moment: then the next key begins anew.
        const focused = await page.evaluate<string>(named).catch(() => '')
        if (focused.startsWith(name)) return
      }
      expect.fail(`No key leads to "${name}".`)
    }
    async function type(fields: Readonly<Record<string, string>>) {
      for (const [name, text] of Object.entries(fields)) {
        await tabTo(name)
        await page.keyboard.type(text)
      }
      await page.keyboard.press('Enter')
    }

    await open('/')
    await tabTo('Buy Morning cup')
    await page.keyboard.press('Enter')
    await page.getByLabel('Card number').waitFor()
    await type({
      'Card number': '4444444444444448',
      'Name on card': 'JOAN BAKER',
      Month: '12',
      Year: '2031',
      CVV: '123',
    })
    await says('Paid')
    await tabTo('the merchant’s page')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What you can do' }).waitFor()
    await type({ 'Amount to return': '5' })
    await says('Partly returned')
    gateway.faults.arm({ fault: 'delayed-commit', operation: 'return' })
    await type({ 'Amount to return': '1' })
    await says('Not known')
    await tabTo('Ask again')
    // Now the return happens. Its callback may be there before the key is pressed.
    await gateway.clock.advance(60_000)
    await page.keyboard.press('Enter')
    await page.getByText('Status shows that the gateway accepted the return over 1.00 EUR').first().waitFor()
  })
})
