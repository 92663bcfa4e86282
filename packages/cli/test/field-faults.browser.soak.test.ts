/** Faults of the dashboard that people once ran into, each as they would see it again, in Chromium. */
import { beforeEach, describe, expect, it } from 'vitest'
import { prepare, send } from '../../testing/test/signed-request.js'
import { openDashboard } from './open-dashboard.js'

describe('the dashboard, in Chromium', () => {
  const { open, part, sale } = openDashboard()
  let { gateway, page, overview } = open
  beforeEach(() => {
    ;({ gateway, page, overview } = open)
  })
  const lightness = () =>
    page.evaluate<number>(
      'getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3).reduce((sum, each) => sum + Number(each), 0)',
    )

  /** A sale whose e-mail address somebody changed after it was signed. */
  async function sendAltered(clientOrderId: string) {
    const fields = { clientOrderId, amount: '10.00', currency: 'EUR', email: 'a@b.c' }
    const prepared = await prepare(gateway, 'sale', fields)
    const altered = prepared.parameters.map(([name, value]): [string, string] => [
      name,
      name === 'email' ? 'A@b.c' : value,
    ])
    await send(gateway, { ...prepared, parameters: altered })
  }

  it('stays up when somebody arms the fault that was chosen already', async () => {
    await page.goto(overview)
    await page.getByText('Every fault, and how often it strikes').click()
    await page.getByRole('button', { name: 'Arm', exact: true }).click()
    await part('faults').getByText('once more').waitFor()
    await sale('o-1')
    await part('orders').getByRole('link', { name: 'o-1' }).waitFor()
  })

  it('finds one order of many, and turns their pages', async () => {
    for (let count = 1; count <= 51; count += 1) await sale(`basket-${count}`, { email: `c${count}@shop.test` })
    await page.goto(new URL('orders', overview).href)
    await page.getByText('51 found').waitFor()
    expect(await page.getByRole('link', { name: 'basket-1', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByRole('link', { name: 'basket-1', exact: true }).waitFor()
    await page.getByLabel('Id, e-mail or last four digits').fill('c17@shop.test')
    await page.keyboard.press('Enter')
    await page.getByText('1 found').waitFor()
    await page.getByRole('link', { name: 'basket-17', exact: true }).waitFor()
  })

  it('has rows of requests that can be told apart: order, answer, how long it took, and why it was refused', async () => {
    await sale('o-1', { amount: '1234.50' })
    await sendAltered('o-2')
    await page.goto(overview)
    const [refused, accepted] = await part('requests')
      .getByRole('row')
      .filter({ hasText: /^\d sale/ })
      .allInnerTexts()
    expect(accepted).toMatch(/o-1[\s\S]*\d ms/)
    expect(accepted).not.toContain('refused')
    expect(refused).toMatch(/HTTP 401 refused[\s\S]*item "email"[\s\S]*\d ms/)
    await part('orders').getByText('1,234.50').first().waitFor()
  })

  it('marks the difference in a wrong control value, and copies', async () => {
    await sendAltered('o-1')
    await page.goto(new URL('calls/1', overview).href)
    expect(await page.locator('mark').first().innerText()).toMatch(/^[Aa]$/)
    await page.getByRole('button', { name: /^Copy/ }).first().waitFor()
  })

  it('offers to resend a callback only where one was sent to somebody', async () => {
    await sale('o-1')
    await sale('o-2', { notifyUrl: '' })
    await gateway.clock.advance(60_000)
    await gateway.callbacks.idle()
    const resend = page.getByRole('button', { name: 'Resend the callback' })
    for (const [order, offered] of [
      ['o-1', 1],
      ['o-2', 0],
    ] as const) {
      await page.goto(new URL(`orders/${gateway.orders.find(order)?.orderId}`, overview).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([order, await resend.count()]).toEqual([order, offered])
    }
  })

  it('is where the bare address of the gateway leads, by day and by night', async () => {
    await page.goto(new URL('/', overview).href)
    // At the port that no fault closes.
    await page.waitForURL(/\/__gateway\/$/)
    await part('orders').waitFor()
    expect(await lightness()).toBeGreaterThan(382)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await lightness()).toBeLessThan(382)
  })
})
