import { testCard } from '@tillkit/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { postingForm } from '../../testing/test/merchant-site.js'
import { call, customer, prepare, send } from '../../testing/test/signed-request.js'
import { openDashboard } from './open-dashboard.js'

describe('the dashboard, in Chromium', () => {
  const { open, part, sale } = openDashboard()
  let { browser, site, gateway, page, overview } = open
  beforeEach(() => {
    ;({ browser, site, gateway, page, overview } = open)
  })

  it('does to an order what its buttons say: approve, correct, reverse, charge back, resend', async () => {
    await sale('o-1')
    await page.goto(overview)
    await part('orders').getByRole('link', { name: 'o-1' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await part('standing').getByText('approved').waitFor()
    await gateway.callbacks.idle()
    expect(gateway.callbacks.list()).toHaveLength(1)

    await page.getByRole('button', { name: 'Resend the callback' }).click()
    await page.getByRole('status').getByText('The callback was sent once more.').waitFor()
    expect(gateway.callbacks.list()).toHaveLength(2)

    await page.getByLabel('Correct the final status to').selectOption('declined')
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    await part('standing').getByText('declined').waitFor()
    await page.getByLabel('Correct the final status to').selectOption('approved')
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    await part('standing').getByText('approved').waitFor()

    await page.getByLabel('Amount to reverse').fill('4.00')
    await page.getByRole('button', { name: 'Reverse' }).click()
    await part('events').getByText('reversal ✓ approved 4.00 EUR').waitFor()
    await page.getByRole('button', { name: 'Charge back' }).click()
    await part('events').getByText('chargeback ↩ approved 6.00 EUR').waitFor()
    const stages = gateway.orders.find('o-1')?.stages.map(({ stage, amount }) => [stage, amount])
    expect(stages).toEqual([
      ['sale', '10.00'],
      ['reversal', '4.00'],
      ['chargeback', '6.00'],
    ])
  })

  it('declines an order that waits', async () => {
    await sale('o-1')
    await page.goto(overview)
    await part('orders').getByRole('link', { name: 'o-1' }).click()
    await page.getByRole('button', { name: 'Decline' }).click()
    await part('standing').getByText('declined').waitFor()
    expect(gateway.orders.find('o-1')?.stages).toMatchObject([{ status: 'declined', final: true }])
  })

  it('leads to the page that waits for the customer, until it was filled in', async () => {
    const redirectUrl = `${site.origin}/return`
    const fields = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', ...customer, redirectUrl }
    const { reply } = await call(gateway, 'payoutForm', fields)
    const address = `${overview}orders/${reply['paynet-order-id']}`
    await page.goto(address)
    await page.getByRole('link', { name: 'Open the page that waits for the customer' }).click()
    expect(page.url()).toBe(reply['redirect-url'])
    await page.getByLabel('Account number').fill('12345678')
    await page.getByRole('button', { name: 'Receive the payout' }).click()
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await page.goto(address)
    expect(await page.getByRole('link', { name: 'Open the page' }).count()).toBe(0)
  })

  it('says why a button could not do what it says', async () => {
    await sale('o-1')
    await gateway.clock.advance(60_000)
    await page.goto(overview)
    await part('orders').getByRole('link', { name: 'o-1' }).click()
    await page.getByLabel('Amount to reverse').fill('11.00')
    await page.getByRole('button', { name: 'Reverse' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('11.00')
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await page.getByRole('heading', { name: 'Order o-1' }).waitFor()
  })

  it('plans an outcome that decides, shows it, and forgets the rest', async () => {
    await page.goto(overview)
    await page.getByLabel('Outcome', { exact: true }).selectOption('filtered')
    await page.getByLabel('Of the operation').selectOption('sale')
    await page.getByLabel('Of the order').fill('o-1')
    await page.getByLabel('How often').fill('3')
    await page.getByRole('button', { name: 'Plan' }).click()
    await part('outcomes').getByText('filtered for sale of the order o-1, 3 times').waitFor()
    await sale('o-2')
    await sale('o-1')
    await part('outcomes').getByText('filtered for sale of the order o-1, 2 times').waitFor()
    await page.getByRole('button', { name: 'Forget all' }).click()
    await part('outcomes').getByText('Nothing is planned').waitFor()
    await gateway.clock.advance(60_000)
    expect(gateway.orders.list().map(({ stages }) => stages[0]?.status)).toEqual(['approved', 'filtered'])
    expect(gateway.outcomes.planned()).toEqual([])
  })

  it('arms a fault that strikes, shows it, and disarms', async () => {
    await page.goto(overview)
    await page.getByText('Every fault, and how often it strikes').click()
    await page.getByRole('radio', { name: 'commit-then-drop' }).check()
    await page.getByLabel('Operation', { exact: true }).selectOption('sale')
    await page.getByLabel('Times').fill('2')
    await page.getByRole('button', { name: 'Arm' }).click()
    await part('faults').getByText('commit-then-drop for sale, 2 times more').waitFor()
    await sale('o-1').catch(() => undefined)
    await part('requests').getByText('hung up').waitFor()
    await part('faults').getByText('once more, struck once').waitFor()
    await page.getByRole('button', { name: 'Disarm all' }).click()
    await part('faults').getByText('None is armed.').waitFor()
    expect(gateway.faults.armed()).toEqual([])
  })

  it('is walked by keyboard: / searches, j and k go through the rows, ? says so', async () => {
    for (const order of ['o-1', 'o-2', 'o-3']) await sale(order)
    await page.goto(overview)
    const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.id')
    for (const [key, expected] of [
      ['j', 'o-3'],
      ['j', 'o-2'],
      ['j', 'o-1'],
      ['k', 'o-2'],
    ]) {
      await page.keyboard.press(key ?? '')
      expect(await focused()).toBe(expected)
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.waitForURL(`${overview}orders#q`)
    await expect.poll(focused, { timeout: 20_000 }).toBe('q')
    // Where somebody types, a key is a letter.
    await page.keyboard.type('o-2/j?')
    expect(await page.locator('#q').inputValue()).toBe('o-2/j?')
    expect(await page.getByRole('heading', { name: 'Orders' }).isVisible()).toBe(true)
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.keyboard.press('Escape')
    expect(await page.locator('#q').inputValue()).toBe('o-2/j?')
    await page.keyboard.press('j')
    expect(await focused()).toBe('o-3')
  })

  it('searches requests from a request, and orders from an order', async () => {
    const { reply } = await sale('o-1')
    for (const [from, list, name] of [
      ['calls/1', 'requests', 'Requests'],
      [`orders/${reply['paynet-order-id']}`, 'orders', 'Orders'],
    ] as const) {
      await page.goto(`${overview}${from}`)
      const current = page.getByRole('navigation', { name: 'Dashboard' }).locator('[aria-current]')
      expect([await current.innerText(), await current.getAttribute('aria-current')]).toEqual([name, 'true'])
      await page.keyboard.press('/')
      await page.waitForURL(`${overview}${list}#q`)
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
  })

  it('has a header of one height on all pages', async () => {
    const { reply } = await sale('o-1')
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const heights = new Set<number | undefined>()
      for (const path of ['', 'orders', `orders/${reply['paynet-order-id']}`, 'calls/1', 'explain']) {
        await page.goto(`${overview}${path}`)
        heights.add((await page.locator('header').boundingBox())?.height)
      }
      expect([width, heights.size]).toEqual([width, 1])
    }
  })

  it('leads to the controls from the top where they come after the lists', async () => {
    for (let index = 1; index <= 16; index += 1) await sale(`o-${index}`)
    await page.goto(overview)
    const link = page.getByRole('link', { name: 'Clock and faults' })
    expect(await link.isVisible()).toBe(false)
    await page.setViewportSize({ width: 390, height: 800 })
    await link.click()
    const clock = page.getByRole('heading', { name: 'Clock' })
    await expect.poll(async () => (await clock.boundingBox())?.y, { timeout: 20_000 }).toBeLessThan(400)
    // The header covers nothing of it.
    expect((await clock.boundingBox())?.y).toBeGreaterThan((await page.locator('header').boundingBox())?.height ?? 800)
  })

  it('forgets everything at the press of a button', async () => {
    await sale('o-1')
    await page.goto(overview)
    // What is lost takes two presses.
    expect(await page.getByRole('button', { name: 'Forget all of it' }).isVisible()).toBe(false)
    await page.getByText('Reset…').click()
    await page.getByRole('button', { name: 'Forget all of it' }).click()
    await part('orders').getByText('No orders yet.').waitFor()
    expect(gateway.orders.list()).toEqual([])
  })

  it('takes the signature of a refused request apart, and names what differs', async () => {
    const prepared = await prepare(gateway, 'sale', {
      clientOrderId: 'o-1',
      amount: '10.00',
      currency: 'EUR',
      email: 'a@b.c',
    })
    const altered = prepared.parameters.map(([name, value]): [string, string] => [
      name,
      name === 'email' ? 'A@b.c' : value,
    ])
    await send(gateway, { ...prepared, parameters: altered })
    await page.goto(overview)
    await part('requests').getByRole('link', { name: '1 sale' }).click()
    expect(await page.locator('.problem').innerText()).toMatch(/^The likely mistake: email: the value\b/)
    expect(await page.locator('pre').first().innerText()).toBe('39o-11000A@b.c<control key>')
  })

  it('shows a callback with its deliveries, and its control value taken apart', async () => {
    const { reply } = await sale('o-1')
    const orderId = reply['paynet-order-id'] ?? ''
    await gateway.clock.advance(60_000)
    await gateway.callbacks.idle()
    await gateway.callbacks.resend(orderId)
    await page.goto(`${overview}orders/${orderId}`)
    const told = part('events').getByRole('listitem').filter({ hasText: 'Callback sale approved' })
    expect(await told.count()).toBe(2)
    await told.first().getByText('What it said').click()
    expect(await told.first().locator('pre').innerText()).toBe(`approved${orderId}o-1<control key>`)
  })

  it('escapes what a merchant writes, and shows no secret', async () => {
    const hostile = '<img src=x onerror="document.title=1">'
    await sale(hostile, { orderDesc: `${hostile} ${testCard}`, email: '"><script>alert(1)</script>@x.test' })
    await page.goto(overview)
    await part('orders').getByRole('link', { name: hostile }).click()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`Order ${hostile}`)
    expect(await page.locator('img').count()).toBe(0)
    const source = await page.content()
    for (const secret of [testCard, gateway.clientOptions.controlKey]) expect(source).not.toContain(secret)
  })

  it('can be read and used without scripts', async () => {
    await sale('o-1')
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(overview)
    await plain.locator('#orders').getByRole('link', { name: 'o-1' }).click()
    await plain.getByRole('button', { name: 'Approve' }).click()
    await plain.locator('#events').getByText('approved').first().waitFor()
    await context.close()
  })

  it('is reached by keyboard: each control in turn, and what it is for', async () => {
    await sale('o-1')
    await page.goto(overview)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').innerText()).toBe('To the content')
    const unnamed = await page
      .locator('main')
      .getByRole('button')
      .evaluateAll(all => all.filter(each => each.textContent?.trim() === '').length)
    expect(unnamed).toBe(0)
    const unlabelled = await page
      .locator('main input:not([type=hidden]), main select')
      .evaluateAll(
        all => all.filter(each => (each as unknown as { labels: { length: number } }).labels.length !== 1).length,
      )
    expect(unlabelled).toBe(0)
    await part('orders').getByRole('link', { name: 'o-1' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Order o-1' }).waitFor()
  })

  it('keeps the focus and what is open while it is brought up to date', async () => {
    await sale('o-1')
    await page.goto(overview)
    await page.getByText('Every fault, and how often it strikes').click()
    await part('orders').getByRole('link', { name: 'o-1' }).focus()
    gateway.faults.arm('drop')
    await part('faults').getByText('drop for any operation').waitFor()
    await sale('o-2').catch(() => undefined)
    await page.getByRole('button', { name: 'new' }).waitFor()
    expect(await page.locator(':focus').innerText()).toBe('o-1')
    expect(await page.locator('#fault-table').getAttribute('open')).not.toBeNull()
  })

  it('does nothing for a page of another site', async () => {
    const attack = postingForm(`${overview}do/armFault`, { fault: 'drop' })
    await page.goto(site.show('/attack', attack))
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('A page of another site sent this.').waitFor()
    expect(gateway.faults.armed()).toEqual([])
  })
})
