/** The tasks of the dashboard with the keyboard alone: nothing here points, clicks or fills in by itself. */
import { describe, expect, it } from 'vitest'
import { openDashboard } from './open-dashboard.js'

/** Its label, or else what it says. */
const nameOfFocus = `(({ activeElement: at }) =>
  at.labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.textContent.trim())(document)`

describe('the dashboard, by keyboard alone', () => {
  const { open, part, sale } = openDashboard()

  /** Presses Tab until the focus is on what has this name. */
  async function tabTo(name: string | RegExp): Promise<void> {
    const names: string[] = []
    for (let pressed = 0; pressed < 200; pressed += 1) {
      await open.page.keyboard.press('Tab')
      const focused = await open.page.evaluate<string>(nameOfFocus)
      names.push(focused)
      if (typeof name === 'string' ? focused === name : name.test(focused)) return
    }
    throw new Error(`Tab never came to ${name}. It came to: ${names.join(' | ')}`)
  }

  it('arms a fault, sees that it struck, and disarms another', async () => {
    const { page, overview, gateway } = open
    await page.goto(overview)
    await tabTo('The answer is lost after the money moved')
    await page.keyboard.press('Enter')
    await part('faults').getByText('commit-then-drop').first().waitFor()
    await sale('o-1').catch(() => undefined)
    await part('requests').getByText('commit-then-drop').waitFor()
    await tabTo('Callback twice')
    await page.keyboard.press('Enter')
    await expect.poll(() => gateway.faults.armed().length, { timeout: 20_000 }).toBe(1)
    await page.getByText('Armed for the next request that fits.').waitFor()
    await tabTo(/^Disarm callback-twice/)
    await page.keyboard.press('Enter')
    await page.getByText('The fault is disarmed.').waitFor()
    expect(gateway.faults.armed()).toEqual([])
  })

  it('finds an order by a word and by a filter, and turns the pages', async () => {
    const { page, overview } = open
    for (let index = 1; index <= 51; index += 1) await sale(`o-${index}`, index === 7 ? { cvv2: '116' } : {})
    await open.gateway.clock.advance(60_000)
    await page.goto(overview)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').waitFor()
    await expect.poll(() => page.locator(':focus').getAttribute('id'), { timeout: 20_000 }).toBe('q')
    await page.keyboard.type('o-42')
    await page.keyboard.press('Enter')
    await page.getByText('1 found.').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Order o-42' }).waitFor()
    await page.goto(`${overview}orders`)
    await tabTo('Status')
    await page.keyboard.type('declined')
    await tabTo('Find')
    await page.keyboard.press('Enter')
    await page.getByText('1 found.').waitFor()
    await part('found').getByRole('link', { name: 'o-7' }).waitFor()
    await page.goto(`${overview}orders`)
    await tabTo('Older')
    await page.keyboard.press('Enter')
    await page.getByText('Page 2 of 2').waitFor()
  })

  it('approves an order, takes a part of its money back, and sends its callback again', async () => {
    const { page, overview, gateway } = open
    const { reply } = await sale('o-1')
    await page.goto(`${overview}orders/${reply['paynet-order-id']}`)
    await tabTo('Approve')
    await page.keyboard.press('Enter')
    await part('standing').getByText('sale approved').waitFor()
    await tabTo('Amount to charge back')
    await page.keyboard.type('4.00')
    await page.keyboard.press('Enter')
    await part('totals').getByText('charged back').waitFor()
    await gateway.callbacks.idle()
    const before = gateway.callbacks.list().length
    await tabTo('Resend the callback')
    await page.keyboard.press('Enter')
    // Chromium may never close a page that is about to lead on.
    await page.getByRole('status').getByText('The callback was sent once more.').waitFor()
    expect(gateway.callbacks.list()).toHaveLength(before + 1)
  })
})
